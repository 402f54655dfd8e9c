import { told } from '../../domain/text/told.ts';
import { fault } from '../../domain/failure.ts';
import type { Write } from '../../core/ports/store/recorder.ts';
import type { Connection } from '../database/connection.ts';
import { saveAttachment } from './content.ts';
import { otherOwner } from './runs/leases.ts';
import { saveCheckpoint, saveLedgerEntry, saveRun, saveUsage } from './runs/run-writes.ts';
import {
  removeQueued,
  saveCompaction,
  saveMessage,
  saveQueued,
  saveSession,
} from './sessions/session-writes.ts';
import { saveValue } from './values.ts';

/** Applies one batch inside the transaction (or savepoint) that is open. Anything thrown undoes it. */
export function applyBatch(connection: Connection, writes: readonly Write[]): void {
  refuseForeign(connection, writes);
  for (const write of writes) applyWrite(connection, write);
}

function applyWrite(connection: Connection, write: Write): void {
  switch (write.kind) {
    case 'session':
      return saveSession(connection, write.session);
    case 'message':
      return saveMessage(connection, write.message);
    case 'run':
      return saveRun(connection, write.run);
    case 'checkpoint':
      return saveCheckpoint(connection, write.checkpoint);
    case 'ledger':
      return saveLedgerEntry(connection, write.entry);
    case 'compaction':
      return saveCompaction(connection, write.compaction);
    case 'usage':
      return saveUsage(connection, write.usage);
    case 'queued':
      return saveQueued(connection, write.queued);
    case 'dequeued':
      return removeQueued(connection, write.id);
    case 'attachment':
      return saveAttachment(connection, write.sessionId, write.attachment);
    case 'value':
      return saveValue(connection, write.key, write.value, write.sessionId);
    default:
      return write satisfies never;
  }
}

/** Refuses writes to history and runs of a session whose lease another living window holds. */
function refuseForeign(connection: Connection, writes: readonly Write[]): void {
  for (const sessionId of new Set(writes.map(ownedSession))) {
    if (sessionId === undefined) continue;
    const owner = otherOwner(connection, sessionId);
    if (owner === undefined) continue;
    throw fault(
      'busy',
      told`Another window (process ${String(owner.processId)}) owns this session. Nothing was recorded; go on in that window, or close it and take the session over here.`,
      { details: { processId: owner.processId } },
    );
  }
}

function ownedSession(write: Write): string | undefined {
  switch (write.kind) {
    case 'message':
      return write.message.sessionId;
    case 'run':
      return write.run.sessionId;
    case 'checkpoint':
      return write.checkpoint.sessionId;
    case 'ledger':
      return write.entry.sessionId;
    case 'compaction':
      return write.compaction.sessionId;
    case 'session':
    case 'usage':
    case 'queued':
    case 'dequeued':
    case 'attachment':
    case 'value':
      return undefined;
    default:
      return write satisfies never;
  }
}
