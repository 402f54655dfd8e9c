import type { Part, Role } from '../../domain/message.ts';
import { countMatches, findPattern } from '../../domain/text/find-pattern.ts';
import type {
  FindQuery,
  Found,
  FoundPiece,
  Place,
  Prompt,
  PromptQuery,
  SearchResult,
} from '../../core/ports/store/transcripts.ts';
import type { Connection } from '../database/connection.ts';
import { stored } from './columns.ts';
import {
  findableText,
  matchExpression,
  TEXT_LIMIT,
  unindexed,
  unspacedWords,
} from './search-index.ts';

/** Hits of one session. */
const EACH = 3;
/** Words of an excerpt; characters of one that is cut by hand, before and behind the hit. */
const WORDS = 24;
const BEFORE = 40;
const BEHIND = 100;
/** Around a hit in an excerpt of FTS5: no text has them. */
const BEGIN = '\u0002';
const END = '\u0003';

interface Hit {
  readonly number: number;
  readonly sessionId: string;
  readonly messageSeq: number;
  readonly role: Role;
  readonly at: number;
  readonly hits: number;
}

/** Snapshots, sessions still being imported and those of helpers are not in the list. */
const LISTED = `sessions.snapshot_of IS NULL AND sessions.importing IS NULL AND sessions.type = 'main'`;

/** Titles first, then the best hits of each session. */
export function search(connection: Connection, query: string, limit: number): SearchResult {
  const complete = unindexed(connection) === 0;
  const expression = matchExpression(query);
  if (expression === undefined) return { hits: [], complete };
  const titles = connection
    .all<{ sessionId: string; text: string }>(
      `SELECT session_id AS sessionId, text FROM title_search WHERE title_search MATCH ?
       ORDER BY rank LIMIT ?`,
      expression,
      limit,
    )
    .map(({ sessionId, text }): Found => {
      const pieces = [{ text, hit: false }];
      return { sessionId, messageSeq: 0, role: 'user', at: 0, hits: 1, pieces };
    });
  const unspaced = unspacedWords(query);
  const texts =
    unspaced === undefined
      ? indexed(connection, expression, limit)
      : scanned(connection, unspaced, limit);
  return { hits: [...titles, ...texts].slice(0, limit), complete };
}

/** The hits of each session, the best first. `found`: a select of `number` and `rank`. */
function placed(found: string): string {
  return `
    WITH found AS (${found}),
    placed AS (
      SELECT found.number, messages.session_id AS sessionId, messages.seq AS messageSeq, messages.role,
        messages.created_at AS at, found.rank AS rank,
        count(*) OVER (PARTITION BY messages.session_id) AS hits,
        row_number() OVER (PARTITION BY messages.session_id ORDER BY found.rank, messages.seq DESC) AS place
      FROM found JOIN messages ON messages.number = found.number
      JOIN sessions ON sessions.id = messages.session_id WHERE ${LISTED}
    )
    SELECT number, sessionId, messageSeq, role, at, hits FROM placed WHERE place <= ${EACH}
    ORDER BY rank LIMIT ?`;
}

function indexed(connection: Connection, expression: string, limit: number): Found[] {
  const hits = connection.all<Hit>(
    placed('SELECT rowid AS number, rank FROM text_search WHERE text_search MATCH ?'),
    expression,
    limit,
  );
  return hits.map(({ number, ...hit }) => {
    const row = connection.get<{ text: string }>(
      `SELECT snippet(text_search, 0, '${BEGIN}', '${END}', '…', ${WORDS}) AS text FROM text_search
       WHERE text_search MATCH ? AND rowid = ?`,
      expression,
      number,
    );
    // Another window may have deleted it meanwhile.
    return { ...hit, pieces: piecesOf(row?.text ?? '') };
  });
}

/** Looks into the texts themselves, the newest messages first. */
function scanned(connection: Connection, words: readonly string[], limit: number): Found[] {
  const hits = connection.all<Hit & { readonly text: string }>(
    placed(
      `SELECT number, -number AS rank FROM texts WHERE ${words.map(() => 'instr(text, ?) > 0').join(' AND ')}`,
    ),
    ...words,
    limit,
  );
  return hits.map(({ number, ...hit }) => {
    const text =
      connection.get<{ text: string }>('SELECT text FROM texts WHERE number = ?', number)?.text ??
      '';
    return { ...hit, pieces: cutOut(text, words) };
  });
}

function piecesOf(snippet: string): FoundPiece[] {
  return snippet
    .split(new RegExp(`(?=${BEGIN})|(?<=${END})`, 'u'))
    .map((text) => ({
      text: text.replace(BEGIN, '').replace(END, '').replaceAll(/\s+/gu, ' '),
      hit: text.startsWith(BEGIN),
    }))
    .filter(({ text }) => text !== '');
}

function cutOut(text: string, words: readonly string[]): FoundPiece[] {
  const at = text.indexOf(words[0] ?? '');
  const from = Math.max(0, at - BEFORE);
  const excerpt = text.slice(from, at + BEHIND).toWellFormed();
  let marked = `${from > 0 ? '…' : ''}${excerpt}${at + BEHIND < text.length ? '…' : ''}`;
  for (const word of words) marked = marked.replaceAll(word, `${BEGIN}${word}${END}`);
  return piecesOf(marked);
}

interface TextRow {
  readonly number: number;
  readonly seq: number;
  readonly id: string;
  readonly role: Role;
  readonly text: string | null;
}

/** The messages of a session in which something occurs, and how often in each, in their order. */
export function find(connection: Connection, { sessionId, query, matchCase }: FindQuery): Place[] {
  const pattern = findPattern(query, matchCase);
  const from = unindexed(connection);
  const rows = connection.iterate<TextRow>(
    `SELECT messages.number, seq, id, role, text FROM messages LEFT JOIN texts USING (number)
     WHERE session_id = ? AND role <> 'tool' ORDER BY seq`,
    sessionId,
  );
  const places: Place[] = [];
  for (const { number, seq, id, role, text } of rows) {
    const isWhole = text === null ? number > from : text.length < TEXT_LIMIT;
    const whole = isWhole ? (text ?? '') : textOf(connection, number, role);
    const hits = countMatches(whole, pattern);
    if (hits > 0) places.push({ seq, id, hits });
  }
  return places;
}

function textOf(connection: Connection, number: number, role: Role): string {
  const row = connection.get<{ parts: string }>(
    'SELECT parts FROM messages WHERE number = ?',
    number,
  );
  return row === undefined ? '' : findableText({ role, parts: stored<Part[]>(row.parts) });
}

/** Messages that the person wrote, the newest first. */
export function readPrompts(
  connection: Connection,
  { sessionId, others, limit }: PromptQuery,
): Prompt[] {
  return connection
    .all<Omit<Prompt, 'text'> & { readonly parts: string }>(
      `SELECT messages.session_id AS sessionId, seq, messages.id, parts FROM messages
       JOIN sessions ON sessions.id = messages.session_id
       WHERE messages.session_id ${others ? '<>' : '='} ? AND role = 'user'
         AND coalesce(origin, 'person') = 'person' AND ${LISTED}
       ORDER BY messages.number DESC LIMIT ?`,
      sessionId,
      limit,
    )
    .map(({ parts, ...prompt }) => ({ ...prompt, text: typedText(stored<Part[]>(parts)) }));
}

/** The typed words of a message, without what was taken of its mentions. */
function typedText(parts: readonly Part[]): string {
  return parts
    .flatMap((part) => (part.type === 'text' && part.mention === undefined ? [part.text] : []))
    .join('\n');
}
