import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { BareAnswer } from '../http/bare-server.ts';

export interface BareServer {
  readonly port: number;
  /** What it answers from now on. */
  answer(answer: BareAnswer): Promise<void>;
  stop(): void;
}

export async function startBareServer(): Promise<BareServer> {
  const child = fork(fileURLToPath(new URL('./bare-server.js', import.meta.url)), {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const [{ port }] = (await once(child, 'message')) as [{ readonly port: number }];
  return {
    port,
    async answer(answer) {
      child.send(answer);
      await once(child, 'message');
    },
    stop: () => child.disconnect(),
  };
}
