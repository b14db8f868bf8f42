import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { RateLimiter, rateLimitHeaders } from '../../gateway/http/rate-limiter.ts';
import { seed } from './support/seed.ts';

describe('the rate limiter', () => {
  test('lets a burst through, then one request each interval', () => {
    const limiter = new RateLimiter({ perSecond: 10, burst: 3 });
    expect([0, 0, 0].map(() => limiter.take('a', 1000))).toEqual([0, 0, 0]);
    expect(limiter.take('a', 1000)).toBe(100);
    expect(limiter.take('a', 1099)).toBe(1);
    expect(limiter.take('a', 1100)).toBe(0);
    expect(limiter.take('a', 1100)).toBe(100);
  });

  test('gives the whole burst back after a pause, and no more', () => {
    const limiter = new RateLimiter({ perSecond: 10, burst: 2 });
    limiter.take('a', 0);
    limiter.take('a', 0);
    expect(limiter.take('a', 60_000)).toBe(0);
    expect(limiter.take('a', 60_000)).toBe(0);
    expect(limiter.take('a', 60_000)).toBeGreaterThan(0);
  });

  test('keeps callers apart', () => {
    const limiter = new RateLimiter({ perSecond: 1, burst: 1 });
    expect(limiter.take('a', 0)).toBe(0);
    expect(limiter.take('b', 0)).toBe(0);
    expect(limiter.take('a', 0)).toBe(1000);
  });

  test('never lets more through than the burst plus the rate, whatever the arrivals', () => {
    const gaps = fc.array(fc.integer({ min: 0, max: 300 }), { maxLength: 200 });
    const run = fc.property(gaps, fc.integer({ min: 1, max: 20 }), (steps, burst) => {
      const perSecond = 10;
      const limiter = new RateLimiter({ perSecond, burst });
      let now = 0;
      let passed = 0;
      for (const gap of steps) {
        now += gap;
        const wait = limiter.take('a', now);
        if (wait === 0) passed++;
        expect(passed).toBeLessThanOrEqual(burst + Math.floor((now * perSecond) / 1000));
      }
    });
    fc.assert(run, { seed, numRuns: 500 });
  });

  test('a refused caller that waits as told gets through', () => {
    const gaps = fc.array(fc.integer({ min: 0, max: 50 }), { maxLength: 50 });
    const run = fc.property(gaps, (steps) => {
      const limiter = new RateLimiter({ perSecond: 50, burst: 2 });
      let now = 0;
      for (const gap of steps) {
        now += gap;
        const wait = limiter.take('a', now);
        if (wait > 0) {
          now += wait;
          expect(limiter.take('a', now)).toBe(0);
        }
      }
    });
    fc.assert(run, { seed, numRuns: 500 });
  });

  test('its table never grows beyond its bound, and whole budgets go first', () => {
    const limiter = new RateLimiter({ perSecond: 1, burst: 1 }, 100);
    for (let caller = 0; caller < 10_000; caller++) limiter.take(`caller ${caller}`, caller);
    expect(limiter.size).toBeLessThanOrEqual(100);
    expect(limiter.take('caller 9999', 9999)).toBeGreaterThan(0);
  });

  test('says in its headers when to come back', () => {
    expect(rateLimitHeaders({ perSecond: 10, burst: 50 }, 1200)).toEqual({
      'ratelimit-policy': '"default";q=50;w=5',
      ratelimit: '"default";r=0;t=2',
    });
  });

  test('counts down what is left, and up again as time passes', () => {
    const limiter = new RateLimiter({ perSecond: 10, burst: 3 });
    const left = (now: number) => [limiter.remaining('a', now), limiter.untilFull('a', now)];
    expect(left(1000)).toEqual([3, 0]);
    const taken = [1, 2, 3, 4].map(() => {
      limiter.take('a', 1000);
      return left(1000);
    });
    expect(taken).toEqual([
      [2, 100],
      [1, 200],
      [0, 300],
      [0, 300],
    ]);
    expect(left(1099)).toEqual([0, 201]);
    expect(left(1100)).toEqual([1, 200]);
    expect(left(1300)).toEqual([3, 0]);
  });

  test('lets exactly as many requests through at once as it says are left', () => {
    const steps = fc.array(fc.integer({ min: 0, max: 300 }), { maxLength: 50 });
    const run = fc.property(steps, fc.integer({ min: 1, max: 9 }), (gaps, burst) => {
      const limiter = new RateLimiter({ perSecond: 8, burst });
      let now = 0;
      for (const gap of gaps) {
        now += gap;
        limiter.take('a', now);
      }
      const left = limiter.remaining('a', now);
      for (let each = 0; each < left; each++) expect(limiter.take('a', now)).toBe(0);
      expect(limiter.take('a', now)).toBeGreaterThan(0);
    });
    fc.assert(run, { seed, numRuns: 300 });
  });
});
