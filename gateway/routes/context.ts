import type { Directory } from '../../persistence/directory/index.ts';
import type { ViewsClient } from '../../persistence/views/index.ts';
import type { Authoriser } from '../http/authorisation.ts';
import type { PasswordHasher, UserRights } from '../identity/index.ts';
import type { OrderReader } from '../venue/order-reader.ts';
import type { Venue } from '../venue/venue.ts';
import type { Callbacks } from '../webhooks/index.ts';
import type { FavoritesInMemory } from './reference/favorites-cache.ts';

/** What the routes of the trading interface work with. */
export interface RouteContext {
  readonly venue: Venue;
  readonly orders: OrderReader;
  readonly views: ViewsClient;
  readonly favorites: FavoritesInMemory;
  readonly directory: Directory;
  readonly passwords: PasswordHasher;
  /** Who may act on whom. */
  readonly rights: UserRights;
  readonly callbacks: Callbacks;
  /** For routes that take an account where one is named, and do without where none is. */
  readonly resolveAccount: Authoriser['resolveAccount'];
  /** The platform's time zone. */
  readonly timeZone: string;
}
