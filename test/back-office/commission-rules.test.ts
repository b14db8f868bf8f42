import { beforeAll, describe, expect, it } from 'vitest';
import type { ApiClient } from '../support/api-client.ts';
import { orderOf, placed, type RefusalBody } from '../support/trading.ts';
import { useServer } from '../support/use-server.ts';
import { BACK_OFFICE, outcome, put } from './back-office.ts';

const PROFILES = `${BACK_OFFICE}/v2/commission-profiles`;
const RULES = `${PROFILES}/1/rules`;

const server = useServer();
let admin: ApiClient;
let support: ApiClient;
let alice: ApiClient;
let bob: ApiClient;

beforeAll(async () => {
  admin = await server().user('admin');
  support = await server().user('support');
  alice = await server().trader('alice');
  bob = await server().trader('bob');
  const majors = { marketGroup: { id: 'majors', name: 'Majors' } };
  await admin.patch(`${BACK_OFFICE}/v2/markets/spot.eth_usdt`, majors);
});

const fees = (size: string, minFeeRAT: string | null = null) => ({
  spot: { type: 'Percent', size },
  cfd: { assetId: null, type: 'Percent', size: '0.0005' },
  minFeeRAT,
});
const DEFAULT_FEES = {
  spot: { type: 'Percent', size: '0.001' },
  cfd: { assetId: null, type: 'Percent', size: '0.001' },
  minFeeRAT: null,
};

interface Rule {
  readonly commissionProfileRuleId: string;
  readonly priority: number;
}

const rules = async (path = RULES) => (await support.get<Rule[]>(path)).body;
/** `id:priority` of each rule, in order. */
const order = async () =>
  (await rules()).map((rule) => `${rule.commissionProfileRuleId}:${rule.priority}`).join(' ');

async function created(commissionProfileRule: object, priorities?: object[]): Promise<string> {
  const body = { commissionProfileRule, ...(priorities === undefined ? {} : { priorities }) };
  const answer = await admin.post<{ id: string }>(RULES, body);
  if (answer.status !== 201) throw new Error(`no rule: ${answer.status} ${answer.text}`);
  return answer.body.id;
}

/** What Alice as the maker and Bob as the taker pay for 0.01 btc at 30000: 300 usdt. */
async function paid(): Promise<string[]> {
  const maker = await placed(alice, { side: 'Sell', requestedPrice: '30000' });
  const taker = await placed(bob, { side: 'Buy', requestedPrice: '30000' });
  return [
    (await orderOf(alice, maker)).commissionAmount,
    (await orderOf(bob, taker)).commissionAmount,
  ];
}

