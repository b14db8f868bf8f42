import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addressPrefix } from '../../gateway/http/address-prefix.ts';
import { AttemptLimiter } from '../../gateway/identity/attempt-limiter.ts';

const { SEED } = process.env;
const seed = Number(SEED ?? Math.floor(Math.random() * 2 ** 31));

describe('the attempt limiter', () => {
  test('allows a burst, then one attempt an interval, and says how long to wait', () => {
    const limiter = new AttemptLimiter({ burst: 3, intervalMs: 1_000 });
    expect([1, 2, 3].map(() => limiter.take('a', 0))).toEqual([0, 0, 0]);
    expect(limiter.take('a', 0)).toBe(1_000);
    expect(limiter.take('a', 400)).toBe(600);
    expect(limiter.take('a', 1_000)).toBe(0);
    expect(limiter.take('a', 1_000)).toBe(1_000);
    expect(limiter.take('b', 1_000)).toBe(0);
  });

  test('an attempt that is given back was never made', () => {
    const limiter = new AttemptLimiter({ burst: 1, intervalMs: 1_000 });
    expect(limiter.take('a', 0)).toBe(0);
    limiter.giveBack('a');
    expect(limiter.take('a', 0)).toBe(0);
    expect(limiter.take('a', 0)).toBe(1_000);
  });

  test('the table stays bounded and drops the key that was used least recently', () => {
    const limiter = new AttemptLimiter({ burst: 1, intervalMs: 1_000 }, 2);
    limiter.take('a', 0);
    limiter.take('b', 1);
    limiter.giveBack('a');
    limiter.take('c', 2);
    expect(limiter.take('b', 2)).toBe(0);
    expect(limiter.take('c', 2)).toBeGreaterThan(0);
  });

  test(`never lets more through than burst and time allow (SEED=${seed})`, () => {
    const property = fc.property(
      fc.integer({ min: 1, max: 5 }),
      fc.array(fc.integer({ min: 0, max: 500 }), { maxLength: 60 }),
      (burst, pauses) => {
        const limiter = new AttemptLimiter({ burst, intervalMs: 100 });
        let now = 0;
        const passed: number[] = [];
        for (const pause of pauses) {
          now += pause;
          if (limiter.take('a', now) === 0) passed.push(now);
        }
        for (const [index, from] of passed.entries()) {
          const within = passed.slice(index).map((time, count) => ({ time, count: count + 1 }));
          for (const { time, count } of within) {
            expect(count).toBeLessThanOrEqual(burst + Math.floor((time - from) / 100));
          }
        }
      },
    );
    fc.assert(property, { seed });
  });
});

describe('the prefix that callers are counted by', () => {
  test.each([
    ['192.0.2.7', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['0:0:0:0:0:ffff:192.0.2.7', '192.0.2.7'],
    ['0000:0000:0000:0000:0000:ffff:192.0.2.7', '192.0.2.7'],
    ['0000:0000:0000:0000:0000:ffff:c000:0207', '192.0.2.7'],
    ['::ffff:c000:207', '192.0.2.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:0db8:0001:0002:ffff::1', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['', ''],
  ])('of %s is %s', (address, prefix) => {
    expect(addressPrefix(address)).toBe(prefix);
  });
});
