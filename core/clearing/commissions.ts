import {
  type ChargedMarket,
  CommissionSchedule,
  type MarketCharge,
} from './commission-schedule.ts';
import { TradedVolumes } from './commission-volumes.ts';

/** What an order that is admitted now is charged, as it was configured: nothing is converted yet. */
export interface CommissionTerms {
  /** Of notional in 10^-8; 0 for a charge by the lot. Always what a Spot order is charged. */
  readonly rate: number;
  /** The same of what a Spot order trades as a maker. */
  readonly makerRate: number;
  /** Of one `assetId` (null: the root asset) a lot in 10^-8; 0 for a charge on notional. */
  readonly perLot: number;
  readonly assetId: string | null;
  /** Root units that an order with any fill pays at least. */
  readonly minimum: bigint;
}

/** What was looked up for one market and profile: the terms of each tier, or the only ones. */
interface Looked {
  readonly revision: number;
  readonly configuration: ChargedMarket['configuration'];
  readonly terms: readonly CommissionTerms[];
  readonly minVolumes: readonly bigint[];
}

/** The commissions as clearing has them: the schedule, and the volumes that choose a tier in it. */
export class Commissions {
  readonly schedule = new CommissionSchedule();
  readonly volumes = new TradedVolumes();
  /** By profile, then by market. */
  private readonly looked: (Looked | undefined)[][] = [];

  /** What an order of this account in this market is charged, if it were admitted now. */
  termsOf(market: ChargedMarket, account: number): CommissionTerms {
    const { terms, minVolumes } = this.look(market, account);
    if (terms.length === 1) return terms[0] as CommissionTerms;
    const volume = this.volumes.of(account);
    let tier = terms.length - 1;
    while (tier > 0 && volume < (minVolumes[tier] as bigint)) tier--;
    return terms[tier] as CommissionTerms;
  }

  private look(market: ChargedMarket, account: number): Looked {
    const { schedule } = this;
    const profile = schedule.profileOf(account);
    this.looked[profile.profileId] ??= [];
    const ofProfile = this.looked[profile.profileId] as (Looked | undefined)[];
    const known = ofProfile[market.index];
    const { revision } = schedule;
    const { configuration } = market;
    if (known?.revision === revision && known.configuration === configuration) return known;
    const charge = schedule.chargeOf(market, profile);
    const looked = { revision, configuration, ...tiersOf(charge) };
    ofProfile[market.index] = looked;
    return looked;
  }
}

function tiersOf(charge: MarketCharge): Pick<Looked, 'terms' | 'minVolumes'> {
  if (charge.type === 'Fixed') {
    const { type, size, assetId } = charge.charge;
    const terms = termsWith(type, size, charge.makerSize, assetId, charge.minimum);
    return { terms: [terms], minVolumes: [0n] };
  }
  const { type, assetId, minimum, tiers } = charge.group;
  return {
    terms: tiers.map(({ size, makerSize }) => termsWith(type, size, makerSize, assetId, minimum)),
    minVolumes: tiers.map(({ minTradingVolume }) => minTradingVolume),
  };
}

function termsWith(
  type: 'Percent' | 'FixPerLot',
  size: number,
  makerSize: number,
  assetId: string | null,
  minimum: bigint,
): CommissionTerms {
  return type === 'Percent'
    ? { rate: size, makerRate: makerSize, perLot: 0, assetId: null, minimum }
    : { rate: 0, makerRate: 0, perLot: size, assetId, minimum };
}
