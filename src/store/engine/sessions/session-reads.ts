import type {
  Attachment,
  Compaction,
  QueuedMessage,
  Session,
  SessionType,
} from '../../../domain/session/session.ts';
import type { MessageQuery } from '../../../core/ports/store/transcripts.ts';
import type { Connection } from '../../database/connection.ts';
import { NO_LIMIT, optional, same, stored } from '../columns.ts';

interface SessionRow {
  readonly id: string;
  readonly parent_id: string | null;
  readonly type: SessionType;
  readonly title: string;
  readonly message_count: number;
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly cost: number;
  readonly cost_unknown: number;
  readonly summary_id: string | null;
  readonly model: string | null;
  readonly persona: string | null;
  readonly pinned: number;
  readonly archived: number;
  readonly last_run: string | null;
  readonly summarized: number;
  readonly created_at: number;
  readonly updated_at: number;
}

const SESSION_COLUMNS = `id, parent_id, type, title, message_count, input_tokens, output_tokens, cost,
  cost_unknown, summary_id, model, persona, pinned, archived, created_at, updated_at,
  (SELECT state FROM runs WHERE session_id = sessions.id ORDER BY number DESC LIMIT 1) AS last_run,
  EXISTS (SELECT 1 FROM compactions WHERE session_id = sessions.id AND undone = 0) AS summarized`;

/** Snapshots and sessions still being imported are not shown. */
const VISIBLE = 'snapshot_of IS NULL AND importing IS NULL';

export function readSessions(connection: Connection): Session[] {
  return connection
    .all<SessionRow>(
      `SELECT ${SESSION_COLUMNS} FROM sessions WHERE ${VISIBLE} ORDER BY touched DESC`,
    )
    .map(sessionFrom);
}

export function readSession(connection: Connection, id: string): Session | undefined {
  const row = connection.get<SessionRow>(
    `SELECT ${SESSION_COLUMNS} FROM sessions WHERE id = ? AND ${VISIBLE}`,
    id,
  );
  return row === undefined ? undefined : sessionFrom(row);
}

function sessionFrom(row: SessionRow): Session {
  return {
    id: row.id,
    ...optional('parentId', row.parent_id, same),
    type: row.type,
    title: row.title,
    messageCount: row.message_count,
    inputTokens: row.input_tokens,
    outputTokens: row.output_tokens,
    cost: row.cost,
    ...(row.cost_unknown === 1 ? { costUnknown: true } : {}),
    ...optional('summaryId', row.summary_id, same),
    ...(row.summarized === 1 ? { summarized: true } : {}),
    ...optional('model', row.model, same),
    ...optional('persona', row.persona, same),
    ...(row.pinned === 1 ? { pinned: true } : {}),
    ...(row.archived === 1 ? { archived: true } : {}),
    ...(row.last_run === 'failed' ? { failed: true } : {}),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

/** A message as it crosses to the other side: its parts are still text, parsed only there. */
export interface MessageRow {
  readonly id: string;
  readonly session_id: string;
  readonly run_id: string | null;
  readonly seq: number;
  readonly role: string;
  readonly origin: string | null;
  readonly model: string | null;
  readonly created_at: number;
  readonly usage: string | null;
  readonly parts: string;
}

export const MESSAGE_COLUMNS =
  'id, session_id, run_id, seq, role, origin, model, created_at, usage, parts';

/** Messages in ascending order; with a limit, the newest ones. */
export function readMessages(connection: Connection, query: MessageQuery): MessageRow[] {
  const rows = connection.all<MessageRow>(
    `SELECT ${MESSAGE_COLUMNS} FROM messages WHERE session_id = ? AND seq < ? AND seq > ?
     ORDER BY seq DESC LIMIT ?`,
    query.sessionId,
    query.beforeSeq ?? Number.MAX_SAFE_INTEGER,
    query.afterSeq ?? 0,
    query.limit ?? NO_LIMIT,
  );
  return rows.toReversed();
}

interface CompactionRow {
  readonly id: string;
  readonly session_id: string;
  readonly through_seq: number;
  readonly strategy: Compaction['strategy'];
  readonly reason: string;
  readonly tokens_before: number;
  readonly tokens_after: number;
  readonly undone: number;
  readonly created_at: number;
  readonly summary: string;
}

/** A summary with the limits that belong to it. */
type LimitedSummary = Pick<Compaction, 'resultLimit' | 'requestLimit'> & { readonly text: string };

function summaryOf(kept: string | LimitedSummary) {
  if (typeof kept === 'string') return { summary: kept };
  const { text: summary, ...limits } = kept;
  return { summary, ...limits };
}

export function readCompactions(connection: Connection, sessionId: string): Compaction[] {
  return connection
    .all<CompactionRow>('SELECT * FROM compactions WHERE session_id = ? ORDER BY number', sessionId)
    .map((row) => ({
      id: row.id,
      sessionId: row.session_id,
      throughSeq: row.through_seq,
      ...summaryOf(stored<string | LimitedSummary>(row.summary)),
      strategy: row.strategy,
      reason: row.reason,
      tokensBefore: row.tokens_before,
      tokensAfter: row.tokens_after,
      undone: row.undone === 1,
      createdAt: row.created_at,
    }));
}

interface QueuedRow {
  readonly id: string;
  readonly session_id: string;
  readonly position: number;
  readonly mode: QueuedMessage['mode'];
  readonly created_at: number;
  readonly text: string;
  readonly attachments: string;
  readonly origin: QueuedMessage['origin'] | null;
}

/** Queued messages, of one session or of all, in the order in which they go. */
export function readQueued(connection: Connection, sessionId?: string): QueuedMessage[] {
  const rows =
    sessionId === undefined
      ? connection.all<QueuedRow>('SELECT * FROM queued ORDER BY session_id, position, number')
      : connection.all<QueuedRow>(
          'SELECT * FROM queued WHERE session_id = ? ORDER BY position, number',
          sessionId,
        );
  return rows.map((row) => ({
    id: row.id,
    sessionId: row.session_id,
    position: row.position,
    text: stored<string>(row.text),
    attachments: stored<Attachment[]>(row.attachments),
    mode: row.mode,
    ...optional('origin', row.origin, same),
    createdAt: row.created_at,
  }));
}

/** The draft of a session, its parts as JSON text. */
export function readDraft(
  connection: Connection,
  sessionId: string,
): { readonly messageId: string; readonly parts: string } | undefined {
  return connection.get(
    'SELECT message_id AS messageId, parts FROM drafts WHERE session_id = ?',
    sessionId,
  );
}

/** Ids of the sessions that a session delegated to, oldest first. */
export function readChildren(connection: Connection, sessionId: string): string[] {
  return connection
    .all<{ id: string }>(
      `SELECT id FROM sessions WHERE parent_id = ? AND ${VISIBLE} ORDER BY number`,
      sessionId,
    )
    .map((row) => row.id);
}
