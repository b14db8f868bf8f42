import type { AccountConfiguration } from '../messages/cold.ts';
import type { AccountStatusName } from '../messages/enums.ts';
import { grown } from './columns.ts';

export interface AccountsSnapshot {
  readonly configurations: readonly AccountConfiguration[];
}

/** The trading accounts, by the dense index in which they were opened. */
export class Accounts {
  private readonly configurations: AccountConfiguration[] = [];
  private readonly indexes = new Map<string, number>();
  /** Open orders of each account. */
  private openOrders = new Uint32Array(1024);

  get count(): number {
    return this.configurations.length;
  }

  open(index: number, configuration: AccountConfiguration): void {
    if (index !== this.configurations.length) throw new Error(`account ${index} out of order`);
    this.configurations.push(configuration);
    this.indexes.set(configuration.accountId, index);
    this.openOrders = grown(this.openOrders, index);
  }

  indexOf(accountId: string): number | undefined {
    return this.indexes.get(accountId);
  }

  configuration(account: number): AccountConfiguration {
    const configuration = this.configurations[account];
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
    this.configurations[account] = { ...this.configuration(account), accountStatus };
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
    return this.configurations;
  }

  save(): AccountsSnapshot {
    return { configurations: this.configurations.slice() };
  }

  load(snapshot: AccountsSnapshot): void {
    snapshot.configurations.forEach((configuration, index) => {
      this.open(index, configuration);
    });
  }
}
