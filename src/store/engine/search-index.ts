import type { Message } from '../../domain/message.ts';
import type { Connection } from '../database/connection.ts';

/** Characters of one message that can be found; more would slow every commit for little. */
const INDEXED_CHARACTERS = 20_000;

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

/** Makes the text of a new message findable. */
export function indexText(
  connection: Connection,
  number: number,
  message: Pick<Message, 'sessionId' | 'seq' | 'parts'>,
): void {
  const text = findableText(message);
  if (text === '') return;
  connection.run(
    'INSERT INTO text_search (rowid, text, session_id, seq) VALUES (?, ?, ?, ?)',
    number,
    text,
    message.sessionId,
    message.seq,
  );
}

/** Takes a message's text out, before it is replaced. */
export function unindexText(connection: Connection, number: number): void {
  connection.run('DELETE FROM text_search WHERE rowid = ?', number);
}

/** The text parts; not thinking, not tool results. */
function findableText(message: Pick<Message, 'parts'>): string {
  let text = '';
  for (const part of message.parts) {
    if (part.type !== 'text') continue;
    text += text === '' ? part.text : `\n${part.text}`;
    if (text.length >= INDEXED_CHARACTERS) break;
  }
  return text.slice(0, INDEXED_CHARACTERS).replaceAll('\0', ' ').toWellFormed();
}

/** A typed query for FTS5: every word must occur, the last perhaps unfinished. */
export function matchExpression(query: string): string | undefined {
  const words = query.match(/[\p{L}\p{N}\p{M}\p{Co}]+/gu) ?? [];
  if (words.length === 0) return undefined;
  return words.map((word) => `"${word}"*`).join(' ');
}
