const NONE: readonly number[] = [];

/** Each account with the assets that it selected, ascending. */
export type CollateralSnapshot = readonly (readonly [account: number, assets: readonly number[]])[];

/** Which assets each account has selected as collateral beside the root asset, which always is. */
export class Collateral {
  private readonly selected = new Map<number, readonly number[]>();

  /** Asset indexes, ascending, without the root asset. */
  of(account: number): readonly number[] {
    return this.selected.get(account) ?? NONE;
  }

  has(account: number, asset: number): boolean {
    return this.of(account).includes(asset);
  }

  select(account: number, asset: number, selected: boolean): void {
    const others = this.of(account).filter((other) => other !== asset);
    const assets = selected ? [...others, asset].sort((a, b) => a - b) : others;
    if (assets.length === 0) this.selected.delete(account);
    else this.selected.set(account, assets);
  }

  /** The accounts that have selected any. */
  accounts(): Iterable<number> {
    return this.selected.keys();
  }

  save(): CollateralSnapshot {
    return [...this.selected].sort(([a], [b]) => a - b);
  }

  load(snapshot: CollateralSnapshot): void {
    for (const [account, assets] of snapshot) this.selected.set(account, assets);
  }
}
