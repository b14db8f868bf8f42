import { parseArgs } from 'node:util';

export interface BenchOptions {
  readonly rounds: number;
  readonly seconds: number;
  readonly warmUpSeconds: number;
  /** The compiled server that is measured. */
  readonly server: string;
  /** Where the fresh data directory is made: the disk that is measured. */
  readonly directory: string | undefined;
  readonly ownClient: boolean;
}

const HELP = `Measures durable orders and reads over HTTP beside a bare uWebSockets.js server.

  --rounds N        how often each pair is measured (3)
  --seconds N       of each measurement (4)
  --warm-up N       seconds of warm-up of each server before the first round (8)
  --server PATH     the compiled server to measure (dist/gateway/main.js)
  --directory DIR   where the fresh data directory is made (the system's temporary directory)
  --own-client      use the client in this folder even where wrk is installed
`;

/** Undefined when only help was asked for, which is printed then. */
export function readOptions(args: readonly string[]): BenchOptions | undefined {
  const { values } = parseArgs({
    args: [...args],
    options: {
      rounds: { type: 'string', default: '3' },
      seconds: { type: 'string', default: '4' },
      'warm-up': { type: 'string', default: '8' },
      server: { type: 'string', default: 'dist/gateway/main.js' },
      directory: { type: 'string' },
      'own-client': { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    console.log(HELP);
    return undefined;
  }
  return {
    rounds: positive(values.rounds, '--rounds'),
    seconds: positive(values.seconds, '--seconds'),
    warmUpSeconds: positive(values['warm-up'], '--warm-up'),
    server: values.server,
    directory: values.directory,
    ownClient: values['own-client'],
  };
}

function positive(text: string, option: string): number {
  const value = Number(text);
  if (Number.isInteger(value) && value > 0) return value;
  throw new Error(`${option} must be a whole number above 0, not ${text}`);
}
