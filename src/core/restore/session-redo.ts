import { type BelayError, fault } from '../../domain/failure.ts';
import { told } from '../../domain/text/told.ts';
import type { RestorePreview } from './agent-changes.ts';
import type { ChangeRecord } from './storage/change-record.ts';
import { type Asked, askedOf } from '../run/opening.ts';
import type { LeftPath } from '../ports/files/workspace-snapshots.ts';
import { isOfPerson } from './cut.ts';
import { placesBehind } from './places.ts';
import { filesAgainText } from './restore-note.ts';
import { namesOf, newestRestore, readSession, setValues } from './restore-parts.ts';
import type { RestoreParts } from './restore-parts.ts';
import { LAST_KEY, lastFrom, NOTE_KEY, PLACES_KEY } from './restore-values.ts';
import type { LastRestore, RestoreNote } from './restore-values.ts';

/** The last restore of a session, and what undoing it would do to files. */
export interface Redoable {
  readonly last: LastRestore;
  readonly previews: readonly RestorePreview[];
  /** Messages that the person has sent since; they become a snapshot when the conversation comes back. */
  readonly since: number;
}

export interface Redone {
  readonly files: number;
  /** Files that could not be restored. */
  readonly left: readonly LeftPath[];
  readonly conversation: boolean;
  /** Given back to be sent again, and now in the conversation again. */
  readonly asked?: Asked;
}

export class SessionRedo {
  readonly #parts: RestoreParts;

  constructor(parts: RestoreParts) {
    this.#parts = parts;
  }

  /** The last restore, while it can be undone. */
  async redoable(sessionId: string): Promise<Redoable | undefined> {
    const last = lastFrom(await this.#parts.values.get(LAST_KEY, sessionId));
    if (last === undefined) return undefined;
    const { messages, records } = await readSession(this.#parts, sessionId);
    const snapshot = await this.#snapshotOf(sessionId, last);
    const record = restoreAfter(records, last);
    if (snapshot === undefined && record === undefined) return undefined;
    const previews =
      record === undefined ? [] : ((await this.#parts.changes?.preview([record])) ?? []);
    const since = messages.filter((one) => one.seq > last.afterSeq && isOfPerson(one)).length;
    return { last, previews, since };
  }

  /** Undoes the last restore as it was looked at; the conversation first, in case of a crash. */
  async redo(sessionId: string, previews: readonly RestorePreview[]): Promise<Redone> {
    const { agent, values, changes, states } = this.#parts;
    return agent.hold(sessionId, async (held) => {
      const last = lastFrom(await values.get(LAST_KEY, sessionId));
      if (last === undefined) throw nothingToRedo();
      const snapshot = await this.#snapshotOf(sessionId, last);
      if (snapshot !== undefined) {
        await held.giveUp();
        const { messages, records, places } = await readSession(this.#parts, sessionId);
        const { snapshotId: _done, ...files } = last;
        const left: LastRestore | null =
          previews.length === 0
            ? null
            : { ...files, what: 'files', afterSeq: snapshot.messageCount };
        await states.restore(snapshot.id, {
          title: 'Before redoing',
          values: {
            [LAST_KEY]: left,
            [PLACES_KEY]: placesBehind(snapshot.messageCount, messages, records, places),
          },
        });
      }
      const left: LeftPath[] = [];
      if (changes !== undefined && previews.length > 0) {
        left.push(...(await changes.restore(sessionId, previews)).left);
        const afterSeq = (await readSession(this.#parts, sessionId)).messages.at(-1)?.seq ?? 0;
        const isTold = snapshot === undefined && afterSeq !== last.afterSeq;
        const note: RestoreNote | null = isTold
          ? { afterSeq, text: filesAgainText(namesOf(previews)) }
          : null;
        await setValues(this.#parts, sessionId, { [LAST_KEY]: null, [NOTE_KEY]: note });
      } else if (snapshot === undefined)
        await setValues(this.#parts, sessionId, { [LAST_KEY]: null });
      const asked = snapshot === undefined ? undefined : await this.#askedBehind(sessionId, last);
      return {
        files: previews.length - left.length,
        left,
        conversation: snapshot !== undefined,
        ...(asked === undefined ? {} : { asked }),
      };
    });
  }

  /** The message before which the conversation was, now that it is back. */
  async #askedBehind(sessionId: string, { afterSeq }: LastRestore): Promise<Asked | undefined> {
    const { messages } = await readSession(this.#parts, sessionId);
    const message = messages.find((one) => one.seq > afterSeq && isOfPerson(one));
    return message && askedOf(message.parts, () => this.#parts.ids.next('attachment'));
  }

  /** The last restore, when nothing was sent since and it can be undone. Cheap. */
  async last(sessionId: string): Promise<LastRestore | undefined> {
    const last = lastFrom(await this.#parts.values.get(LAST_KEY, sessionId));
    if (last === undefined) return undefined;
    const { transcripts, changes } = this.#parts;
    const [newest] = await transcripts.messages({ sessionId, limit: 1 });
    if ((newest?.seq ?? 0) !== last.afterSeq) return undefined;
    if ((await this.#snapshotOf(sessionId, last)) !== undefined) return last;
    return restoreAfter((await changes?.list(sessionId)) ?? [], last) && last;
  }

  async #snapshotOf(sessionId: string, { snapshotId }: LastRestore) {
    if (snapshotId === undefined) return undefined;
    return (await this.#parts.states.list(sessionId)).find(({ id }) => id === snapshotId);
  }
}

/** The record of the restore of files that belongs to the last restore. */
function restoreAfter(
  records: readonly ChangeRecord[],
  { filesSince }: LastRestore,
): ChangeRecord | undefined {
  const newest = newestRestore(records);
  return filesSince === undefined || newest?.at === filesSince ? undefined : newest;
}

function nothingToRedo(): BelayError {
  return fault('not_found', told`There is no restore in this session that could be undone.`);
}
