import { once } from 'node:events';
import { SMTPServer } from 'smtp-server';

/** A real SMTP server that keeps the mails it is given. */
export interface MailServer {
  readonly url: string;
  readonly mails: readonly { readonly to: string; readonly text: string }[];
  close(): Promise<void>;
}

export async function startMailServer(): Promise<MailServer> {
  const mails: { to: string; text: string }[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const to = session.envelope.rcptTo.map(({ address }) => address).join(' ');
        mails.push({ to, text: Buffer.concat(chunks).toString('utf8') });
        done();
      });
    },
  });
  const listener = server.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const address = listener.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return {
    url: `smtp://127.0.0.1:${address.port}`,
    mails,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

/** The code in the newest of these mails. */
export function codeIn(mails: readonly { readonly text: string }[]): string {
  const code = /Your code is (\d{6})\./.exec(mails.at(-1)?.text ?? '')?.[1];
  if (code === undefined) throw new Error('no mail with a code');
  return code;
}

/** Some other code than this one. */
export function otherCode(code: string): string {
  return String((Number(code) + 1) % 1_000_000).padStart(6, '0');
}
