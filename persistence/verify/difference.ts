/** What is recorded is not what the same rules make of it. `sequence`: the event that shows it. */
export class Difference extends Error {
  readonly sequence: number;

  constructor(sequence: number, message: string) {
    super(`event ${sequence}: ${message}`);
    this.name = 'Difference';
    this.sequence = sequence;
  }
}
