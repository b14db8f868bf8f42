import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  formatDecimal,
  formatQuotient,
  formatUnits,
  MAX_UNITS,
  NEGATIVE,
  NOT_A_DECIMAL,
  OFF_STEP,
  parseDecimal,
  parseUnits,
  TOO_LARGE,
  toUnits,
} from '../../../core/fixed-point/index.ts';
import { seed } from '../../support/seed.ts';
import { type Rational, rational, sameValue } from './rational.ts';

const options = { seed, numRuns: 2_000 };

/** Texts of decimals of every accepted form, with their value by other means than the code's. */
const written = fc
  .record({
    sign: fc.constantFrom('', '-', '+'),
    zeros: fc.constantFrom('', '0', '000'),
    whole: fc.bigInt({ min: 0n, max: 10n ** 22n }),
    fraction: fc.option(fc.stringMatching(/^[0-9]{1,20}$/), { nil: undefined }),
    exponent: fc.option(fc.integer({ min: -30, max: 30 }), { nil: undefined }),
    letter: fc.constantFrom('e', 'E', 'e+'),
  })
  .map(({ sign, zeros, whole, fraction, exponent, letter }) => {
    const point = fraction === undefined ? '' : `.${fraction}`;
    const mark = exponent !== undefined && exponent < 0 ? 'e' : letter;
    const tail = exponent === undefined ? '' : `${mark}${exponent}`;
    const digits = BigInt(`${whole}${fraction ?? ''}`);
    const shift = (exponent ?? 0) - (fraction?.length ?? 0);
    const signed = sign === '-' ? -digits : digits;
    return { text: `${sign}${zeros}${whole}${point}${tail}`, value: rational(signed, shift) };
  });

describe(`decimals, SEED=${seed}`, () => {
  it.each([
    ['0', '0'],
    ['-0', '0'],
    ['-0.000', '0'],
    ['0.10', '0.1'],
    ['12.00', '12'],
    ['007.5', '7.5'],
    ['+3', '3'],
    ['-3.05', '-3.05'],
    ['9e-05', '0.00009'],
    ['1E3', '1000'],
    ['1.25e+2', '125'],
    ['0e400', '0'],
  ])('read %s as %s', (text, canonical) => {
    const decimal = parseDecimal(text);
    expect(decimal === undefined ? decimal : formatDecimal(decimal)).toBe(canonical);
  });

  it.each([
    '',
    ' ',
    ' 1',
    '1 ',
    '1\n',
    '.',
    '.5',
    '1.',
    '-',
    '+-1',
    '--1',
    '1..2',
    '1.2.3',
    'e5',
    '1e',
    '1e+',
    '1e1.5',
    '1e1000',
    '1e401',
    'NaN',
    'Infinity',
    '-Infinity',
    '0x10',
    '0b1',
    '1_000',
    '1,000',
    '1n',
    '１',
    'null',
    '1'.repeat(65),
  ])('refuse %j', (text) => {
    expect(parseDecimal(text)).toBeUndefined();
    expect(parseUnits(text, 8)).toBe(NOT_A_DECIMAL);
  });

  it('keep the value of every accepted form', () => {
    fc.assert(
      fc.property(written, ({ text, value }) => {
        const decimal = parseDecimal(text);
        if (decimal === undefined) return false;
        const { coefficient, scale } = decimal;
        const canonical = scale === 0 || coefficient % 10n !== 0n;
        return canonical && sameValue(rational(coefficient, -scale), value);
      }),
      options,
    );
  });

  it('print canonically, and read back as the same', () => {
    fc.assert(
      fc.property(written, ({ text, value }) => {
        const decimal = parseDecimal(text);
        const printed = decimal === undefined ? '' : formatDecimal(decimal);
        const [, fraction] = printed.split('.');
        if (fraction !== undefined && /0$/.test(fraction)) return false;
        if (!/^(-?[1-9]\d*|-?0(?=\.)|0)(\.\d+)?$/.test(printed)) return false;
        const [whole = '', places = ''] = printed.split('.');
        return sameValue(rational(BigInt(whole + places), -places.length), value);
      }),
      options,
    );
  });
});

/** What `parseUnits` and `toUnits` have to answer, from the value alone. */
function expectedUnits(value: Rational, scale: number): bigint | 'off-step' {
  const scaled = value.numerator * 10n ** BigInt(scale);
  return scaled % value.denominator === 0n ? scaled / value.denominator : 'off-step';
}

