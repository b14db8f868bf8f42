/** What the `format` of a schema means; formats that are not listed here are refused at start-up. */
export interface Format {
  /** How a refusal names the form that was wanted. */
  readonly form: string;
  /** Absent where a conversion or the schema's type already checks the value. */
  readonly pattern?: RegExp;
}

export const FORMATS: Readonly<Record<string, Format>> = {
  decimal: { form: 'a decimal, such as 0.001' },
  'date-time': { form: 'YYYY-MM-DDTHH:MM:SS.sssZ' },
  int32: { form: 'a 32-bit integer' },
  date: { form: 'YYYY-MM-DD', pattern: /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/ },
  uuid: {
    form: 'a UUID',
    pattern: /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i,
  },
  email: { form: 'an e-mail address', pattern: /^[^\s@]{1,64}@[^\s@]{1,190}$/ },
  uri: { form: 'an absolute URI', pattern: /^[a-z][a-z0-9+.-]*:\/\/[^\s]+$/i },
};
