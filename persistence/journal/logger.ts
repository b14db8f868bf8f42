/** The part of a pino logger that persistence speaks to. */
export interface Logger {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
}

export const silentLogger: Logger = { info() {}, warn() {}, error() {} };
