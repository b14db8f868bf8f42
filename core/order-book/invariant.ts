/** Throws where an invariant of the book is broken: the book must not be used any further. */
export function check(holds: boolean, problem: string): void {
  if (!holds) throw new Error(`order book invariant broken: ${problem}`);
}
