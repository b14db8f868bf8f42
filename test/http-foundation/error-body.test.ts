import { describe, expect, test } from 'vitest';
import { Refusals } from '../../core/messages/refusals.ts';
import { errorBody } from '../../gateway/http/error-body.ts';
import { refuse } from '../../gateway/http/refused.ts';
import type { Area } from '../../gateway/http/route.ts';

const refused = refuse(Refusals.AmountTooSmall, { field: 'amount', value: '1', limit: '2' });
const message = 'amount 1 is below the minimum 2.';

function body(area: Area, of = refused): unknown {
  return JSON.parse(errorBody(area, of));
}

describe('the body of a refusal', () => {
  test('has code and description in the trading, guest and operations areas', () => {
    const expected = { code: 'TR0209', description: message };
    expect(body('trading')).toEqual(expected);
    expect(body('public')).toEqual(expected);
    expect(body('operations')).toEqual(expected);
  });

  test('has an error with the name of its status and a list of details in the identity area', () => {
    expect(body('identity')).toEqual({
      error: { message: 'Bad Request', code: 209, details: [{ issue: message, field: 'amount' }] },
    });
    const messages = [Refusals.Unauthorised, Refusals.TooManyRequests, Refusals.Overloaded].map(
      (refusal) =>
        (body('identity', refuse(refusal)) as { error: { message: string } }).error.message,
    );
    expect(messages).toEqual(['Unauthorized', 'Too Many Requests', 'Service Unavailable']);
  });

  test('has a message and messages by property in the partner area', () => {
    expect(body('partner')).toEqual({ message, errors: { amount: [message] } });
    expect(body('partner', refuse(Refusals.Overloaded))).toEqual({
      message: 'The venue is busy; try again in a moment.',
      errors: {},
    });
  });

  test('has message, code, errors and details in the export area', () => {
    expect(body('export')).toEqual({
      message,
      code: 'TR0209',
      errors: { amount: [message] },
      details: [{ field: 'amount', issue: message }],
    });
  });

  test('has a list of errors in the signed area', () => {
    expect(body('signed')).toEqual({ errors: [{ code: 'TR0209', message }] });
  });

  test('shows at most 64 characters of what came', () => {
    const long = refuse(Refusals.MarketUnknown, { value: 'x'.repeat(5000) });
    expect(body('trading', long)).toEqual({
      code: 'TR0300',
      description: `There is no market ${'x'.repeat(64)}….`,
    });
  });

  test('takes what came literally, placeholders included', () => {
    const sly = refuse(Refusals.MarketUnknown, { value: '{limit}$&', limit: 'secret' });
    expect(body('trading', sly)).toEqual({
      code: 'TR0300',
      description: 'There is no market {limit}$&.',
    });
  });
});