describe('commission rules', () => {
  it('are the default rule alone in the beginning', async () => {
    expect(await rules()).toEqual([
      {
        commissionProfileRuleId: '1',
        priority: 1,
        isDefault: true,
        feeSettings: DEFAULT_FEES,
        marketId: null,
        marketName: null,
        marketGroupId: null,
        marketGroupName: null,
        commissionProfileId: '1',
        commissionProfileName: 'Default',
      },
    ]);
    expect(await paid()).toEqual(['0.3', '0.3']);
  });

  it('hold for orders from then on, through a restart, until they are removed', async () => {
    const before = await placed(alice, { side: 'Sell', requestedPrice: '30000' });
    const id = await created({
      marketId: 'spot.btc_usdt',
      feeSettings: fees('0.002', '1'),
      priority: 5,
    });
    expect(await rules()).toMatchObject([
      {
        commissionProfileRuleId: id,
        priority: 5,
        isDefault: false,
        marketId: 'spot.btc_usdt',
        marketName: 'BTC/USDT',
        marketGroupId: null,
        feeSettings: fees('0.002', '1'),
      },
      { isDefault: true, priority: 6 },
    ]);
    const taker = await placed(bob, { side: 'Buy', requestedPrice: '30000' });
    expect((await orderOf(alice, before)).commissionAmount).toBe('0.3');
    expect((await orderOf(bob, taker)).commissionAmount).toBe('1');
    const listed = await rules();
    await server().kill('SIGKILL');
    await server().restart();
    expect(await rules()).toEqual(listed);
    expect(await paid()).toEqual(['1', '1']);
    const changed = {
      commissionProfileRule: { marketId: 'spot.btc_usdt', feeSettings: fees('0') },
    };
    const answer = await put(admin, `${RULES}/${id}`, changed);
    expect([answer.status, answer.text]).toEqual([200, '']);
    expect(await paid()).toEqual(['0', '0']);
    const gone = await admin.del(`${RULES}/${id}`);
    expect([gone.status, gone.text]).toEqual([200, '']);
    expect(await order()).toBe('1:1');
    expect(await paid()).toEqual(['0.3', '0.3']);
  });

  it('show in what traders see of a market', async () => {
    const settings = async (marketId: string) =>
      (await alice.get<{ commissionSettings: object }>(`/frontoffice/api/v6/markets/${marketId}`))
        .body.commissionSettings;
    const id = await created({ marketGroupId: 'majors', feeSettings: fees('0.004', '2.5') });
    expect(await settings('spot.eth_usdt')).toEqual({
      type: 'Fixed',
      charge: {
        type: 'Percent',
        assetId: null,
        size: '0.004',
        tiers: null,
        minCommissionInRAT: '2.5',
      },
      dynamicCommissionGroupId: null,
    });
    expect(await settings('spot.btc_usdt')).toMatchObject({ charge: { size: '0.001' } });
    expect((await rules())[0]).toMatchObject({
      marketGroupId: 'majors',
      marketGroupName: 'Majors',
      marketId: null,
      marketName: null,
    });
    // The older settings show it as well, and change no rate that nobody would be charged.
    const legacy = `${BACK_OFFICE}/market/eth_usdt`;
    expect(outcome(await put(admin, legacy, { taker_fee: '0.003' }))).toBe('400 TR0600');
    expect((await put(admin, legacy, { taker_fee: '0.004' })).body).toMatchObject({
      maker_fee: '0.004',
      taker_fee: '0.004',
    });
    await admin.del(`${RULES}/${id}`);
    expect(await settings('spot.eth_usdt')).toMatchObject({ charge: { size: '0.001' } });
  });

  it('are put in another order, all at once', async () => {
    const a = await created({ marketId: 'spot.btc_usdt', feeSettings: fees('0.002') });
    const b = await created({ marketId: 'spot.eth_btc', feeSettings: fees('0.003'), priority: 1 }, [
      { commissionProfileRuleId: a, priority: 2 },
      { commissionProfileRuleId: null, priority: null },
    ]);
    expect(await order()).toBe(`${b}:1 ${a}:2 1:3`);
    const swapped = [
      { commissionProfileRuleId: a, priority: 1 },
      { commissionProfileRuleId: b, priority: 9 },
    ];
    const answer = await put(admin, `${RULES}/priorities`, swapped);
    expect([answer.status, answer.text]).toEqual([200, '']);
    expect(await order()).toBe(`${a}:1 ${b}:9 1:10`);
    for (const id of [a, b]) await admin.del(`${RULES}/${id}`);
  });

  it('of a market or a group, and the default rule changes only what it charges', async () => {
    const target = { marketId: null, marketGroupId: null };
    const rule = { ...target, feeSettings: fees('0.005') };
    expect((await put(admin, `${RULES}/1`, { commissionProfileRule: rule })).status).toBe(200);
    expect(await paid()).toEqual(['1.5', '1.5']);
    const back = { ...target, feeSettings: DEFAULT_FEES };
    await put(admin, `${RULES}/1`, { commissionProfileRule: back });
    const valid = await admin.post(`${RULES}/1/validate-update`, { commissionProfileRule: target });
    expect([valid.status, valid.text]).toEqual([200, '{}']);
  });
});

