import { randomUUID } from 'node:crypto';
import type {
  Admission,
  LinkedAccount,
  Person,
  PlannedRequest,
  UsageCall,
  UsageSum,
} from '../../core/ports/store/person.ts';
import type { UsageRecord } from '../../core/ports/store/recorder.ts';
import type { Cap, CapUse } from '../../domain/budget.ts';
import type { Level } from '../../domain/permissions/level.ts';
import type { Connection } from '../database/connection.ts';
import { stored, whole } from '../engine/columns.ts';
import { readValue, saveValue } from '../engine/values.ts';
import { Memories } from '../memory/memories.ts';
import { livenessOf, ownIdentity } from '../process-identity.ts';
import { PersonDatabase, type PersonDatabaseOptions } from './person-database.ts';
import { lapse, newlyNear, ownersOf, reserve, settleReservation, useOf } from './reservations.ts';
import { allCalls, sumsSince } from './usage-reads.ts';
import { insertUsage, takeUsage } from './usage.ts';

/** Where a workspace keeps its own id. */
const WORKSPACE_ID = 'workspace/id';

interface PersonRow {
  readonly id: string;
  readonly level: Level;
  readonly created_at: number;
}

export interface PersonStoreOptions extends Omit<PersonDatabaseOptions, 'enter'> {
  /** The workspace's name, for the person. */
  readonly name: string;
  /** The open database of the workspace. */
  readonly workspace: () => Connection;
}

/** The work of the store's thread in the person's database, for one workspace. */
export class PersonStore {
  /** Notes of the workspace and of the person. */
  readonly memories: Memories;
  readonly #options: PersonStoreOptions;
  readonly #database: PersonDatabase;
  /** The level that a new person gets. */
  #level: Level = 'owner';
  #workspace = '';
  /** Milliseconds since the epoch, of the call under way. */
  #at = 0;

  constructor(options: PersonStoreOptions) {
    this.#options = options;
    this.#database = new PersonDatabase({
      ...options,
      enter: (person) => this.#enter(person),
    });
    const { workspace, name } = options;
    this.memories = new Memories({ workspace, name, person: (at, work) => this.#do(at, work) });
  }

  person({ level, at }: { readonly level: Level; readonly at: number }): Person {
    this.#level = level;
    return this.#do(at, (person) => {
      person.run('UPDATE person SET level = ? WHERE level <> ?', level, level);
      const row = rowOf(person);
      return {
        id: row?.id ?? '',
        createdAt: row?.created_at ?? at,
        level,
        workspaceId: this.#workspace,
      };
    });
  }

  async reserve({
    request,
    caps,
    at,
  }: {
    readonly request: PlannedRequest;
    readonly caps: readonly Cap[];
    readonly at: number;
  }): Promise<Admission> {
    const owner = await ownIdentity();
    const others = this.#do(at, ownersOf).filter((one) => one.birth !== owner.birth);
    const judged = await Promise.all(
      others.map(async (one) => ({
        ...one,
        liveness: await livenessOf({
          processId: one.process_id,
          birth: one.birth,
          bootId: one.boot_id,
        }),
      })),
    );
    return this.#do(at, (person) => {
      lapse(person, judged, at);
      const { sessionId, runId } = request;
      const workspace = this.#workspace;
      return reserve(person, request, caps, { at, workspace, sessionId, runId, owner });
    });
  }

  settle({
    record,
    caps,
    at,
  }: {
    readonly record: UsageRecord;
    readonly caps: readonly Cap[];
    readonly at: number;
  }): CapUse[] {
    const { details } = record;
    if (details === undefined) return [];
    const { sessionId, runId } = details.charged ?? record;
    const count = (person: Connection): CapUse[] => {
      const workspace = this.#workspace;
      settleReservation(person, record, details);
      insertUsage(person, workspace, record, details);
      return newlyNear(person, caps, { at, workspace, sessionId, runId });
    };
    return this.#do(at, count, true);
  }

  release({ key, at }: { readonly key: string; readonly at: number }): void {
    this.#do(at, (person) => person.run('DELETE FROM reservations WHERE key = ?', key));
  }

  uses({
    caps,
    of,
    at,
  }: {
    readonly caps: readonly Cap[];
    readonly of: { readonly sessionId?: string; readonly runId?: string };
    readonly at: number;
  }): CapUse[] {
    return this.#do(at, (person) =>
      caps.map((cap) => useOf(person, cap, { at, workspace: this.#workspace, ...of })),
    );
  }

  sums({ since, at }: { readonly since: number; readonly at: number }): UsageSum[] {
    return this.#do(at, (person) => sumsSince(person, since));
  }

  calls(at: number): UsageCall[] {
    return this.#do(at, allCalls);
  }

  accounts(at: number): LinkedAccount[] {
    return this.#do(at, (person) =>
      person.all<LinkedAccount>('SELECT provider, id, label FROM accounts ORDER BY number'),
    );
  }

  link({ account, at }: { readonly account: LinkedAccount; readonly at: number }): void {
    this.#do(at, (person) =>
      person.run(
        `INSERT INTO accounts (provider, id, label, linked_at) VALUES (?, ?, ?, ?)
         ON CONFLICT (provider, id) DO UPDATE SET label = excluded.label`,
        account.provider,
        account.id,
        account.label,
        whole(at),
      ),
    );
  }

  unlink({
    account,
    at,
  }: {
    readonly account: Pick<LinkedAccount, 'provider' | 'id'>;
    readonly at: number;
  }): void {
    this.#do(at, (person) =>
      person.run(
        'DELETE FROM accounts WHERE provider = ? AND id = ?',
        account.provider,
        account.id,
      ),
    );
  }

  close(): void {
    this.#database.close();
  }

  #do<Result>(at: number, work: (person: Connection) => Result, kept = false): Result {
    this.#at = at;
    return this.#database.transaction(work, kept);
  }

  /** The first thing after an opening: there is a person, the workspace is known, and its usage is counted. */
  #enter(person: Connection): () => void {
    const at = whole(this.#at);
    person.run(
      'INSERT OR IGNORE INTO person (number, id, level, created_at, month_since) VALUES (1, ?, ?, ?, ?)',
      randomUUID(),
      this.#level,
      at,
      at,
    );
    const workspace = this.#options.workspace();
    this.#workspace = idOf(workspace);
    person.run(
      `INSERT INTO workspaces (id, name, seen_at) VALUES (?, ?, ?)
       ON CONFLICT (id) DO UPDATE SET name = excluded.name, seen_at = excluded.seen_at`,
      this.#workspace,
      this.#options.name,
      at,
    );
    const id = rowOf(person)?.id ?? '';
    return takeUsage(workspace, person, { person: id, workspace: this.#workspace });
  }
}

const rowOf = (person: Connection): PersonRow | undefined =>
  person.get<PersonRow>('SELECT id, level, created_at FROM person');

/** The id of a workspace's database; two windows that open it at the same time agree on it. */
function idOf(workspace: Connection): string {
  const known = readValue(workspace, WORKSPACE_ID);
  if (known !== undefined) return stored<string>(known);
  return workspace.transaction(() => {
    const present = readValue(workspace, WORKSPACE_ID);
    if (present !== undefined) return stored<string>(present);
    const made = randomUUID();
    saveValue(workspace, WORKSPACE_ID, made);
    return made;
  });
}
