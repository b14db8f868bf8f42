import { formatUnits } from '../../../core/fixed-point/index.ts';
import type { MarginSettings } from '../../../core/messages/configuration.ts';
import { Refusals } from '../../../core/messages/refusals.ts';
import { Refused, refuse } from '../../http/refused.ts';
import { type Route, route } from '../../http/route.ts';
import type { RouteContext } from '../context.ts';
import { InTurn } from './in-turn.ts';
import { VenueMargin, VenueMarginChange } from './margin-schemas.ts';
import { unitsOf } from './units.ts';

const PATH = '/back-api/backoffice/v2/margin-settings';
/** Margin levels count in 10^-4. */
const LEVEL_SCALE = 4;
const LEVEL_MAX = 10 ** (LEVEL_SCALE + 2);

/** At which margin levels the venue warns and closes. */
export function venueMarginRoutes(context: RouteContext): Route[] {
  return [readSettings(context), changeSettings(context)];
}

function readSettings({ venue }: RouteContext): Route {
  return route({
    method: 'GET',
    path: PATH,
    area: 'trading',
    operation: 'view-common',
    extension: true,
    summary: 'The margin levels of the venue, and whether it covers negative balances.',
    responses: { 200: VenueMargin },
    handler: () => settingsForm(venue.reference.marginSettings),
  });
}

function changeSettings({ venue }: RouteContext): Route {
  const { reference } = venue;
  const inTurn = new InTurn();
  return route({
    method: 'PUT',
    path: PATH,
    area: 'trading',
    operation: 'manage-markets',
    extension: true,
    summary: 'Changes what is sent of the margin levels; accounts are judged by them at once.',
    body: VenueMarginChange,
    responses: { 200: VenueMargin },
    handler: ({ body, now }) =>
      inTurn.run(async () => {
        const known = reference.marginSettings;
        const marginCall = levelOf(body.marginCall, known.marginCall, 'marginCall');
        if (marginCall instanceof Refused) return marginCall;
        const stopOut = levelOf(body.stopOut, known.stopOut, 'stopOut');
        if (stopOut instanceof Refused) return stopOut;
        if (stopOut > marginCall) {
          const limit = `not above marginCall, ${formatUnits(marginCall, LEVEL_SCALE)}`;
          const value = formatUnits(stopOut, LEVEL_SCALE);
          return refuse(Refusals.ConfigurationInvalid, { field: 'stopOut', value, limit });
        }
        const { negativeBalanceProtection = known.negativeBalanceProtection } = body;
        const settings = { marginCall, stopOut, negativeBalanceProtection };
        const answer = await venue.cold(now, { type: 'SetMarginSettings', settings });
        return answer instanceof Refused ? answer : settingsForm(reference.marginSettings);
      }),
  });
}

function levelOf(text: string | undefined, known: number, field: string): number | Refused {
  if (text === undefined) return known;
  const level = unitsOf(text, LEVEL_SCALE, field);
  if (level instanceof Refused || level <= LEVEL_MAX) return level;
  const limit = `0 to ${formatUnits(LEVEL_MAX, LEVEL_SCALE)}`;
  return refuse(Refusals.ConfigurationInvalid, { field, value: text, limit });
}

function settingsForm({ marginCall, stopOut, negativeBalanceProtection }: MarginSettings) {
  return {
    marginCall: formatUnits(marginCall, LEVEL_SCALE),
    stopOut: formatUnits(stopOut, LEVEL_SCALE),
    negativeBalanceProtection,
  };
}
