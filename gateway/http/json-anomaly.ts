import { isExactNumber } from './json-number.ts';

/**
 * Finds what a valid JSON text holds that a request may not: the slow walk behind `readJson`, taken
 * only by documents that are likely to be refused, to say which field it is.
 */
export interface Anomaly {
  readonly kind: 'duplicate key' | 'inexact number' | 'lone surrogate';
  /** `order.amounts[2]`. */
  readonly path: string;
  /** The offending token, for a number. */
  readonly token: string | undefined;
}

const LONE_SURROGATE = /\p{Surrogate}/u;

/** The first anomaly of a text that `JSON.parse` takes, or undefined. */
export function findAnomaly(text: string): Anomaly | undefined {
  return new Walker(text).value('');
}

class Walker {
  private readonly text: string;
  private at = 0;

  constructor(text: string) {
    this.text = text;
  }

  value(path: string): Anomaly | undefined {
    this.skipSpace();
    switch (this.text[this.at]) {
      case '{':
        return this.object(path);
      case '[':
        return this.array(path);
      case '"':
        return LONE_SURROGATE.test(this.string()) ? anomaly('lone surrogate', path) : undefined;
      default:
        return this.scalar(path);
    }
  }

  private object(path: string): Anomaly | undefined {
    const keys = new Set<string>();
    while (this.enter('}')) {
      const key = this.string();
      const member = path === '' ? key : `${path}.${key}`;
      if (LONE_SURROGATE.test(key)) return anomaly('lone surrogate', path);
      if (keys.has(key)) return anomaly('duplicate key', member);
      keys.add(key);
      this.skipSpace();
      this.at++;
      const found = this.value(member);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  private array(path: string): Anomaly | undefined {
    for (let index = 0; this.enter(']'); index++) {
      const found = this.value(`${path}[${index}]`);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** Steps over the opening bracket or a comma; false at the closing bracket, which it steps over. */
  private enter(close: string): boolean {
    this.skipSpace();
    if (this.text[this.at] === close) {
      this.at++;
      return false;
    }
    this.at++;
    this.skipSpace();
    if (this.text[this.at] !== close) return true;
    this.at++;
    return false;
  }

  private string(): string {
    const start = this.at;
    for (this.at++; this.text[this.at] !== '"'; this.at++) {
      if (this.text[this.at] === '\\') this.at++;
    }
    this.at++;
    return JSON.parse(this.text.slice(start, this.at)) as string;
  }

  private scalar(path: string): Anomaly | undefined {
    const start = this.at;
    while (/[\w.+-]/.test(this.text[this.at] ?? ' ')) this.at++;
    const token = this.text.slice(start, this.at);
    const inexact = /^[-\d]/.test(token) && !isExactNumber(token);
    return inexact ? anomaly('inexact number', path, token) : undefined;
  }

  private skipSpace(): void {
    while (/\s/.test(this.text[this.at] ?? '')) this.at++;
  }
}

function anomaly(kind: Anomaly['kind'], path: string, token?: string): Anomaly {
  return { kind, path: path === '' ? 'body' : path, token };
}
