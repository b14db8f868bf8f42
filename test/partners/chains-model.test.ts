import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type DirectoryDatabase,
  openDirectoryDatabase,
} from '../../persistence/directory/database.ts';
import { partnerReassignmentOperations } from '../../persistence/directory/partners/reassignments.ts';
import { partnerRecordOperations } from '../../persistence/directory/partners/records.ts';
import { seed } from '../support/seed.ts';

const USERS = 8;
const by = { actor: 'client:model', at: 1 } as const;

/** Who stands under whom, and nothing else: what chains have to agree with. */
type Parents = ReadonlyMap<number, number>;

function wayUp(parents: Parents, user: number): number[] | undefined {
  const way = [user];
  for (let at = parents.get(user); at !== undefined; at = parents.get(at)) {
    if (way.includes(at)) return undefined;
    way.push(at);
  }
  return way;
}

const isSound = (parents: Parents) =>
  [...parents.keys()].every((user) => wayUp(parents, user) !== undefined);

interface Reassignment {
  readonly kind: 'reassign';
  readonly isSingle: boolean;
  readonly source: number;
  readonly target: number;
  readonly subject: number;
  readonly promotion: number | null;
}
type Step =
  | { readonly kind: 'place' | 'turn'; readonly child: number; readonly parent: number }
  | { readonly kind: 'remove'; readonly child: number }
  | Reassignment;

/** The parents after the step, undefined where it must be refused. */
function expectedAfter(parents: Parents, step: Step): Parents | undefined {
  const next = new Map(parents);
  switch (step.kind) {
    case 'place':
    case 'turn':
      if (parents.has(step.child) === (step.kind === 'place')) return undefined;
      next.set(step.child, step.parent);
      break;
    case 'remove':
      return next.delete(step.child) ? next : undefined;
    case 'reassign': {
      const moved = reassigned(parents, step);
      if (moved === undefined) return undefined;
      for (const [child, parent] of moved) next.set(child, parent);
    }
  }
  return isSound(next) ? next : undefined;
}

function reassigned(parents: Parents, step: Reassignment): Parents | undefined {
  const { isSingle, source, target, subject, promotion } = step;
  if (source === target || (isSingle && parents.get(subject) !== source)) return undefined;
  if (promotion !== null && !parents.has(target)) return undefined;
  const children = [...parents].filter(([, parent]) => parent === source).map(([child]) => child);
  const moved = new Map((isSingle ? [subject] : children).map((child) => [child, target]));
  if (promotion === null) return moved;
  return isSingle && subject === target ? undefined : moved.set(target, promotion);
}

const user = fc.nat(USERS - 1);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({ kind: fc.constant('place' as const), child: user, parent: user }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('turn' as const), child: user, parent: user }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('remove' as const), child: user }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('reassign' as const),
      isSingle: fc.boolean(),
      source: user,
      target: user,
      subject: user,
      promotion: fc.option(user),
    }),
  },
);

type Values = Readonly<Record<string, unknown>>;

/** The directory under test, driven in its own terms. */
class Network {
  readonly database: DirectoryDatabase = openDirectoryDatabase(':memory:');
  readonly #ids: string[] = [];
  #fresh = 0;

  constructor() {
    const profileId = this.made('profiles', { firstName: 'A', lastName: 'B' }, 'profileId');
    for (let index = 0; index < USERS; index++) {
      this.#ids.push(this.made('users', { profileId }, 'userId'));
    }
  }

  made(resource: 'profiles' | 'users', values: Values, idField: string): string {
    const attempt = this.create(resource, values);
    return attempt.outcome === 'done' ? String(attempt.value[idField]) : '';
  }

  create(resource: 'profiles' | 'users' | 'relations', values: Values) {
    const uuids = [this.uuid()];
    return partnerRecordOperations.create(this.database, { resource, values, uuids, ...by });
  }

  /** Whether the step was taken. */
  take(step: Step): boolean {
    if (step.kind === 'reassign') return this.reassign(step);
    if (step.kind === 'place') {
      const values = { childUserId: this.id(step.child), parentUserId: this.id(step.parent) };
      return this.create('relations', values).outcome === 'done';
    }
    const address = { resource: 'relations', id: this.relationOf(step.child), ...by } as const;
    const outcome =
      step.kind === 'remove'
        ? partnerRecordOperations.remove(this.database, address)
        : partnerRecordOperations.update(this.database, {
            ...address,
            mode: 'amend',
            values: { parentUserId: this.id(step.parent) },
            uuids: [],
          });
    return outcome.outcome === 'done';
  }

  reassign({ isSingle, source, target, subject, promotion }: Reassignment): boolean {
    const created = partnerReassignmentOperations.create(this.database, {
      uuid: this.uuid(),
      type: isSingle ? 'single_user' : 'children',
      sourceUserId: this.id(source),
      targetUserId: this.id(target),
      subjectUserId: isSingle ? this.id(subject) : null,
      promotionTargetUserId: promotion === null ? null : this.id(promotion),
      ...by,
    });
    if (created.outcome !== 'done') return false;
    const id = created.value.reassignmentId;
    partnerReassignmentOperations.confirm(this.database, { id, ...by });
    const uuids = () => Array.from({ length: 50 }, () => this.uuid());
    while (partnerReassignmentOperations.step(this.database, { uuids: uuids(), ...by }) !== null);
    expect(partnerReassignmentOperations.get(this.database, id)?.status).toBe('completed');
    return true;
  }

  /** User, parent and level of every node, by the numbers of the model. */
  nodes(): readonly (readonly [number, number | undefined, number])[] {
    return this.database
      .statement<{ user: string; parent: string | null; level: number; stale: number }>(
        `SELECT user_id AS user, parent_user_id AS parent, level, is_stale AS stale
           FROM partner_nodes ORDER BY id`,
      )
      .all()
      .map(({ user, parent, level, stale }) => {
        expect(stale).toBe(0);
        return [
          this.#ids.indexOf(user),
          parent === null ? undefined : this.#ids.indexOf(parent),
          level,
        ];
      });
  }

  private id(index: number): string {
    return this.#ids[index] ?? '';
  }

  private relationOf(child: number): string {
    const found = this.database
      .statement<{ id: number }>('SELECT id FROM partner_relations WHERE child_user_id = ?')
      .get(this.id(child));
    return String(found?.id ?? 0);
  }

  private uuid(): string {
    this.#fresh += 1;
    return `00000000-0000-4000-8000-${String(this.#fresh).padStart(12, '0')}`;
  }
}

describe('chains', () => {
  it('agree with a plain map of parents, whatever is done to relations', () => {
    process.stdout.write(`SEED=${seed}\n`);
    fc.assert(
      fc.property(fc.array(step, { minLength: 10, maxLength: 40 }), (steps) => {
        const network = new Network();
        try {
          let parents: Parents = new Map();
          for (const each of steps) {
            const expected = expectedAfter(parents, each);
            expect(network.take(each), JSON.stringify(each)).toBe(expected !== undefined);
            parents = expected ?? parents;
            const nodes = Array.from({ length: USERS }, (_, index) => [
              index,
              parents.get(index),
              (wayUp(parents, index)?.length ?? 0) - 1,
            ]);
            expect(network.nodes(), JSON.stringify(each)).toEqual(nodes);
          }
        } finally {
          network.database.close();
        }
      }),
      { seed, numRuns: 100 },
    );
  });
});
