import type { Disposable } from '../../../domain/lifetime/disposable.ts';
import type { PendingChange } from '../model/hunks.ts';
import type { ChangeEvidence } from '../../../domain/review/evidence.ts';
import type { RunEvent } from '../../../domain/event.ts';
import { Listeners } from '../../../domain/lifetime/listeners.ts';
import { type Message, toolResultsOf } from '../../../domain/message.ts';
import type { FileStat } from '../../ports/files/file-system.ts';
import type { Log } from '../../ports/log.ts';
import type { RunRecords } from '../../ports/store/run-records.ts';
import type { Transcripts } from '../../ports/store/transcripts.ts';
import type { EventBroker } from '../../session/event-broker.ts';
import { type FileState, authorsOf, evidenceOf } from './change-evidence.ts';
import { type Note, type SessionFacts, factsOf, isTestRun, noteOf } from './session-facts.ts';

/** Messages read at a time, and in all from a session's end, to find the calls of a change. */
const PAGE_MESSAGES = 200;
const MAX_MESSAGES = 4000;

export interface EvidenceParts {
  readonly transcripts: Pick<Transcripts, 'messages'>;
  readonly runs: Pick<RunRecords, 'ledgerEntry'>;
  readonly broker: Pick<EventBroker, 'listen'>;
  /** A file as it is on disk, and whether an editor has unsaved text of it. */
  readonly stat: (path: string) => Promise<Pick<FileStat, 'modifiedAt' | 'unsaved'> | undefined>;
  readonly log: Log;
}

/** A session's messages from the oldest that was needed to the newest. */
interface Read {
  notes: readonly Note[];
  facts: SessionFacts;
  /** Calls that were looked for as far as anybody looks. */
  readonly missing: Set<string>;
  /** One reading after the other. */
  turn: Promise<void>;
}

/** Evidence of pending changes, from what is on record: read when it is asked for, and followed from then on. */
export class EvidenceRecords implements Disposable {
  readonly #parts: EvidenceParts;
  readonly #sessions = new Map<string, Read>();
  /** Files as they were looked at last, and for which review. */
  readonly #files = new Map<string, FileState & { readonly review: WeakRef<object> }>();
  /** Files whose evidence is being read for `known`. */
  readonly #reading = new Set<string>();
  readonly #learned = new Listeners();
  readonly #listening: Disposable;

  constructor(parts: EvidenceParts) {
    this.#parts = parts;
    this.#listening = parts.broker.listen((event) => this.#follow(event));
  }

  /** Hears when `known` knows more. */
  onLearned(listener: () => void): Disposable {
    return this.#learned.listen(listener);
  }

  /** Evidence as it was read last; `undefined`: it is being read. */
  known(change: PendingChange): ChangeEvidence | undefined {
    const path = change.review.path;
    const file = this.#files.get(path);
    const isRead = this.#lacking(change).length === 0;
    if (file?.review.deref() !== change.review || !isRead) this.#later(path, change);
    return file === undefined || !isRead ? undefined : this.#evidence(change, file);
  }

  /** Evidence as it is by now: files are looked at, and what other windows recorded is read. */
  async of(changes: readonly PendingChange[]): Promise<readonly ChangeEvidence[]> {
    const files = new Map<string, FileState>();
    const sessions = new Set(changes.flatMap(authorsOf).map(({ sessionId }) => sessionId));
    for (const sessionId of sessions)
      await this.#inTurn(sessionId, (read) => this.#readNewer(sessionId, read));
    const found: ChangeEvidence[] = [];
    for (const change of changes) {
      const path = change.review.path;
      const file = files.get(path) ?? (await this.#look(change));
      files.set(path, file);
      await this.#readLacking(change);
      found.push(this.#evidence(change, file));
    }
    return found;
  }

  dispose(): void {
    this.#listening.dispose();
    this.#learned.dispose();
  }

  #evidence(change: PendingChange, file: FileState): ChangeEvidence {
    return evidenceOf(change, (sessionId) => this.#sessions.get(sessionId)?.facts, file);
  }

  /** Calls of a change that nothing is known of yet. */
  #lacking(change: PendingChange): readonly { sessionId: string; callId: string }[] {
    return authorsOf(change).filter(({ sessionId, callId, messageId }) => {
      const read = this.#sessions.get(sessionId);
      if (sessionId === '' || read?.missing.has(callId) === true) return false;
      const { calls, requests } = read?.facts ?? {};
      return calls?.has(callId) !== true || (messageId !== '' && !requests?.has(messageId));
    });
  }

  #later(path: string, change: PendingChange): void {
    if (this.#reading.has(path)) return;
    this.#reading.add(path);
    const read = async (): Promise<void> => {
      await this.#look(change);
      await this.#readLacking(change);
    };
    read()
      .catch((thrown: unknown) =>
        this.#parts.log.error('The evidence of pending changes could not be read.', thrown),
      )
      .finally(() => {
        this.#reading.delete(path);
        this.#learned.fire();
      });
  }

  async #look(change: PendingChange): Promise<FileState> {
    const path = change.review.path;
    const stat = await this.#parts.stat(path).catch(() => undefined);
    const file = {
      ...(stat === undefined ? {} : { modifiedAt: stat.modifiedAt }),
      unsaved: stat?.unsaved === true,
      review: new WeakRef(change.review),
    };
    this.#files.set(path, file);
    return file;
  }

