import {
  type Memory,
  type MemoryScope,
  type NewMemory,
  memoryId,
  MOST_MEMORIES,
  readMemoryId,
} from '../../domain/memory.ts';
import { fault } from '../../domain/failure.ts';
import { told } from '../../domain/text/told.ts';
import type { Connection } from '../database/connection.ts';
import { whole } from '../engine/columns.ts';
import { countOf, relevant } from './relevance.ts';
import { termsOf } from './terms.ts';

interface Row {
  readonly number: number;
  readonly text: string;
  readonly at: number;
  readonly session_id: string;
  readonly workspace: string;
}

/** Where the notes of each scope are. */
export interface MemoryPlaces {
  /** Works in one transaction of the person's database. */
  readonly person: <Result>(at: number, work: (connection: Connection) => Result) => Result;
  /** The open database of the workspace. */
  readonly workspace: () => Connection;
  /** The workspace's name, for the person. */
  readonly name: string;
}

/** The work of the store's thread on notes that outlive their session (A12). */
export class Memories {
  readonly #places: MemoryPlaces;

  constructor(places: MemoryPlaces) {
    this.#places = places;
  }

  /** Keeps a note; one that is there to the letter is found again, and is as new as this one. */
  add({ memory, at }: { readonly memory: NewMemory; readonly at: number }): Memory {
    const { scope, text, sessionId } = memory;
    return this.#in(scope, at, (connection) => {
      const known = connection.get<Row>('SELECT * FROM memories WHERE text = ?', text);
      if (known !== undefined) {
        connection.run('UPDATE memories SET at = ? WHERE number = ?', whole(at), known.number);
        return memoryOf(scope, { ...known, at: whole(at) });
      }
      if (countOf(connection) >= MOST_MEMORIES) throw full();
      connection.run(
        'INSERT INTO memories (text, at, session_id, workspace) VALUES (?, ?, ?, ?)',
        text,
        whole(at),
        sessionId,
        this.#places.name,
      );
      const row = connection.get<Row>('SELECT * FROM memories WHERE number = last_insert_rowid()');
      if (row === undefined) throw fault('store', told`The note is not in the database.`);
      index(connection, row);
      return memoryOf(scope, row);
    });
  }

  /** Puts a note back that was removed, under the id that it had. */
  restore({ memory, at }: { readonly memory: Memory; readonly at: number }): void {
    const { scope, number } = placeOf(memory.id);
    this.#in(scope, at, (connection) => {
      const added = connection.run(
        'INSERT OR IGNORE INTO memories (number, text, at, session_id, workspace) VALUES (?, ?, ?, ?, ?)',
        number,
        memory.text,
        whole(memory.at),
        memory.sessionId,
        memory.workspace,
      );
      if (added > 0) index(connection, { number, text: memory.text });
    });
  }

  /** Gives the note as it was; `undefined`: there is none. */
  remove({ id, at }: { readonly id: string; readonly at: number }): Memory | undefined {
    const { scope, number } = placeOf(id);
    return this.#in(scope, at, (connection) => {
      const row = connection.get<Row>('SELECT * FROM memories WHERE number = ?', number);
      if (row === undefined) return undefined;
      connection.run('DELETE FROM memories WHERE number = ?', number);
      connection.run('DELETE FROM memory_search WHERE rowid = ?', number);
      return memoryOf(scope, row);
    });
  }

  /** `false`: there is no such note any more. */
  change({
    id,
    text,
    at,
  }: {
    readonly id: string;
    readonly text: string;
    readonly at: number;
  }): boolean {
    const { scope, number } = placeOf(id);
    return this.#in(scope, at, (connection) => {
      const changed = connection.run(
        'UPDATE memories SET text = ?, at = ? WHERE number = ?',
        text,
        whole(at),
        number,
      );
      if (changed === 0) return false;
      connection.run('DELETE FROM memory_search WHERE rowid = ?', number);
      index(connection, { number, text });
      return true;
    });
  }

  /** The notes that fit a text best, the best first. */
  recall({
    text,
    limit,
    at,
  }: {
    readonly text: string;
    readonly limit: number;
    readonly at: number;
  }): Memory[] {
    return this.#both(at, (bases) =>
      relevant(bases, text, limit).flatMap(({ base, number }) => {
        const row = base.connection.get<Row>('SELECT * FROM memories WHERE number = ?', number);
        return row === undefined ? [] : [memoryOf(base.scope, row)];
      }),
    );
  }

  /** All notes, the newest first. */
  all(at: number): Memory[] {
    return this.#both(at, (bases) =>
      bases
        .flatMap(({ scope, connection }) =>
          connection.all<Row>('SELECT * FROM memories').map((row) => memoryOf(scope, row)),
        )
        .toSorted((one, other) => other.at - one.at),
    );
  }

  #in<Result>(scope: MemoryScope, at: number, work: (connection: Connection) => Result): Result {
    if (scope === 'person') return this.#places.person(at, work);
    const connection = this.#places.workspace();
    return connection.transaction(() => work(connection));
  }

  #both<Result>(
    at: number,
    work: (
      bases: readonly { readonly scope: MemoryScope; readonly connection: Connection }[],
    ) => Result,
  ): Result {
    return this.#places.person(at, (person) =>
      work([
        { scope: 'workspace', connection: this.#places.workspace() },
        { scope: 'person', connection: person },
      ]),
    );
  }
}

/** Builds the search anew, for notes that came without it. */
export function indexMemories(connection: Connection): void {
  connection.run('DELETE FROM memory_search');
  for (const row of connection.all<Row>('SELECT * FROM memories')) index(connection, row);
}

function index(connection: Connection, { number, text }: Pick<Row, 'number' | 'text'>): void {
  connection.run(
    'INSERT INTO memory_search (rowid, terms) VALUES (?, ?)',
    number,
    termsOf(text).join(' '),
  );
}

const memoryOf = (scope: MemoryScope, row: Row): Memory => ({
  id: memoryId(scope, row.number),
  scope,
  text: row.text,
  at: row.at,
  sessionId: row.session_id,
  workspace: row.workspace,
});

function placeOf(id: string) {
  const place = readMemoryId(id);
  if (place !== undefined) return place;
  throw fault('not_found', told`There is no note ${JSON.stringify(id.slice(0, 40))}.`);
}

const full = () =>
  fault(
    'invalid',
    told`There are ${MOST_MEMORIES} notes already, which is the most. Nothing was remembered; remove some first.`,
  );
