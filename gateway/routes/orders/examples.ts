/** Bodies that the API document shows: orders that the demo venue takes as they are. */

const spotOrder = {
  marketId: 'spot.btc_usdt',
  side: 'Buy',
  orderType: 'Limit',
  timeInForce: 'Gtc',
  requestedAmount: '0.01',
  requestedPrice: '65000',
};

export const SPOT_ORDER_EXAMPLE = { order: { ...spotOrder, comment: 'opened by hand' } };
export const SPOT_STOP_ORDER_EXAMPLE = { order: { ...spotOrder, activationPrice: '64900' } };
export const SPOT_PREVIEW_EXAMPLE = { order: spotOrder };

const lots = {
  Cfd: {
    marketId: 'cfd.eur_usdt',
    side: 'Buy',
    orderType: 'Limit',
    requestedLotAmount: '0.05',
    requestedPrice: '1.08',
    leverage: 50,
  },
  Perp: {
    marketId: 'perp.btc_usdt',
    side: 'Buy',
    orderType: 'Limit',
    requestedLotAmount: '0.01',
    requestedPrice: '65000',
    leverage: 20,
  },
} as const;
type MarginType = keyof typeof lots;

const triggers = {
  Cfd: { takeProfit: '1.12', stopLoss: '1.05', activationPrice: '1.079' },
  Perp: { takeProfit: '72000', stopLoss: '61000', activationPrice: '64900' },
} as const;

export function marginOrderExample(type: MarginType) {
  const { takeProfit, stopLoss } = triggers[type];
  return {
    order: {
      ...lots[type],
      timeInForce: 'Gtc',
      takeProfit: { price: takeProfit },
      stopLoss: { price: stopLoss, isTrailing: true },
      comment: 'opened by hand',
    },
  };
}

export function marginStopOrderExample(type: MarginType) {
  const { order } = marginOrderExample(type);
  return { order: { ...order, activationPrice: triggers[type].activationPrice } };
}

export function marginPreviewExample(type: MarginType) {
  const { takeProfit, stopLoss } = triggers[type];
  return {
    order: {
      ...lots[type],
      takeProfit: { triggerType: 'Price', triggerSize: takeProfit },
      stopLoss: { triggerType: 'Price', triggerSize: stopLoss, isTrailing: false },
    },
  };
}
