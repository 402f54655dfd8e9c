import { fault } from '../../domain/failure.ts';
import { told } from '../../domain/text/told.ts';
import type { Json } from '../../domain/data/json.ts';
import type { Message } from '../../domain/message.ts';
import type { LeftPath } from '../ports/files/workspace-snapshots.ts';
import { type RestorePreview, pathsIn, recordsSince } from './agent-changes.ts';
import type { ChangeRecord } from './storage/change-record.ts';
import type { Held } from '../run/agent.ts';
import { decisionsIn, decisionsTold } from '../run/model-notices.ts';
import { type Asked, askedOf } from '../run/opening.ts';
import { JOURNAL_KEY, journalAfter } from '../session/journals.ts';
import { TODO_KEY, todoAfter } from '../session/todo-lists.ts';
import { cutBefore, countsFrom, isOfPerson } from './cut.ts';
import { forgottenUntil } from './storage/forgotten.ts';
import { placesAfterCut, placesBehind } from './places.ts';
import { conversationOnlyText, filesOnlyText, keptFilesText } from './restore-note.ts';
import type { RequestCheckpoint } from './request-checkpoints.ts';
import { checkpointsOf, namesOf, newestRestore, readSession, setValues } from './restore-parts.ts';
import type { ReadSession, RestoreParts } from './restore-parts.ts';
import { LAST_KEY, NOTE_KEY, noteAt, PLACES_KEY, placesFrom } from './restore-values.ts';
import type { LastRestore, RestoreNote, RestoreWhat } from './restore-values.ts';
import { titleOf } from './title-of.ts';

/** A message of the person before which everything can be as it was. */
export interface RestoreTarget {
  readonly sessionId: string;
  readonly message: Message;
  /** `seq` of the last message of the conversation when this was read. */
  readonly lastSeq: number;
  /** Taken out of the conversation. */
  readonly requests: number;
  readonly answers: number;
  readonly records: readonly ChangeRecord[];
  /** Paths in them. */
  readonly files: number;
  /** Milliseconds since the epoch: until then it is not known any more what calls since the message changed. */
  readonly forgottenUntil?: number;
  /** The workspace as it was then: it knows what no call is on record for, and what it does not hold. */
  readonly checkpoint?: RequestCheckpoint;
}

export interface RestoreRequest {
  readonly target: RestoreTarget;
  readonly what: RestoreWhat;
  /** The files to restore, as they were looked at. */
  readonly previews: readonly RestorePreview[];
  /** Files that were looked at and stay, because the person has changed them. */
  readonly kept?: readonly string[];
}

export interface Restored {
  readonly files: number;
  /** Files that could not be restored. */
  readonly left: readonly LeftPath[];
  /** Messages of the user that were taken out, and answers. */
  readonly requests: number;
  readonly answers: number;
  /** The message that can be edited and sent again; absent: the conversation is as it was. */
  readonly asked?: Asked;
}

interface FilesPutBack {
  readonly last: LastRestore;
  readonly left: readonly LeftPath[];
}

/** Takes files, conversation or both back to before a message; files first, for crashes. */
export class SessionRestore {
  readonly #parts: RestoreParts;

  constructor(parts: RestoreParts) {
    this.#parts = parts;
  }

