import type { AccountConfiguration } from '../messages/configuration.ts';
import type { AccountStatusName } from '../messages/enums.ts';
import { grown } from './columns.ts';
import { PackedList, type PackedListSnapshot } from './packed-list.ts';

export interface AccountsSnapshot {
  readonly configurations: PackedListSnapshot;
  /** Account and order id in turn, by account. */
  readonly halted: Float64Array;
}

/** The trading accounts, by the dense index in which they were opened. */
export class Accounts {
  private readonly configurations = new PackedList<AccountConfiguration>();
  private readonly indexes = new Map<string, number>();
  /** Open orders of each account. */
  private openOrders = new Uint32Array(1024);
  /** 1 for a netting account: read for every position that is revalued. */
  private nettings = new Uint8Array(1024);
  private readonly endedBelow = new Map<number, number>();

  get count(): number {
    return this.configurations.length;
  }

  open(index: number, configuration: AccountConfiguration): void {
    if (index !== this.configurations.length) throw new Error(`account ${index} out of order`);
    this.configurations.set(index, configuration);
    this.indexes.set(configuration.accountId, index);
    this.openOrders = grown(this.openOrders, index);
    this.noteType(index, configuration);
  }

  isNetting(account: number): boolean {
    return this.nettings[account] === 1;
  }

  indexOf(accountId: string): number | undefined {
    return this.indexes.get(accountId);
  }

  configuration(account: number): AccountConfiguration {
    const configuration = this.configurations.get(account);
    if (configuration === undefined) throw new RangeError(`no account ${account}`);
    return configuration;
  }

  exists(account: number): boolean {
    return account < this.configurations.length;
  }

  status(account: number): AccountStatusName {
    return this.configuration(account).accountStatus;
  }

  /** `nextOrderId` tells the orders that end with a halt from those that are placed after it. */
  changeStatus(account: number, accountStatus: AccountStatusName, nextOrderId: number): void {
    this.configurations.set(account, { ...this.configuration(account), accountStatus });
    if (accountStatus !== 'Halted') return;
    if (this.openOrderCount(account) > 0) this.endedBelow.set(account, nextOrderId);
    else this.endedBelow.delete(account);
  }

  /** The accounts that were halted with open orders: orders below the id end, whatever came after. */
  halted(): ReadonlyMap<number, number> {
    return this.endedBelow;
  }

  openOrderCount(account: number): number {
    return this.openOrders[account] as number;
  }

  orderOpened(account: number): void {
    this.openOrders[account] = (this.openOrders[account] as number) + 1;
  }

  orderEnded(account: number): void {
    this.openOrders[account] = (this.openOrders[account] as number) - 1;
  }

  all(): readonly AccountConfiguration[] {
    return this.configurations.all();
  }

  save(): AccountsSnapshot {
    const halted = [...this.endedBelow].sort(([a], [b]) => a - b);
    return { configurations: this.configurations.save(), halted: Float64Array.from(halted.flat()) };
  }

  load({ configurations, halted }: AccountsSnapshot): void {
    for (let at = 0; at < halted.length; at += 2) {
      this.endedBelow.set(halted[at] as number, halted[at + 1] as number);
    }
    this.configurations.load(configurations);
    this.configurations.all().forEach((configuration, index) => {
      this.indexes.set(configuration.accountId, index);
      this.noteType(index, configuration);
    });
    this.openOrders = grown(this.openOrders, this.count);
  }

  private noteType(index: number, { accountType }: AccountConfiguration): void {
    this.nettings = grown(this.nettings, index);
    this.nettings[index] = accountType === 'Netting' ? 1 : 0;
  }
}