  async #readLacking(change: PendingChange): Promise<void> {
    for (const { sessionId } of this.#lacking(change))
      await this.#inTurn(sessionId, async (read) => {
        await this.#readNewer(sessionId, read);
        while (this.#lacking(change).some((one) => one.sessionId === sessionId))
          if (!(await this.#readOlder(sessionId, read))) {
            for (const { callId } of authorsOf(change)) read.missing.add(callId);
            return;
          }
      });
  }

  #inTurn(sessionId: string, work: (read: Read) => Promise<void>): Promise<void> {
    if (sessionId === '') return Promise.resolve();
    const known = this.#sessions.get(sessionId);
    const read: Read = known ?? {
      notes: [],
      facts: factsOf([]),
      missing: new Set(),
      turn: Promise.resolve(),
    };
    this.#sessions.set(sessionId, read);
    const done = read.turn.then(() => work(read));
    read.turn = done.catch(() => undefined);
    return done;
  }

  /** @returns false when there is nothing older, or nobody looks that far */
  async #readOlder(sessionId: string, read: Read): Promise<boolean> {
    const beforeSeq = read.notes[0]?.seq ?? Number.MAX_SAFE_INTEGER;
    if (beforeSeq <= 1 || read.notes.length >= MAX_MESSAGES) return false;
    const page = await this.#parts.transcripts.messages({
      sessionId,
      beforeSeq,
      limit: PAGE_MESSAGES,
    });
    this.#become(read, [...(await this.#notesOf(page)), ...read.notes]);
    return page.length > 0;
  }

  async #readNewer(sessionId: string, read: Read): Promise<void> {
    const afterSeq = read.notes.at(-1)?.seq;
    if (afterSeq === undefined) return;
    const page = await this.#parts.transcripts.messages({ sessionId, afterSeq });
    if (page.length === 0) return;
    this.#become(read, [...read.notes, ...(await this.#notesOf(page))]);
  }

  #become(read: Read, notes: readonly Note[]): void {
    read.notes = notes;
    read.facts = factsOf(notes);
  }

  async #notesOf(messages: readonly Message[]): Promise<readonly Note[]> {
    return Promise.all(
      messages.map(async (message) => {
        const { runId } = message;
        const began = new Map<string, number>();
        for (const result of toolResultsOf(message).filter(isTestRun)) {
          if (runId === undefined) continue;
          const entry = await this.#parts.runs.ledgerEntry(runId, result.callId);
          if (entry?.startedAt !== undefined) began.set(result.callId, entry.startedAt);
        }
        return noteOf(message, (callId) => began.get(callId));
      }),
    );
  }

  /** A session of which something is known went on, or back. */
  #follow(event: RunEvent): void {
    if (event.type !== 'message.added' && event.type !== 'message.completed') return;
    const { message } = event;
    const read = this.#sessions.get(event.sessionId);
    if (read === undefined) return;
    void this.#inTurn(event.sessionId, async () => {
      const last = read.notes.at(-1)?.seq ?? 0;
      // It was cut, or several came: what it is now is read with the next question.
      if (message.seq !== last + 1) {
        if (message.seq <= last) this.#sessions.delete(event.sessionId);
        else await this.#readNewer(event.sessionId, read);
      } else this.#become(read, [...read.notes, ...(await this.#notesOf([message]))]);
      this.#learned.fire();
    });
  }
}
