import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';

export type PasswordInput = NodeJS.ReadableStream & { readonly isTTY?: boolean };

/** One line of the input. At a terminal the prompt is shown and what is typed is not. */
export async function readPassword(
  input: PasswordInput,
  output: NodeJS.WritableStream,
  prompt: string,
): Promise<string> {
  const terminal = input.isTTY === true;
  if (terminal) output.write(prompt);
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input, output: silent, terminal });
  try {
    for await (const line of lines) return line;
    return '';
  } finally {
    lines.close();
    if (terminal) output.write('\n');
  }
}
