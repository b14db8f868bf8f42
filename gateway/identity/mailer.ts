import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rename, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createTransport } from 'nodemailer';
import { BoundedGate } from './bounded-gate.ts';

export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

/** Sends mails; rejects where one could not be handed over. */
export interface Mailer {
  send(mail: Mail): Promise<void>;
}

export interface MailerOptions {
  /** `smtp://user:password@host:port` or `smtps://…`; without it mails are files in the outbox. */
  readonly smtpUrl: string | undefined;
  /** The From line: `Matchbox <no-reply@example.org>`. */
  readonly from: string;
  readonly dataDirectory: string;
  readonly now: () => number;
}

const OUTBOX = 'outbox';
/** The newest mails that the outbox keeps. */
const OUTBOX_MAX = 1_000;
const CONNECT_TIMEOUT_MS = 4_000;
const SOCKET_TIMEOUT_MS = 8_000;
/** Mails on their way at once, and mails that may wait for them. */
const GATE = { running: 4, waiting: 64 };

export function createMailer(options: MailerOptions): Mailer {
  return options.smtpUrl === undefined || options.smtpUrl === ''
    ? outboxMailer(options)
    : smtpMailer(options.smtpUrl, options.from);
}

function smtpMailer(url: string, from: string): Mailer {
  const gate = new BoundedGate(GATE);
  const transport = createTransport(
    {
      url,
      connectionTimeout: CONNECT_TIMEOUT_MS,
      greetingTimeout: CONNECT_TIMEOUT_MS,
      socketTimeout: SOCKET_TIMEOUT_MS,
      disableFileAccess: true,
      disableUrlAccess: true,
    },
    { from },
  );
  return {
    async send(mail) {
      await gate.run(() => transport.sendMail(mail));
    },
  };
}

/** One file a mail, `<time>-<id>.eml`, readable by the owner of the data directory only. */
function outboxMailer({ from, dataDirectory, now }: MailerOptions): Mailer {
  const folder = join(dataDirectory, OUTBOX);
  const gate = new BoundedGate({ running: 1, waiting: GATE.waiting });
  const transport = createTransport(
    { streamTransport: true, buffer: true, newline: 'unix' },
    { from },
  );
  return {
    async send(mail) {
      const { message } = await transport.sendMail(mail);
      await gate.run(async () => {
        await mkdir(folder, { recursive: true, mode: 0o700 });
        const name = `${String(now()).padStart(15, '0')}-${randomUUID()}`;
        const neighbour = join(folder, `${name}.new`);
        await writeFile(neighbour, String(message), { mode: 0o600 });
        await rename(neighbour, join(folder, `${name}.eml`));
        await prune(folder);
      });
    },
  };
}

async function prune(folder: string): Promise<void> {
  const mails = (await readdir(folder)).filter((name) => name.endsWith('.eml')).sort();
  for (const name of mails.slice(0, -OUTBOX_MAX)) await unlink(join(folder, name));
}