describe('a change of commission rules', () => {
  const rule = (more: object) => ({
    commissionProfileRule: { marketId: 'spot.eth_btc', feeSettings: fees('0.1'), ...more },
  });
  const target = (more: object) => ({ commissionProfileRule: more });
  const priority = (commissionProfileRuleId: unknown, value: unknown) => [
    { commissionProfileRuleId, priority: value },
  ];
  const noSpot = { ...fees('0.1'), spot: { type: 'FixPerLot', size: '1' } };
  const noSize = { ...fees('0.1'), cfd: { type: 'Percent' } };
  const inAsset = { ...fees('0.1'), cfd: { type: 'FixPerLot', size: '1', assetId: 'doge' } };
  const ofAsset = { ...fees('0.1'), cfd: { type: 'Percent', size: '1', assetId: 'btc' } };
  let id = '';

  beforeAll(async () => {
    id = await created({ marketId: 'spot.btc_usdt', feeSettings: fees('0.002'), priority: 1 });
    await created({ marketGroupId: 'majors', feeSettings: fees('0.002'), priority: 2 });
  });

  const own = (path: string) => path.replace('{id}', id);

  it.each<[string, 'POST' | 'PUT' | 'DELETE', string, unknown, string]>([
    ['both are named', 'POST', '', rule({ marketGroupId: 'majors' }), '400 TR0610'],
    ['nothing is named', 'POST', '', rule({ marketId: null }), '400 TR0610'],
    ['the market is unknown', 'POST', '', rule({ marketId: 'spot.x_y' }), '400 TR0300'],
    [
      'the group is unknown',
      'POST',
      '',
      rule({ marketId: null, marketGroupId: 'minors' }),
      '400 TR0701',
    ],
    ['its market has one', 'POST', '', rule({ marketId: 'spot.btc_usdt' }), '409 TR0611'],
    [
      'its group has one',
      'POST',
      '',
      rule({ marketId: null, marketGroupId: 'majors' }),
      '409 TR0611',
    ],
    ['its priority is taken', 'POST', '', rule({ priority: 2 }), '409 TR0612'],
    ['its priority is 0', 'POST', '', rule({ priority: 0 }), '400 TR0600'],
    ['its priority is no int32', 'POST', '', rule({ priority: 2 ** 31 }), '400 TR0015'],
    ['Spot is charged by the lot', 'POST', '', rule({ feeSettings: noSpot }), '400 TR0011'],
    ['a size is missing', 'POST', '', rule({ feeSettings: noSize }), '400 TR0008'],
    ['an asset is unknown', 'POST', '', rule({ feeSettings: inAsset }), '400 TR0500'],
    ['a fraction is of an asset', 'POST', '', rule({ feeSettings: ofAsset }), '400 TR0708'],
    ['more than all is charged', 'POST', '', rule({ feeSettings: fees('1.1') }), '400 TR0600'],
    ['less than nothing is charged', 'POST', '', rule({ feeSettings: fees('-0.1') }), '400 TR0600'],
    ['a size is too fine', 'POST', '', rule({ feeSettings: fees('1e-9') }), '400 TR0600'],
    ['a minimum is too fine', 'POST', '', rule({ feeSettings: fees('0', '1e-7') }), '400 TR0600'],
    ['a minimum is negative', 'POST', '', rule({ feeSettings: fees('0', '-1') }), '400 TR0600'],
    ['fees are missing', 'POST', '', rule({ feeSettings: null }), '400 TR0009'],
    ['another field is there', 'POST', '', { ...rule({}), colour: 'red' }, '400 TR0010'],
    [
      'others clash',
      'POST',
      '',
      { ...rule({ priority: 3 }), priorities: priority('{id}', 3) },
      '409 TR0612',
    ],
    ['the rule is unknown', 'PUT', '/99', rule({}), '404 TR0700'],
    ['the rule is no number', 'PUT', '/x', rule({}), '404 TR0700'],
    ['validation finds no number', 'POST', '/0/validate-update', target({}), '404 TR0700'],
    ['it is the default rule', 'PUT', '/1', rule({}), '409 TR0613'],
    [
      'another has its target',
      'PUT',
      '/{id}',
      rule({ marketId: null, marketGroupId: 'majors' }),
      '409 TR0611',
    ],
    ['the default rule goes', 'DELETE', '/1', undefined, '409 TR0613'],
    ['no rule goes', 'DELETE', '/99', undefined, '404 TR0700'],
    ['no number moves', 'PUT', '/priorities', priority('x', 1), '400 TR0012'],
    ['the default rule moves', 'PUT', '/priorities', priority('1', 1), '409 TR0613'],
    ['no rule moves', 'PUT', '/priorities', priority('99', 1), '400 TR0701'],
    ['null moves', 'PUT', '/priorities', priority(null, 1), '400 TR0701'],
    ['two have one priority', 'PUT', '/priorities', priority('{id}', 2), '409 TR0612'],
    ['priorities are no list', 'PUT', '/priorities', { priority: 1 }, '400 TR0009'],
    ['validation finds both', 'POST', '/{id}/validate-update', target({}), '400 TR0610'],
    [
      'validation finds another',
      'POST',
      '/{id}/validate-update',
      target({ marketGroupId: 'majors' }),
      '409 TR0611',
    ],
    [
      'validation finds no market',
      'POST',
      '/{id}/validate-update',
      target({ marketId: 'spot.x_y' }),
      '400 TR0300',
    ],
    [
      'validation finds no rule',
      'POST',
      '/99/validate-update',
      target({ marketId: 'spot.eth_btc' }),
      '404 TR0700',
    ],
    ['validation finds the default rule', 'POST', '/1/validate-delete', undefined, '409 TR0613'],
    ['validation finds no rule to remove', 'POST', '/99/validate-delete', undefined, '404 TR0700'],
  ])('is refused where %s', async (_, method, path, body, expected) => {
    const before = await support.get(RULES);
    const sent = body === undefined ? undefined : JSON.parse(own(JSON.stringify(body)));
    expect(outcome(await admin.send(method, own(`${RULES}${path}`), sent))).toBe(expected);
    expect((await support.get(RULES)).text).toBe(before.text);
  });

  it.each([
    ['spot.size', { ...DEFAULT_FEES, spot: { type: 'Percent', size: '2' } }, '2'],
    ['cfd.size', { ...DEFAULT_FEES, cfd: { type: 'FixPerLot', size: '1e7' } }, '1e7'],
    ['minFeeRAT', { ...DEFAULT_FEES, minFeeRAT: '99999999999999' }, '99999999999999'],
    ['spot.size', { ...DEFAULT_FEES, spot: { type: 'Percent', size: '-1' } }, '-1'],
  ])('is refused with its %s as it was sent', async (field, feeSettings, value) => {
    const commissionProfileRule = { marketId: 'spot.eth_btc', feeSettings };
    const { body } = await admin.post<RefusalBody>(RULES, { commissionProfileRule });
    const named = `commissionProfileRule.feeSettings.${field} ${value} is not allowed`;
    expect(body.description).toContain(named);
  });

  it('never has a priority that leaves no room for those behind it', async () => {
    const most = rule({ priority: 2_000_000_000 });
    const last = await created(most.commissionProfileRule);
    const behind = (await rules()).at(-1)?.priority;
    expect(behind).toBe(2_000_000_001);
    await admin.del(`${RULES}/${last}`);
    const beyond = rule({ priority: 2_000_000_001 });
    expect(outcome(await admin.post(RULES, beyond))).toBe('400 TR0015');
  });

  it('is named as it was asked for, where there is none', async () => {
    const ids = ['x', '0', '99', '1e1', '99999999999999999999'];
    for (const id of ids) {
      const answer = await admin.del<{ description: string }>(`${RULES}/${id}`);
      expect(answer.body.description).toBe(
        `commissionProfileRuleId ${id} names nothing that exists.`,
      );
    }
    const other = await support.get<{ description: string }>(RULES.replace('/1/', '/x/'));
    expect(other.body.description).toBe('commissionProfileId x names nothing that exists.');
  });

  it('may be asked about beforehand', async () => {
    const answers = [
      await admin.post(own(`${RULES}/{id}/validate-update`), target({ marketId: 'spot.btc_usdt' })),
      await admin.post(own(`${RULES}/{id}/validate-update`), target({ marketId: 'spot.eth_btc' })),
      await admin.post(own(`${RULES}/{id}/validate-delete`)),
    ];
    expect(answers.map(({ status, text }) => `${status} ${text}`)).toEqual(
      answers.map(() => '200 {}'),
    );
  });

  it('is for whoever manages them, of a profile that there is', async () => {
    const body = rule({});
    const missing = `${PROFILES}/9/rules`;
    expect(outcome(await support.post(RULES, body))).toBe('403 TR0101');
    expect(outcome(await alice.get(RULES))).toBe('403 TR0101');
    expect(outcome(await support.get(missing))).toBe('404 TR0700');
    expect(outcome(await admin.post(missing, body))).toBe('404 TR0700');
    expect(outcome(await put(admin, `${missing}/1`, body))).toBe('404 TR0700');
    expect(outcome(await put(admin, `${missing}/priorities`, []))).toBe('404 TR0700');
    expect(outcome(await admin.del(`${missing}/1`))).toBe('404 TR0700');
    expect(outcome(await admin.post(`${missing}/1/validate-delete`))).toBe('404 TR0700');
    const asked = target({ marketId: 'spot.eth_btc' });
    expect(outcome(await admin.post(`${missing}/1/validate-update`, asked))).toBe('404 TR0700');
  });
});
