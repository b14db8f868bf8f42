import type { OrderReader } from '../venue/order-reader.ts';
import type { Venue } from '../venue/venue.ts';

/** What the routes of the trading interface work with. */
export interface RouteContext {
  readonly venue: Venue;
  readonly orders: OrderReader;
  /** The platform's time zone. */
  readonly timeZone: string;
}
