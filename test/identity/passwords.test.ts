import { hash } from '@node-rs/argon2';
import { describe, expect, test } from 'vitest';
import { BoundedGate, GateFullError } from '../../gateway/identity/bounded-gate.ts';
import { createPasswordHasher } from '../../gateway/identity/password-hasher.ts';
import { CHEAP_HASH } from './support/identity-fixture.ts';

describe('password hashing', () => {
  test('the default is argon2id at the cost that OWASP names', async () => {
    const hasher = await createPasswordHasher();
    expect(await hasher.hash('Matchbox-1!')).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  });

  test('a password matches its own hash and no other, and two hashes of it differ', async () => {
    const hasher = await createPasswordHasher({ parameters: CHEAP_HASH });
    const stored = await hasher.hash('correct horse');
    expect(await hasher.verify('correct horse', stored)).toEqual({ matches: true });
    expect(await hasher.verify('correct horsE', stored)).toEqual({ matches: false });
    expect(await hasher.hash('correct horse')).not.toBe(stored);
  });

  test('an unknown user never matches, not even with the stand-in password', async () => {
    const hasher = await createPasswordHasher({ parameters: CHEAP_HASH });
    expect(await hasher.verify('nobody has this password', null)).toEqual({ matches: false });
  });

  test('composed and decomposed characters are the same password', async () => {
    const hasher = await createPasswordHasher({ parameters: CHEAP_HASH });
    const stored = await hasher.hash('Zu\u0308rich');
    expect(await hasher.verify('Z\u00fcrich', stored)).toEqual({ matches: true });
  });

  test('a hash of another cost still matches and is renewed at the current one', async () => {
    const hasher = await createPasswordHasher({ parameters: CHEAP_HASH });
    const stored = await hash('secret', { memoryCost: 16, timeCost: 1, parallelism: 1 });
    const verification = await hasher.verify('secret', stored);
    expect(verification.matches).toBe(true);
    expect(verification.rehashed).toMatch(/\$m=8,t=1,p=1\$/);
    expect(await hasher.verify('secret', verification.rehashed ?? '')).toEqual({ matches: true });
    expect(await hasher.verify('wrong', stored)).toEqual({ matches: false });
  });

  test.each([
    ['', false],
    ['x', true],
    ['x'.repeat(1_024), true],
    ['x'.repeat(1_025), false],
    ['ü'.repeat(513), false],
  ])('lengths of 1 to 1,024 bytes are taken (case %#)', async (password, isFit) => {
    const hasher = await createPasswordHasher({ parameters: CHEAP_HASH });
    if (isFit) {
      expect(await hasher.verify(password, await hasher.hash(password))).toEqual({ matches: true });
    } else {
      await expect(hasher.hash(password)).rejects.toThrow(RangeError);
      expect(await hasher.verify(password, null)).toEqual({ matches: false });
    }
  });

  test('sign-ins beyond those that run and wait are refused at once', async () => {
    const hasher = await createPasswordHasher({ parameters: CHEAP_HASH, running: 1, waiting: 3 });
    const outcomes = await Promise.allSettled(
      Array.from({ length: 10 }, () => hasher.verify('x', null)),
    );
    expect(outcomes.map(({ status }) => status)).toEqual([
      ...new Array(4).fill('fulfilled'),
      ...new Array(6).fill('rejected'),
    ]);
    expect(await hasher.verify('x', null)).toEqual({ matches: false });
  });

  test('the main thread goes on while a hash is computed', async () => {
    const hasher = await createPasswordHasher();
    let turns = 0;
    let isDone = false;
    const hashing = hasher.hash('x').then(() => {
      isDone = true;
    });
    while (!isDone) {
      await new Promise((resolve) => setImmediate(resolve));
      turns += 1;
    }
    await hashing;
    expect(turns).toBeGreaterThan(10);
  });
});

describe('the gate', () => {
  test('lets jobs in, in order, and never more than it may', async () => {
    const gate = new BoundedGate({ running: 2, waiting: 10 });
    const started: number[] = [];
    let running = 0;
    let runningMost = 0;
    const job = (id: number) => async () => {
      started.push(id);
      running += 1;
      runningMost = Math.max(runningMost, running);
      await new Promise((resolve) => setImmediate(resolve));
      running -= 1;
    };
    await Promise.all(Array.from({ length: 12 }, (_, id) => gate.run(job(id))));
    expect(started).toEqual(Array.from({ length: 12 }, (_, id) => id));
    expect(runningMost).toBe(2);
  });

  test('a job that fails gives its place on', async () => {
    const gate = new BoundedGate({ running: 1, waiting: 1 });
    const failing = gate.run(async () => {
      throw new Error('broken');
    });
    const waiting = gate.run(async () => 'fine');
    await expect(gate.run(async () => 'too many')).rejects.toThrow(GateFullError);
    await expect(failing).rejects.toThrow('broken');
    expect(await waiting).toBe('fine');
    expect(await gate.run(async () => 'again')).toBe('again');
  });
});
