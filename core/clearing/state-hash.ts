/**
 * A 64-bit hash of plain values and typed arrays: two states that differ in anything differ in it,
 * but for one chance in 2^64. It finds divergence between a replay and the live state; it is no
 * guard against somebody who wants to collide.
 */
class Hasher {
  private low = 0x811c_9dc5;
  private high = 0x9747_b28c;
  private readonly float = new Float64Array(1);
  private readonly words = new Uint32Array(this.float.buffer);

  word(value: number): void {
    this.low = Math.imul(this.low ^ value, 0x0100_0193);
    this.high = Math.imul(this.high ^ value ^ (this.low >>> 13), 0x5bd1_e995);
  }

  number(value: number): void {
    this.float[0] = value;
    this.word(this.words[0] as number);
    this.word(this.words[1] as number);
  }

  text(value: string): void {
    this.word(value.length);
    for (let at = 0; at < value.length; at++) this.word(value.charCodeAt(at));
  }

  array(value: ArrayBufferView): void {
    const bytes = new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
    this.word(bytes.length);
    const whole = bytes.length & ~3;
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    for (let at = 0; at < whole; at += 4) this.word(view.getUint32(at, true));
    for (let at = whole; at < bytes.length; at++) this.word(bytes[at] as number);
  }

  value(value: unknown): void {
    if (ArrayBuffer.isView(value)) return this.array(value);
    switch (typeof value) {
      case 'number':
        return this.number(value);
      case 'object':
        return this.object(value);
      default:
        return this.text(`${typeof value}${String(value)}`);
    }
  }

  digest(): string {
    const hex = (word: number) => (word >>> 0).toString(16).padStart(8, '0');
    return hex(this.high) + hex(this.low);
  }

  private object(value: object | null): void {
    if (value === null) return this.text('null');
    const entries = Object.entries(value).filter(([, member]) => member !== undefined);
    this.word(entries.length);
    for (const [name, member] of entries.sort(([a], [b]) => (a < b ? -1 : 1))) {
      this.text(name);
      this.value(member);
    }
  }
}

/** The hash of a snapshot (or of any plain value): 16 hexadecimal digits. */
export function hashState(state: unknown): string {
  const hasher = new Hasher();
  hasher.value(state);
  return hasher.digest();
}
