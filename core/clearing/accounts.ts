import type { AccountConfiguration } from '../messages/configuration.ts';
import type { AccountStatusName } from '../messages/enums.ts';
import { grown } from './columns.ts';
import { PackedList, type PackedListSnapshot } from './packed-list.ts';

/** The trading accounts, by the dense index in which they were opened. */
export class Accounts {
  private readonly configurations = new PackedList<AccountConfiguration>();
  private readonly indexes = new Map<string, number>();
  /** Open orders of each account. */
  private openOrders = new Uint32Array(1024);
  /** 1 for a netting account: read for every position that is revalued. */
  private nettings = new Uint8Array(1024);

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

  changeStatus(account: number, accountStatus: AccountStatusName): void {
    this.configurations.set(account, { ...this.configuration(account), accountStatus });
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

  save(): PackedListSnapshot {
    return this.configurations.save();
  }

  load(snapshot: PackedListSnapshot): void {
    this.configurations.load(snapshot);
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
