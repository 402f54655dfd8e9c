import type {
  Attachment,
  Compaction,
  QueuedMessage,
  Session,
} from '../../../domain/session/session.ts';
import type { Checkpoint, LedgerEntry, Run } from '../../../domain/run.ts';
import type { Json } from '../../../domain/data/json.ts';
import type { Message } from '../../../domain/message.ts';
import type { RunEvent } from '../../../domain/event.ts';
import type { UsageRecord } from '../../../core/ports/store/recorder.ts';
import type { Connection } from '../../database/connection.ts';
import type { TakenQuery } from '../taken-query.ts';
import { bit, whole } from '../columns.ts';
import { saveAttachment, saveResult } from '../content.ts';
import { saveEvents } from '../event-records.ts';
import { insertUsage, saveCheckpoint, saveLedgerEntry, saveRun } from '../runs/run-writes.ts';
import { indexTitle } from '../search-index.ts';
import { insertMessage, saveCompaction, saveQueued } from './session-writes.ts';
import { indexMessages } from '../snapshots.ts';
import { saveValue } from '../values.ts';

/** One record of an imported file, its ids already free here. */
export type ImportRecord =
  | { readonly kind: 'message'; readonly message: Message }
  | { readonly kind: 'compaction'; readonly compaction: Compaction }
  | { readonly kind: 'run'; readonly run: Run }
  | { readonly kind: 'checkpoint'; readonly checkpoint: Checkpoint }
  | { readonly kind: 'ledger'; readonly entry: LedgerEntry }
  | { readonly kind: 'usage'; readonly usage: UsageRecord }
  | { readonly kind: 'event'; readonly event: RunEvent; readonly epoch: number }
  | {
      readonly kind: 'result';
      readonly sessionId: string;
      readonly id: string;
      readonly text: string;
    }
  | { readonly kind: 'attachment'; readonly sessionId: string; readonly attachment: Attachment }
  | { readonly kind: 'queued'; readonly queued: QueuedMessage }
  | {
      readonly kind: 'value';
      readonly sessionId: string;
      readonly key: string;
      readonly value: Json;
    };

/** Sessions being imported are invisible until `finish`; after a crash the next open deletes them. */
export type ImportCall =
  | { readonly step: 'begin'; readonly sessions: readonly Session[]; readonly epoch: number }
  | { readonly step: 'records'; readonly records: readonly ImportRecord[] }
  | { readonly step: 'finish'; readonly sessionIds: readonly string[] }
  | { readonly step: 'abandon'; readonly sessionIds: readonly string[] };

/** One step of an import, in a transaction of its own: other sessions' commits go in between. */
export function importStep(connection: Connection, call: ImportCall): void {
  connection.transaction(() => {
    switch (call.step) {
      case 'begin':
        for (const session of call.sessions) insertSession(connection, session, call.epoch);
        return;
      case 'records':
        for (const record of call.records) insertRecord(connection, record);
        return;
      case 'finish':
        for (const id of call.sessionIds) finish(connection, id);
        return;
      case 'abandon':
        for (const id of call.sessionIds) {
          connection.run('DELETE FROM sessions WHERE id = ? AND importing IS NOT NULL', id);
        }
        return;
      default:
        call satisfies never;
    }
  });
}

/** With its tokens and cost as they were: the usage records that follow are not added again. */
function insertSession(connection: Connection, session: Session, epoch: number): void {
  connection.run(
    `INSERT INTO sessions (id, parent_id, type, title, input_tokens, output_tokens, cost, cost_unknown,
       summary_id, model, created_at, updated_at, touched, importing)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, ?)`,
    session.id,
    session.parentId ?? null,
    session.type,
    session.title,
    whole(session.inputTokens),
    whole(session.outputTokens),
    session.cost,
    bit(session.costUnknown),
    session.summaryId ?? null,
    session.model ?? null,
    whole(session.createdAt),
    whole(session.updatedAt),
    epoch,
  );
}

function insertRecord(connection: Connection, record: ImportRecord): void {
  switch (record.kind) {
    case 'message':
      insertMessage(connection, record.message);
      return;
    case 'compaction':
      return saveCompaction(connection, record.compaction);
    case 'run':
      return saveRun(connection, record.run);
    case 'checkpoint':
      return saveCheckpoint(connection, record.checkpoint);
    case 'ledger':
      return saveLedgerEntry(connection, record.entry);
    case 'usage':
      return insertUsage(connection, record.usage, true);
    case 'event':
      return saveEvents(connection, record.epoch, [record.event]);
    case 'result':
      return saveResult(connection, record.sessionId, record.id, record.text);
    case 'attachment':
      return saveAttachment(connection, record.sessionId, record.attachment);
    case 'queued':
      return saveQueued(connection, record.queued);
    case 'value':
      return saveValue(connection, record.key, record.value, record.sessionId);
    default:
      return record satisfies never;
  }
}

function finish(connection: Connection, id: string): void {
  const session = connection.get<{ number: number; title: string }>(
    `UPDATE sessions SET importing = NULL,
       touched = (SELECT max(touched) + 1 FROM sessions),
       message_count = (SELECT count(*) FROM messages WHERE session_id = sessions.id)
     WHERE id = ? AND importing IS NOT NULL RETURNING number, title`,
    id,
  );
  if (session === undefined) return;
  indexTitle(connection, session.number, id, session.title);
  indexMessages(connection, id);
}

/** The ids in use among these. */
export function takenIds(connection: Connection, query: TakenQuery): string[] {
  const tables = { sessions: query.sessions, runs: query.runs, queued: query.queued };
  return Object.entries(tables).flatMap(([table, ids]) =>
    ids.filter((id) => connection.get(`SELECT 1 FROM ${table} WHERE id = ?`, id) !== undefined),
  );
}