  /** The messages of the person in a session, the newest first. */
  async targets(sessionId: string): Promise<readonly RestoreTarget[]> {
    const { messages, records, places } = await readSession(this.#parts, sessionId);
    const checkpoints = await checkpointsOf(this.#parts, sessionId);
    const lastSeq = messages.at(-1)?.seq ?? 0;
    const until = await forgottenUntil(this.#parts.values, sessionId);
    return messages
      .filter(isOfPerson)
      .map((message): RestoreTarget => {
        const since = recordsSince(message.seq, messages, records, places);
        const counts = countsFrom(messages, cutBefore(messages, message.id));
        const files = pathsIn(since).length;
        const checkpoint = checkpoints.get(message.id);
        const forgotten =
          until !== undefined && message.createdAt <= until ? { forgottenUntil: until } : {};
        const target = {
          sessionId,
          message,
          lastSeq,
          ...counts,
          records: since,
          files,
          ...forgotten,
        };
        return checkpoint === undefined ? target : { ...target, checkpoint };
      })
      .toReversed();
  }

  /** Rejects with `not_found`. */
  async target(sessionId: string, messageId: string): Promise<RestoreTarget> {
    const found = (await this.targets(sessionId)).find(({ message }) => message.id === messageId);
    if (found !== undefined) return found;
    const message = told`This message is not in the conversation any more. Nothing was changed.`;
    throw fault('not_found', message);
  }

  async preview(
    records: readonly ChangeRecord[],
    checkpoint?: RequestCheckpoint,
  ): Promise<readonly RestorePreview[]> {
    return (await this.#parts.changes?.preview(records, checkpoint)) ?? [];
  }

  /** Counts undecided changes that stay in these files when they are restored: they count as kept. */
  async countUndecided(previews: readonly RestorePreview[]): Promise<number> {
    return (await this.#parts.changes?.countUndecided(previews)) ?? 0;
  }

  /** Restores what was looked at. Rejects with `busy`, or `invalid` after a change. */
  async restore(request: RestoreRequest): Promise<Restored> {
    const { target, what } = request;
    return this.#parts.agent.hold(target.sessionId, async (held) => {
      await this.#refuseChanged(target);
      const files =
        what === 'conversation' || request.previews.length === 0
          ? undefined
          : await this.#restoreFiles(request);
      if (what === 'files')
        return { files: files?.last.files ?? 0, left: files?.left ?? [], requests: 0, answers: 0 };
      return this.#rewind(request, held, files);
    });
  }

  /** The whole session as a snapshot has it, or empty; the last restore from then on. */
  async replace(
    sessionId: string,
    by: { readonly id: string; readonly title: string; readonly messageCount: number } | undefined,
  ): Promise<void> {
    const { agent, states, ids, clock } = this.#parts;
    await agent.hold(sessionId, async (held) => {
      await held.giveUp();
      const { messages, records, places } = await readSession(this.#parts, sessionId);
      const afterSeq = by?.messageCount ?? 0;
      const keepId = ids.next('session');
      const next = placesBehind(afterSeq, messages, records, places);
      const note = by === undefined ? null : await this.#noteOf(by, { messages, records, next });
      const last: LastRestore = {
        what: 'conversation',
        title: by?.title ?? 'the first message',
        ...(by === undefined ? {} : { isSnapshot: true }),
        at: clock.now(),
        afterSeq,
        snapshotId: keepId,
        messages: messages.filter(isOfPerson).length,
        files: 0,
      };
      const change = {
        keepId,
        values: {
          [LAST_KEY]: last,
          [NOTE_KEY]: note,
          [PLACES_KEY]: next,
        },
      };
      if (by === undefined) await states.reset(sessionId, change);
      else await states.restore(by.id, change);
    });
  }

  /** The note for the model when the conversation became a snapshot. */
  async #noteOf(
    { id, messageCount: afterSeq }: { readonly id: string; readonly messageCount: number },
    {
      messages,
      records,
      next,
    }: Pick<ReadSession, 'messages' | 'records'> & { readonly next: Json },
  ): Promise<RestoreNote> {
    const kept = await this.#parts.transcripts.messages({ sessionId: id });
    const changed = pathsIn(recordsSince(afterSeq, kept, records, placesFrom(next)));
    const known = new Set(decisionsTold(kept));
    const decided = decisionsTold(messages).filter((text) => !known.has(text));
    return { afterSeq, text: conversationOnlyText(changed, decided) };
  }

  /** Restores files alone, in a session that nothing else is done to: a fork. Gives those that could not be. */
  async restoreFilesIn(
    sessionId: string,
    title: string,
    previews: readonly RestorePreview[],
  ): Promise<readonly LeftPath[]> {
    return this.#parts.agent.hold(sessionId, async () => {
      const lastSeq = (await readSession(this.#parts, sessionId)).messages.at(-1)?.seq ?? 0;
      const request = { sessionId, title, lastSeq, previews, isTold: false };
      return (await this.#putFilesBack(request)).left;
    });
  }

  async #refuseChanged({ sessionId, lastSeq }: RestoreTarget): Promise<void> {
    const { messages } = await readSession(this.#parts, sessionId);
    if ((messages.at(-1)?.seq ?? 0) === lastSeq) return;
    const message = told`The conversation has changed meanwhile. Nothing was restored; look at it again.`;
    throw fault('invalid', message);
  }

  async #restoreFiles({ target, what, previews }: RestoreRequest): Promise<FilesPutBack> {
    const { sessionId, message, lastSeq } = target;
    return this.#putFilesBack({
      sessionId,
      title: titleOf(message),
      lastSeq,
      previews,
      isTold: what === 'files',
    });
  }

  /** The way back is on disk before the restore; it counts once the restore is on record. */
  async #putFilesBack(request: {
    readonly sessionId: string;
    readonly title: string;
    readonly lastSeq: number;
    readonly previews: readonly RestorePreview[];
    /** The model is told with the next message. */
    readonly isTold: boolean;
  }): Promise<FilesPutBack> {
    const { sessionId, title, lastSeq, previews, isTold } = request;
    const { changes, values, clock } = this.#parts;
    const before = {
      [LAST_KEY]: (await values.get(LAST_KEY, sessionId)) ?? null,
      [NOTE_KEY]: (await values.get(NOTE_KEY, sessionId)) ?? null,
    };
    const last: LastRestore = {
      what: 'files',
      title,
      at: clock.now(),
      afterSeq: lastSeq,
      filesSince: newestRestore((await changes?.list(sessionId)) ?? [])?.at ?? 0,
      messages: 0,
      files: previews.length,
    };
    const noteAbout = (names: readonly string[]): RestoreNote | null =>
      isTold ? { afterSeq: lastSeq, text: filesOnlyText(names) } : null;
    const all = { [LAST_KEY]: last, [NOTE_KEY]: noteAbout(namesOf(previews)) };
    await setValues(this.#parts, sessionId, all);
    try {
      const { left = [] } = (await changes?.restore(sessionId, previews)) ?? {};
      if (left.length === 0) return { last, left };
      const done = { ...last, files: previews.length - left.length };
      const names = namesOf(previews).filter((name) => !namesOf(left).includes(name));
      const some = { [LAST_KEY]: done, [NOTE_KEY]: noteAbout(names) };
      await setValues(this.#parts, sessionId, some);
      return { last: done, left };
    } catch (error) {
      await setValues(this.#parts, sessionId, before);
      throw error;
    }
  }

  async #rewind(
    { target, what, kept = [] }: RestoreRequest,
    held: Held,
    files: FilesPutBack | undefined,
  ): Promise<Restored> {
    const { ids, clock, states } = this.#parts;
    const { sessionId, message } = target;
    await held.giveUp();
    const { messages, records, places } = await readSession(this.#parts, sessionId);
    const untold = await noteAt(this.#parts.values, sessionId, messages.at(-1)?.seq ?? 0);
    const fromSeq = cutBefore(messages, message.id);
    const gone = messages.filter(({ seq }) => seq >= fromSeq);
    const counts = countsFrom(messages, fromSeq);
    const title = titleOf(message);
    const keepId = ids.next('session');
    const last: LastRestore = {
      ...(files?.last ?? { at: clock.now(), files: 0 }),
      what: files === undefined ? 'conversation' : 'both',
      title,
      afterSeq: fromSeq - 1,
      snapshotId: keepId,
      messages: counts.requests,
    };
    const changed = pathsIn(recordsSince(message.seq, messages, records, places));
    // The last ones are of a restore just before, which nothing was sent after.
    const decided = [...decisionsTold(gone), ...decisionsIn(untold ?? '')];
    const left = files?.left ?? [];
    const stayed = [...kept, ...namesOf(left)];
    const text =
      what === 'both' ? keptText(stayed, decided) : conversationOnlyText(changed, decided);
    const note: RestoreNote | null = text === undefined ? null : { afterSeq: fromSeq - 1, text };
    const todo = todoAfter(messages, fromSeq - 1);
    const journal = await this.#parts.values.get(JOURNAL_KEY, sessionId);
    await states.rewind({
      sessionId,
      fromSeq,
      lastSeq: messages.at(-1)?.seq ?? 0,
      keepId,
      title: `Before going back to “${title}”`,
      values: {
        [LAST_KEY]: last,
        [NOTE_KEY]: note,
        [PLACES_KEY]: placesAfterCut(fromSeq, messages, records, places),
        ...(todo === undefined ? {} : { [TODO_KEY]: todo }),
        ...journalAfter(journal, messages, fromSeq - 1),
      },
    });
    const asked = askedOf(message.parts, () => ids.next('attachment'));
    return { files: files?.last.files ?? 0, left, ...counts, asked };
  }
}

const keptText = (kept: readonly string[], decided: readonly string[]): string | undefined =>
  kept.length === 0 ? undefined : keptFilesText(kept, decided);
