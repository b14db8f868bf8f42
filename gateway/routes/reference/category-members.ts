import { orBusy } from '../../directory-answer.ts';
import type { Refused } from '../../http/refused.ts';
import type { RouteContext } from '../context.ts';

/** The ids of the markets in a category and below it. */
export function categoryMembers(
  { directory }: Pick<RouteContext, 'directory'>,
  categoryId: string,
): Promise<ReadonlySet<string> | Refused> {
  return orBusy(directory.marketCategories.marketsOf(categoryId).then((ids) => new Set(ids)));
}