describe('units of a scale', () => {
  it('are exact or refused, never rounded', () => {
    fc.assert(
      fc.property(written, fc.integer({ min: 0, max: 18 }), ({ text, value }, scale) => {
        const decimal = parseDecimal(text);
        if (decimal === undefined) return false;
        const expected = expectedUnits(value, scale);
        const units = toUnits(decimal, scale);
        if (expected === 'off-step') return units === 'off-step';
        const fits = expected <= MAX_UNITS && expected >= -MAX_UNITS;
        return units === (fits ? expected : 'too-large');
      }),
      options,
    );
  });

  it('are the same by the fast way, which tells what is wrong with a text', () => {
    fc.assert(
      fc.property(written, fc.integer({ min: 0, max: 18 }), ({ text, value }, scale) => {
        const units = parseUnits(text, scale);
        const expected = expectedUnits(value, scale);
        if (value.numerator < 0n) return units === NEGATIVE;
        if (expected === 'off-step') return units === OFF_STEP;
        if (expected > BigInt(Number.MAX_SAFE_INTEGER)) return units === TOO_LARGE;
        return units === Number(expected);
      }),
      options,
    );
  });

  it.each([
    ['9007199254740991', 0, Number.MAX_SAFE_INTEGER],
    ['9007199254740992', 0, TOO_LARGE],
    ['9007199254740993', 0, TOO_LARGE],
    ['90071992.54740991', 8, Number.MAX_SAFE_INTEGER],
    ['90071992.547409910000', 8, Number.MAX_SAFE_INTEGER],
    ['90071992.54740992', 8, TOO_LARGE],
    ['1', 16, TOO_LARGE],
    ['0', 18, 0],
    ['-0', 2, 0],
    ['-0.001', 2, NEGATIVE],
    ['0.001', 2, OFF_STEP],
    ['1e-400', 2, OFF_STEP],
    ['1e400', 2, TOO_LARGE],
    ['5e-2', 2, 5],
  ])('of %s at scale %i are %i', (text, scale, expected) => {
    expect(parseUnits(text, scale)).toBe(expected);
  });

  it.each([
    ['9223372036854775807', MAX_UNITS],
    ['-9223372036854775807', -MAX_UNITS],
    ['9223372036854775808', 'too-large'],
    ['-9223372036854775808', 'too-large'],
  ])('reach to 2^63 - 1 either way: %s', (text, expected) => {
    const decimal = parseDecimal(text);
    expect(decimal && toUnits(decimal, 0)).toBe(expected);
  });

  it('print as what they were read from', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -MAX_UNITS, max: MAX_UNITS }), fc.nat(18), (units, scale) => {
        const decimal = parseDecimal(formatUnits(units, scale));
        return decimal !== undefined && toUnits(decimal, scale) === units;
      }),
      options,
    );
  });

  it('print alike as number and as bigint', () => {
    fc.assert(
      fc.property(fc.maxSafeInteger(), fc.nat(18), (units, scale) => {
        return formatUnits(units, scale) === formatUnits(BigInt(units), scale);
      }),
      options,
    );
  });

  it.each([
    [0n, 8, '0'],
    [-0, 8, '0'],
    [5n, 2, '0.05'],
    [-305n, 2, '-3.05'],
    [10n, 1, '1'],
    [100n, 0, '100'],
    [-1n, 18, '-0.000000000000000001'],
  ])('print %s at scale %i as %s', (units, scale, text) => {
    expect(formatUnits(units, scale)).toBe(text);
  });
});

describe('a printed quotient', () => {
  it.each([
    [1n, 3n, 4, 'floor', '0.3333'],
    [1n, 3n, 4, 'ceiling', '0.3334'],
    [2n, 3n, 4, 'half-up', '0.6667'],
    [-1n, 3n, 2, 'floor', '-0.34'],
    [6n, 3n, 8, 'half-up', '2'],
    [1n, 8n, 2, 'half-up', '0.13'],
    [-1n, 8n, 2, 'half-up', '-0.13'],
  ] as const)(
    'of %i / %i to %i places by %s is %s',
    (numerator, denominator, scale, rule, text) => {
      expect(formatQuotient(numerator, denominator, scale, rule)).toBe(text);
    },
  );
});
