import { type OrderTable, timeInForceOf } from '../../core/clearing/order-table.ts';
import { decodeCold } from '../../core/messages/codec.ts';
import type { Transfer } from '../../core/messages/cold-events.ts';
import {
  ORDER_SOURCES,
  ORDER_STATUSES,
  REASONS,
  TIMES_IN_FORCE,
} from '../../core/messages/enums.ts';
import { refusalByCode, refusalCode } from '../../core/messages/refusals.ts';
import type { Answer, VenueEvent } from '../clearing/records.ts';
import type { Rig } from '../clearing/rig.ts';
import { remainingOf } from './naive-market.ts';
import type { NaiveVenue } from './naive-venue.ts';

/** How the model would say what the venue answered. */
export function answerText(answer: Answer | undefined): string {
  if (answer === undefined) return 'nothing';
  switch (answer.record) {
    case 'OrderPlaced':
      return `${answer.replayed === 1 ? 'replayed' : 'placed'} ${answer.orderId}`;
    case 'Refused':
      return refusalCode(refusalByCode(answer.code));
    case 'OrdersCancelled':
      return `cancelled ${answer.count}`;
    case 'OrderState': {
      const { orderId, remaining, quantity, price, tradedNotional, commission } = answer;
      const amounts = `${remaining}/${quantity}@${price} ${tradedNotional} ${commission}`;
      return `state ${orderId} ${ORDER_STATUSES[answer.status]} ${amounts}`;
    }
    case 'ColdAnswer': {
      const { transfer } = decodeCold<{ transfer?: Transfer }>(answer.payload);
      return transfer === undefined ? 'done' : `transfer ${transfer.transferId}`;
    }
    default:
      return answer.record;
  }
}

/** How the model would say what happened; undefined for what it does not tell of. */
export function eventText(event: VenueEvent): string | undefined {
  switch (event.record) {
    case 'OrdersTraded': {
      const { executionId, takerOrderId, makerOrderId, quantity, price } = event;
      const { buyerDebit, sellerCredit, takerFee, makerFee } = event;
      const trade = `${executionId} ${takerOrderId}/${makerOrderId} ${quantity}@${price}`;
      return `${trade} ${buyerDebit} ${sellerCredit} ${takerFee} ${makerFee}`;
    }
    case 'OrderClosed': {
      const { orderId, status, reason, source, remaining } = event;
      const why = `${ORDER_STATUSES[status]} ${REASONS[reason]} ${ORDER_SOURCES[source]}`;
      return `closed ${orderId} ${why} ${remaining}`;
    }
    case 'OrderAmended':
      return `amended ${event.orderId} ${event.remaining}@${event.price}`;
    default:
      return undefined;
  }
}

/** Everything that clearing keeps of money and open orders, as text. */
export function venueText(rig: Rig): string {
  const { state } = rig;
  const lines: string[] = [];
  state.ledger.forEach((account, asset, total, held) => {
    if (total !== 0n || held !== 0n) lines.push(`${account} ${asset} ${total} ${held}`);
  });
  for (const market of state.markets) {
    const { orders } = market;
    lines.push(`last ${market.lastPrice} ${market.bestBid} ${market.bestAsk}`);
    const slots = [...orders.slotsByPriority()];
    const retries = (slot: number) => timeInForceAt(orders, slot) === 'Retry';
    for (const slot of [...slots.filter((each) => !retries(each)), ...slots.filter(retries)]) {
      const timeInForce = timeInForceAt(orders, slot);
      lines.push(
        `${orders.orderIds[slot]} ${orders.accounts[slot]} ${timeInForce} ` +
          `${orders.remainings[slot]}/${orders.quantities[slot]}@${orders.prices[slot]} ` +
          `${orders.tradedNotionals[slot]} ${orders.commissions[slot]} ${orders.holds[slot]}`,
      );
    }
  }
  return sortedBalances(lines);
}

function timeInForceAt(orders: OrderTable, slot: number): string | undefined {
  return TIMES_IN_FORCE[timeInForceOf(orders.traits[slot] as number)];
}

/** The same of the model. */
export function modelText(model: NaiveVenue, assets: number): string {
  const lines: string[] = [];
  for (let account = 0; account < model.statuses.length; account++) {
    for (let asset = 0; asset < assets; asset++) {
      const total = model.matching.total(account, asset);
      const held = model.held(account, asset);
      if (total !== 0n || held !== 0n) lines.push(`${account} ${asset} ${total} ${held}`);
    }
  }
  for (const market of model.markets) {
    lines.push(`last ${market.lastPrice} ${market.best('Sell')} ${market.best('Buy')}`);
    for (const order of [...market.resting, ...market.waiting]) {
      const { id, account, timeInForce, amount, limit, trades, commission } = order;
      const traded = trades.reduce((sum, trade) => sum + trade.price * trade.amount, 0);
      lines.push(
        `${id} ${account} ${timeInForce} ${remainingOf(order)}/${amount}@${limit} ` +
          `${traded} ${commission} ${market.holdOf(order)}`,
      );
    }
  }
  return sortedBalances(lines);
}

/** Ledger entries come in the order in which they were opened, the rest in a meaningful one. */
function sortedBalances(lines: string[]): string {
  const first = lines.findIndex((line) => line.startsWith('last'));
  return [...lines.slice(0, first).sort(), ...lines.slice(first)].join('\n');
}
