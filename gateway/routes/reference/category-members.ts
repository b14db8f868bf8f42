import type { Refused } from '../../http/refused.ts';
import type { RouteContext } from '../context.ts';
import { orBusy } from '../directory-answer.ts';

/** The ids of the markets in a category and below it; undefined where no category is asked for. */
export async function categoryMembers(
  { directory }: Pick<RouteContext, 'directory'>,
  categoryId: string | undefined,
): Promise<ReadonlySet<string> | undefined | Refused> {
  if (categoryId === undefined) return undefined;
  return orBusy(directory.marketCategories.marketsOf(categoryId).then((ids) => new Set(ids)));
}
