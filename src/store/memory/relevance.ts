import { one, type Connection } from '../database/connection.ts';
import { searchTerms } from './terms.ts';

/** Words of a question that are looked for. */
const MOST_TERMS = 48;
/** Shorter words are not looked for as beginnings: too much begins with them. */
const SHORTEST_BEGINNING = 4;
/** The worth of a word that only begins as the one that was looked for. */
const BEGINNING = 0.5;
/** A note whose worth is below this share of the best one's is about something else. */
const LEAST_SHARE = 0.25;

/** A note that has words of a question. */
export interface Hit<Base> {
  readonly base: Base;
  readonly number: number;
  readonly worth: number;
}

type Hits<Base> = ReadonlyMap<string, Hit<Base>>;

interface Ranked {
  readonly number: number;
  readonly rank: number;
}

/**
 * The notes in all databases that fit a question, the best first. Each word is ranked by FTS5 (bm25), but weighs as rare
 * as it is in all of them together: a word of the only note of a workspace would weigh nothing.
 */
export function relevant<Base extends { readonly connection: Connection }>(
  bases: readonly Base[],
  question: string,
  limit: number,
): readonly Hit<Base>[] {
  const counted = bases.map((base) => ({ base, notes: countOf(base.connection) }));
  const all = counted.reduce((sum, { notes }) => sum + notes, 0);
  if (all === 0) return [];
  const hits = new Map<string, Hit<Base>>();
  for (const term of searchTerms(question, MOST_TERMS)) {
    const exact = found(counted, `"${term}"`, all);
    const begun: Hits<Base> =
      term.length < SHORTEST_BEGINNING ? new Map() : found(counted, `"${term}"*`, all, BEGINNING);
    for (const [key, hit] of new Map([...begun, ...exact])) {
      const known = hits.get(key)?.worth ?? 0;
      hits.set(key, { ...hit, worth: known + hit.worth });
    }
  }
  const best = [...hits.values()].toSorted((one, other) => other.worth - one.worth);
  const least = LEAST_SHARE * (best[0]?.worth ?? 0);
  return best.filter(({ worth }) => worth >= least).slice(0, limit);
}

function found<Base extends { readonly connection: Connection }>(
  counted: readonly { readonly base: Base; readonly notes: number }[],
  match: string,
  all: number,
  share = 1,
): Hits<Base> {
  const ranked = counted.map(({ base, notes }) => ({
    base,
    notes,
    rows: notes === 0 ? [] : rowsOf(base.connection, match),
  }));
  const having = ranked.reduce((sum, { rows }) => sum + rows.length, 0);
  const weight = Math.log(1 + (all - having + 0.5) / (having + 0.5)) * share;
  const hits = new Map<string, Hit<Base>>();
  for (const [index, { base, notes, rows }] of ranked.entries()) {
    const own = Math.log((notes - rows.length + 0.5) / (rows.length + 0.5));
    for (const { number, rank } of rows)
      hits.set(`${index} ${number}`, {
        base,
        number,
        // FTS5 lets no word weigh less than this.
        worth: (-rank / Math.max(own, 1e-6)) * weight,
      });
  }
  return hits;
}

const rowsOf = (connection: Connection, match: string): readonly Ranked[] =>
  connection.all<Ranked>(
    'SELECT rowid AS number, rank FROM memory_search WHERE memory_search MATCH ?',
    match,
  );

export const countOf = (connection: Connection): number =>
  one<{ notes: number }>(connection, 'SELECT count(*) AS notes FROM memories').notes;
