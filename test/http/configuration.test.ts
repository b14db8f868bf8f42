import { describe, expect, it } from 'vitest';
import { addressOf, ConfigError, readConfig } from '../../gateway/config.ts';

describe('where the venue listens', () => {
  it.each([
    [undefined, undefined, 'http://127.0.0.1:9000'],
    ['', '', 'http://127.0.0.1:9000'],
    ['0.0.0.0', '80', 'http://0.0.0.0:80'],
    ['localhost', '9001', 'http://localhost:9001'],
    ['::', '9001', 'http://[::]:9001'],
    ['::1', '9001', 'http://[::1]:9001'],
    ['fd00::12', '9001', 'http://[fd00::12]:9001'],
  ])('(HOST=%s, PORT=%s) is %s', (HOST, PORT, address) => {
    const found = addressOf(readConfig({ HOST, PORT }));
    expect(found).toBe(address);
    expect(URL.canParse(found)).toBe(true);
  });

  it.each(['999.1.1.1', '[::1]:80', 'a b', 'user@host/path?'])('(HOST=%s) is refused', (HOST) => {
    expect(() => readConfig({ HOST })).toThrow(ConfigError);
  });
});
