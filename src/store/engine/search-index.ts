import type { Part, Role } from '../../domain/message.ts';
import { readableText } from '../../domain/text/readable-text.ts';
import type { Connection } from '../database/connection.ts';
import { stored } from './columns.ts';

/** Characters of one message that are kept as text; more would slow every commit for little. */
export const TEXT_LIMIT = 200_000;
/** Characters of an argument of a call: a path, a command, a pattern; not a whole file. */
const ARGUMENT = 300;
/** Milliseconds of a step of the index in the background: whoever commits meanwhile waits no longer. */
const STEP = 8;
/** Messages that are read at a time. */
const BATCH = 50;

/** Makes a title findable. Call it after every change of the title. */
export function indexTitle(
  connection: Connection,
  number: number,
  id: string,
  title: string,
): void {
  connection.run('DELETE FROM title_search WHERE rowid = ?', number);
  connection.run(
    'INSERT INTO title_search (rowid, text, session_id) VALUES (?, ?, ?)',
    number,
    title,
    id,
  );
}

interface Findable {
  readonly role: Role;
  readonly parts: readonly Part[];
}

/** Makes the text of a message findable, in the place of what it had before. */
export function indexText(connection: Connection, number: number, message: Findable): void {
  connection.run('DELETE FROM texts WHERE number = ?', number);
  const text = findableText(message).slice(0, TEXT_LIMIT);
  if (text !== '')
    connection.run('INSERT INTO texts (number, text) VALUES (?, ?)', number, text.toWellFormed());
}

/** The text of a message that is read: said and thought, and the subjects of calls; not their results. */
export function findableText({ role, parts }: Findable): string {
  const texts = parts.map((part) => {
    switch (part.type) {
      case 'text':
        if (part.mention !== undefined) return '';
        return role === 'assistant' ? readableText(part.text) : part.text;
      case 'reasoning':
        return readableText(part.text);
      case 'tool_call':
        return Object.values(part.input)
          .filter((value) => typeof value === 'string')
          .map((value) => value.slice(0, ARGUMENT))
          .join('\n');
      default:
        return '';
    }
  });
  return texts
    .filter((text) => text !== '')
    .join('\n')
    .replaceAll('\0', ' ');
}

interface Unread {
  readonly number: number;
  readonly role: Role;
  readonly parts: string;
}

/** Gives messages of before the index their texts, the newest first, a few at a time; says whether there are more. */
export function indexStep(connection: Connection): boolean {
  const end = performance.now() + STEP;
  let from = unindexed(connection);
  while (from !== 0 && performance.now() < end) {
    const rows = connection.all<Unread>(
      `SELECT number, role, parts FROM messages NOT INDEXED
       WHERE number <= ? AND session_id IN
         (SELECT id FROM sessions WHERE snapshot_of IS NULL AND importing IS NULL)
         AND NOT EXISTS (SELECT 1 FROM texts WHERE texts.number = messages.number)
       ORDER BY number DESC LIMIT ?`,
      from,
      BATCH,
    );
    if (rows.length === 0) from = 0;
    for (const { number, role, parts } of rows) {
      indexText(connection, number, { role, parts: stored<Part[]>(parts) });
      from = number - 1;
      if (performance.now() >= end) break;
    }
  }
  connection.run("UPDATE meta SET value = ? WHERE key = 'unindexed'", from);
  return from !== 0;
}

/** Messages up to this number may have no text yet; 0: all have. */
export function unindexed(connection: Connection): number {
  const row = connection.get<{ value: number }>("SELECT value FROM meta WHERE key = 'unindexed'");
  return row?.value ?? 0;
}

/** Scripts that are written without blanks: their words are not in the index. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

/** A typed query for FTS5: every word must occur, the last perhaps unfinished. */
export function matchExpression(query: string): string | undefined {
  const words = wordsOf(query);
  if (words.length === 0) return undefined;
  return words.map((word) => `"${word}"*`).join(' ');
}

/** Words that must be looked for in the texts themselves; `undefined`: the index has all. */
export function unspacedWords(query: string): readonly string[] | undefined {
  return UNSPACED.test(query) ? wordsOf(query) : undefined;
}

const wordsOf = (query: string): readonly string[] =>
  query.match(/[\p{L}\p{N}\p{M}\p{Co}]+/gu) ?? [];
