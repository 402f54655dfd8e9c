import { fault } from '../../domain/failure.ts';
import { resolvePath } from '../../domain/paths.ts';
import { told } from '../../domain/text/told.ts';
import {
  type RestorePreview,
  type RestoredFiles,
  RESTORE,
  UNDO,
  isRestorable,
  recordsSince,
} from './agent-changes.ts';
import { isOfPerson } from './cut.ts';
import { type RestoreParts, readSession } from './restore-parts.ts';
import type { ChangeRecord } from './storage/change-record.ts';

interface TurnUndoParts extends Pick<RestoreParts, 'agent' | 'transcripts' | 'values' | 'changes'> {
  /** Brings pending changes up to files that were written. */
  readonly follow: (paths: readonly string[]) => Promise<void>;
}

/**
 * Undoes the edits of one turn, which is a message of the user and its answer: what came after it stays, by a three-way
 * merge. What commands changed is not part of a turn.
 */
export class TurnUndo {
  readonly #parts: TurnUndoParts;

  constructor(parts: TurnUndoParts) {
    this.#parts = parts;
  }

  /**
   * Returns what undoing the turn would do to each of its files; a file that changed at the same lines since is a
   * conflict, and stays unless the user chooses otherwise.
   * @throws BelayError `not_found` when the message is not in the conversation any more
   */
  async preview(sessionId: string, messageId: string): Promise<readonly RestorePreview[]> {
    const { messages, records, places } = await readSession(this.#parts, sessionId);
    const requests = messages.filter(isOfPerson);
    const at = requests.findIndex(({ id }) => id === messageId);
    const [request, next] = [requests[at], requests[at + 1]];
    if (request === undefined)
      throw fault(
        'not_found',
        told`This message is not in the conversation any more. Nothing was undone.`,
      );
    const later = new Set(
      next === undefined ? [] : recordsSince(next.seq, messages, records, places),
    );
    const own = recordsSince(request.seq, messages, records, places).filter(
      (record) =>
        !later.has(record) &&
        record.exact === true &&
        record.tool !== RESTORE &&
        record.tool !== UNDO,
    );
    return (await this.#parts.changes?.preview(own)) ?? [];
  }

  /** Undoes what was previewed. Rejects with `busy` while a run is on, or `invalid` when no file could be undone. */
  async undo(sessionId: string, previews: readonly RestorePreview[]): Promise<RestoredFiles> {
    const { agent, changes, follow } = this.#parts;
    if (changes === undefined) throw new Error('There are no changes without snapshots.');
    return agent.hold(sessionId, async () => {
      const done = await changes.restore(sessionId, previews, UNDO);
      await follow(previews.map(({ root, path }) => resolvePath(root, path)));
      return done;
    });
  }

  /** Brings back what an undo took away; what changed since stays. */
  async redo(sessionId: string, record: ChangeRecord): Promise<RestoredFiles> {
    const previews = (await this.#parts.changes?.preview([record])) ?? [];
    return this.undo(sessionId, previews.filter(isRestorable));
  }
}
