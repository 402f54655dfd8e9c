import { QUEUE_PAUSED_KEY, isOfThisMachine } from '../../domain/session/session-values.ts';
import type { RunEvent } from '../../domain/event.ts';
import type { Run, LedgerEntry } from '../../domain/run.ts';
import type { Message } from '../../domain/message.ts';
import type { Attachment } from '../../domain/session/session.ts';
import type { ImportRecord } from '../engine/sessions/import-records.ts';
import type { FileRecord } from './records.ts';

/** A path is a yes to a file of this machine, which nobody here has said: only what came along is read. */
function notOfHere(attachment: Attachment): Attachment {
  const rest: { path?: string } & Attachment = { ...attachment };
  delete rest.path;
  return rest;
}

/** Messages filled in for one that is missing or unreadable; a bigger hole is no hole but a wrong number. */
const FILLED = 10_000;

export class LineProblem extends Error {}

/** Checks that a file's records agree, in order, and makes them ready for this installation. */
export class ImportCheck {
  readonly #sessions = new Set<string>();
  readonly #runs = new Map<string, string>();
  readonly #messages = new Map<string, { ids: Set<string>; next: number }>();
  /** Holes in a transcript are filled, so that the rest can be used. */
  readonly #fillHoles: boolean;
  /** Messages that stand for missing ones. */
  filled = 0;

  constructor(fillHoles: boolean) {
    this.#fillHoles = fillHoles;
  }

  session(session: { readonly id: string; readonly parentId?: string }): void {
    if (this.#sessions.has(session.id)) throw new LineProblem(`session ${session.id} comes twice`);
    if (session.parentId !== undefined && this.#sessions.size > 0) this.#known(session.parentId);
    this.#sessions.add(session.id);
    this.#messages.set(session.id, { ids: new Set(), next: 1 });
  }

  /** The records to store for one line; throws `LineProblem`. */
  records(given: Exclude<FileRecord, { type: 'session' | 'end' }>): ImportRecord[] {
    switch (given.type) {
      case 'message':
        return this.#message(given.message);
      case 'run':
        this.#known(given.run.sessionId);
        this.#runs.set(given.run.id, given.run.sessionId);
        return [{ kind: 'run', run: atRest(given.run) }];
      case 'ledger':
        this.#ofRun(given.entry);
        return [{ kind: 'ledger', entry: settled(given.entry) }];
      case 'checkpoint':
        this.#ofRun(given.checkpoint);
        return [{ kind: 'checkpoint', checkpoint: given.checkpoint }];
      case 'compaction':
        this.#known(given.compaction.sessionId);
        return [{ kind: 'compaction', compaction: given.compaction }];
      case 'usage':
        this.#known(given.usage.sessionId);
        return [{ kind: 'usage', usage: given.usage }];
      case 'event':
        this.#known(given.event.sessionId);
        return [
          { kind: 'event', event: given.event as unknown as RunEvent, epoch: epochOf(given.era) },
        ];
      case 'result':
        this.#known(given.sessionId);
        return [{ kind: 'result', sessionId: given.sessionId, id: given.id, text: given.text }];
      case 'attachment':
        this.#known(given.sessionId);
        return [
          {
            kind: 'attachment',
            sessionId: given.sessionId,
            attachment: notOfHere(given.attachment),
          },
        ];
      case 'queued':
        this.#known(given.queued.sessionId);
        // Nobody here has asked for it: it waits until the person sends something in the session.
        return [
          {
            kind: 'queued',
            queued: { ...given.queued, attachments: given.queued.attachments.map(notOfHere) },
          },
          { kind: 'value', sessionId: given.queued.sessionId, key: QUEUE_PAUSED_KEY, value: true },
        ];
      case 'value':
        this.#known(given.sessionId);
        // Changes of another machine's files cannot be taken back in this one's.
        if (isOfThisMachine(given.key)) return [];
        return [{ kind: 'value', sessionId: given.sessionId, key: given.key, value: given.value }];
      case 'pending':
        this.#known(given.sessionId);
        return [];
      default:
        return given satisfies never;
    }
  }

  #message(message: Message): ImportRecord[] {
    this.#known(message.sessionId);
    const transcript = this.#messages.get(message.sessionId);
    if (
      transcript === undefined ||
      message.seq < transcript.next ||
      transcript.ids.has(message.id)
    ) {
      throw new LineProblem(`message ${message.seq} (${message.id}) comes twice or out of order`);
    }
    const missing = message.seq - transcript.next;
    if (missing > 0 && (!this.#fillHoles || missing > FILLED)) {
      throw new LineProblem(`message ${transcript.next} is missing before message ${message.seq}`);
    }
    const records: ImportRecord[] = [];
    for (; transcript.next < message.seq; transcript.next += 1) {
      records.push({ kind: 'message', message: missingMessage(message, transcript.next) });
      this.filled += 1;
    }
    transcript.ids.add(message.id);
    transcript.next += 1;
    return [...records, { kind: 'message', message }];
  }

  #known(sessionId: string): void {
    if (!this.#sessions.has(sessionId))
      throw new LineProblem(`its session ${sessionId} is not in the file`);
  }

  #ofRun(owned: { readonly runId: string; readonly sessionId: string }): void {
    this.#known(owned.sessionId);
    if (this.#runs.get(owned.runId) !== owned.sessionId) {
      throw new LineProblem(`its run ${owned.runId} is not in the file`);
    }
  }
}

function missingMessage(next: Message, seq: number): Message {
  return {
    id: `missing-${seq}`,
    sessionId: next.sessionId,
    seq,
    role: 'user',
    origin: 'policy',
    parts: [{ type: 'text', text: '(This message could not be read from the imported file.)' }],
    createdAt: next.createdAt,
  };
}

/** Ends a run that was on at its export: never resumed, with permissions of a file. */
function atRest(run: Run): Run {
  const over = ['completed', 'cancelled', 'failed', 'timed_out'].includes(run.state);
  return { ...run, state: over ? run.state : 'timed_out', resumeAvailable: false };
}

/** Makes running calls unknown, without the process: a file must name none to be stopped here. */
function settled(entry: LedgerEntry): LedgerEntry {
  const { process: _process, ...rest } = entry;
  return rest.state === 'running' ? { ...rest, state: 'unknown' } : rest;
}

/** Below every epoch of this installation: imported events come before the ones that follow. */
function epochOf(era: number): number {
  return era - 2 ** 31;
}
