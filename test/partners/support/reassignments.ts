import { setTimeout as sleep } from 'node:timers/promises';
import type { ApiClient } from '../../support/api-client.ts';
import { bodyOf, type Fields } from './partner.ts';

export interface Reassignment extends Fields {
  readonly reassignmentId: string;
  readonly status: string;
  readonly errorMessage: string | null;
  readonly movedRelations: readonly Fields[];
}

/** Reassignments as one app makes and follows them. */
export class Reassignments {
  private readonly client: ApiClient;

  constructor(client: ApiClient) {
    this.client = client;
  }

  create = (fields: Fields) => this.client.post('/reassignments', fields);

  decide = (id: string, decision: string) => this.client.post(`/reassignments/${id}/${decision}`);

  read = async (id: string) =>
    bodyOf<Reassignment>(await this.client.get(`/reassignments/${id}`), 200);

  /** Creates one that is taken; answers its id. */
  created = async (fields: Fields): Promise<string> =>
    bodyOf<Reassignment>(await this.create(fields), 201).reassignmentId;

  /** Waits until nothing is at work on it any more. */
  settled = async (id: string): Promise<Reassignment> => {
    for (;;) {
      const reassignment = await this.read(id);
      if (!['pending', 'processing', 'chains_rebuilding'].includes(reassignment.status)) {
        return reassignment;
      }
      await sleep(10);
    }
  };
}
