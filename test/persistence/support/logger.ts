import type { Logger } from '../../../persistence/journal/index.ts';

/** Keeps what was logged. */
export class RecordingLogger implements Logger {
  readonly lines: { level: string; details: object; message: string }[] = [];

  info(details: object, message: string): void {
    this.lines.push({ level: 'info', details, message });
  }

  warn(details: object, message: string): void {
    this.lines.push({ level: 'warn', details, message });
  }

  error(details: object, message: string): void {
    this.lines.push({ level: 'error', details, message });
  }

  messages(): string[] {
    return this.lines.map((line) => line.message);
  }
}
