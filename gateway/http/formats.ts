/** What the `format` of a schema means; formats that are not listed here are refused at start-up. */
export interface Format {
  /** How a refusal names the form that was wanted. */
  readonly form: string;
  /** Absent where a conversion or the schema's type already checks the value. */
  readonly pattern?: RegExp;
  /** What the API document shows; absent where the schema's type has one. */
  readonly example?: string;
}

export const FORMATS: Readonly<Record<string, Format>> = {
  decimal: { form: 'a decimal, such as 0.001', example: '0.25' },
  'date-time': { form: 'YYYY-MM-DDTHH:MM:SS.sssZ', example: '2026-01-15T09:30:00.000Z' },
  int32: { form: 'a 32-bit integer' },
  date: {
    form: 'YYYY-MM-DD',
    pattern: /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/,
    example: '2026-01-15',
  },
  uuid: {
    form: 'a UUID',
    pattern: /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i,
    example: '5f0c1a52-7c1e-4d3f-9a55-0d4b6f1f8e21',
  },
  email: {
    form: 'an e-mail address',
    pattern: /^[^\s@]{1,64}@[^\s@]{1,190}$/,
    example: 'alice@example.com',
  },
  uri: {
    form: 'an absolute URI',
    pattern: /^[a-z][a-z0-9+.-]*:\/\/[^\s]+$/i,
    example: 'https://example.com/path',
  },
};
