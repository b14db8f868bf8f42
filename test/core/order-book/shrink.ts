/**
 * The shortest failing list that leaving out parts leads to. `fails` must run a list from the start;
 * any element may be left out.
 */
export function shrink<T>(failing: readonly T[], fails: (list: readonly T[]) => boolean): T[] {
  let shortest = [...failing];
  for (let part = Math.ceil(shortest.length / 2); part >= 1; ) {
    let removed = false;
    for (let from = 0; from < shortest.length; ) {
      const shorter = [...shortest.slice(0, from), ...shortest.slice(from + part)];
      if (fails(shorter)) {
        shortest = shorter;
        removed = true;
      } else {
        from += part;
      }
    }
    if (part === 1 && !removed) break;
    if (!removed || part > shortest.length) part = Math.ceil(part / 2);
  }
  return shortest;
}
