/**
 * How the balances of an account travel: for each asset that it has ever had its index (u32, then four
 * bytes of nothing), its total and what is held of it (both i64), little-endian.
 */

/** What an account owns of one asset, in units of the asset. */
export interface BalanceView {
  readonly asset: number;
  readonly total: bigint;
  /** Held by open orders and withdrawals that await confirmation. */
  readonly held: bigint;
}

const ENTRY_BYTES = 24;
const TOTAL_AT = 8;
const HELD_AT = 16;

/** Packs one account's balances after the other's, in memory of its own. */
export class BalancePacker {
  private view = new DataView(new ArrayBuffer(16 * ENTRY_BYTES));
  private length = 0;

  readonly add = (asset: number, total: bigint, held: bigint): void => {
    if (this.length === this.view.byteLength) this.grow();
    this.view.setUint32(this.length, asset, true);
    this.view.setBigInt64(this.length + TOTAL_AT, total, true);
    this.view.setBigInt64(this.length + HELD_AT, held, true);
    this.length += ENTRY_BYTES;
  };

  /** What was added since the last call. Valid until the next `add`. */
  take(): Uint8Array {
    const packed = new Uint8Array(this.view.buffer, 0, this.length);
    this.length = 0;
    return packed;
  }

  private grow(): void {
    const larger = new Uint8Array(2 * this.view.byteLength);
    larger.set(new Uint8Array(this.view.buffer));
    this.view = new DataView(larger.buffer);
  }
}

/** Each balance at the index of its asset; nothing where the account never had the asset. */
export function unpackBalances(packed: Uint8Array): readonly (BalanceView | undefined)[] {
  const view = new DataView(packed.buffer, packed.byteOffset, packed.byteLength);
  const balances: (BalanceView | undefined)[] = [];
  for (let at = 0; at < packed.byteLength; at += ENTRY_BYTES) {
    const asset = view.getUint32(at, true);
    const total = view.getBigInt64(at + TOTAL_AT, true);
    const held = view.getBigInt64(at + HELD_AT, true);
    while (balances.length < asset) balances.push(undefined);
    balances[asset] = { asset, total, held };
  }
  return balances;
}
