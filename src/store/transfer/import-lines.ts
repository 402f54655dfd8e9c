import { told } from '../../domain/text/told.ts';
import type { BelayError } from '../../domain/failure.ts';
import { fault } from '../../domain/failure.ts';
import type { Ids } from '../../core/ports/ids.ts';
import type { JsonObject } from '../../domain/data/json.ts';
import type { Session } from '../../domain/session/session.ts';
import type { Client } from '../client.ts';
import type { ImportRecord } from '../engine/sessions/import-records.ts';
import { FORMAT_VERSION } from './format.ts';
import { ImportCheck, LineProblem } from './import-check.ts';
import { renamed } from './rename.ts';
import { header, reasonIn, record, type FileRecord, type Header } from './records.ts';

/** Records and characters sent at a time. */
const BATCH_RECORDS = 200;
const BATCH_CHARACTERS = 1_000_000;

export interface ImportOptions {
  /** Takes what is good and reports the rest; else one bad line refuses the whole file. */
  readonly partial?: boolean;
  /** Accepts a session's value; absent: all. Leave out what grants something here. */
  readonly acceptValue?: (key: string) => boolean;
}

export interface ImportReport {
  /** The imported session; its id here, new when it was taken. */
  readonly sessionId: string;
  /** Of the session and its children. */
  readonly messages: number;
  /** Lines left out; only with `partial`. */
  readonly skipped: readonly { readonly line: number; readonly reason: string }[];
  /** Messages that stand for ones that could not be read. */
  readonly filled: number;
  /** Its pending changes, for the review: nothing of them is taken yet. */
  readonly pending: readonly JsonObject[];
}

/** Lines left out that are told one by one. */
const TOLD = 100;

/** Reads an exported session. One object for one import. */
export class LineImport {
  readonly #client: Client;
  readonly #ids: Ids;
  readonly #partial: boolean;
  readonly #acceptValue: (key: string) => boolean;
  readonly #check: ImportCheck;
  readonly #skipped: { line: number; reason: string }[] = [];
  readonly #sessions: Session[] = [];
  readonly #pending: JsonObject[] = [];
  readonly #epoch: number;
  #names: ReadonlyMap<string, string> = new Map();
  #batch: ImportRecord[] = [];
  #batchCharacters = 0;
  #messages = 0;
  #begun = false;
  #ended = false;
  #line = 0;

  constructor(client: Client, ids: Ids, epoch: number, options: ImportOptions) {
    this.#client = client;
    this.#ids = ids;
    this.#epoch = epoch;
    this.#partial = options.partial ?? false;
    this.#acceptValue = options.acceptValue ?? (() => true);
    this.#check = new ImportCheck(this.#partial);
  }

  /** Rejects with `BelayError` code `invalid`, naming line and reason; nothing is kept then. */
  async run(
    lines: AsyncIterable<string> | Iterable<string>,
    takeEpoch: (above: number) => Promise<void>,
  ): Promise<ImportReport> {
    try {
      for await (const line of lines) {
        this.#line += 1;
        if (this.#line === 1) await this.#begin(line, takeEpoch);
        else await this.#take(line);
      }
      if (this.#line === 0) throw refused(1, 'the file is empty');
      if (!this.#ended)
        this.#refuse('the file ends before its end record: something is missing', this.#line + 1);
      await this.#send();
      await this.#finish();
    } catch (error) {
      await this.#abandon();
      throw error;
    }
    const root = this.#sessions[0];
    return {
      sessionId: root?.id ?? '',
      messages: this.#messages,
      skipped: this.#skipped,
      filled: this.#check.filled,
      pending: this.#pending,
    };
  }

  async #begin(line: string, takeEpoch: (above: number) => Promise<void>): Promise<void> {
    const found = header.safeParse(parsed(line));
    if (!found.success)
      throw refused(1, `this is not the header of an exported session (${reasonIn(found.error)})`);
    if (found.data.version > FORMAT_VERSION) {
      throw refused(
        1,
        `the file has format version ${found.data.version}, this Belay reads up to ${FORMAT_VERSION}; update Belay`,
      );
    }
    await takeEpoch(found.data.epoch);
    this.#names = await this.#newNames(found.data);
  }

  /** When any id is in use here, all sessions, runs and queued messages get new ones. */
  async #newNames(found: Header): Promise<ReadonlyMap<string, string>> {
    const { sessions, runs, queued } = found;
    const taken = await this.#client.call('taken', { sessions, runs, queued });
    const names = new Map<string, string>();
    if (taken.length === 0) return names;
    for (const id of sessions) names.set(id, this.#ids.next('session'));
    for (const id of runs) names.set(id, this.#ids.next('run'));
    for (const id of queued) names.set(id, this.#ids.next('queued'));
    return names;
  }

  async #take(line: string): Promise<void> {
    if (line.trim() === '') return;
    try {
      if (this.#ended) throw new LineProblem('there is more after the end record');
      const found = record.safeParse(parsed(line));
      if (!found.success) throw new LineProblem(reasonIn(found.error));
      await this.#accept(found.data);
    } catch (error) {
      if (!(error instanceof LineProblem)) throw error;
      this.#refuse(error.message, this.#line);
      return;
    }
    this.#batchCharacters += line.length;
    if (this.#batch.length >= BATCH_RECORDS || this.#batchCharacters >= BATCH_CHARACTERS) {
      await this.#send();
    }
  }

  async #accept(given: FileRecord): Promise<void> {
    const own = renamed(given, this.#names);
    if (own.type === 'end') {
      this.#ended = true;
      if (own.lines !== this.#line - 1) {
        throw new LineProblem(
          `the file had ${own.lines} lines when it was written; here are ${this.#line - 1}`,
        );
      }
      return;
    }
    if (own.type === 'session') {
      if (this.#begun) throw new LineProblem('a session comes after its records');
      this.#check.session(own.session);
      this.#sessions.push(this.#sessions.length === 0 ? asRoot(own.session) : own.session);
      return;
    }
    await this.#beginSessions();
    if (own.type === 'value' && !this.#acceptValue(own.key)) return;
    const records = this.#check.records(own);
    if (own.type === 'pending') this.#pending.push(own.pending);
    this.#messages += records.filter((one) => one.kind === 'message').length;
    this.#batch.push(...records);
  }

  async #beginSessions(): Promise<void> {
    if (this.#begun) return;
    if (this.#sessions.length === 0) throw refused(this.#line, 'the file has no session');
    this.#begun = true;
    await this.#client.call('import', {
      step: 'begin',
      sessions: this.#sessions,
      epoch: this.#epoch,
    });
  }

  async #send(): Promise<void> {
    const records = this.#batch;
    if (records.length === 0) return;
    this.#batch = [];
    this.#batchCharacters = 0;
    await this.#client.call('import', { step: 'records', records });
  }

  async #finish(): Promise<void> {
    await this.#beginSessions();
    await this.#client.call('import', { step: 'finish', sessionIds: this.#sessionIds() });
  }

  async #abandon(): Promise<void> {
    if (!this.#begun) return;
    // Invisible already; what cannot be deleted now, the next open deletes.
    await this.#client
      .call('import', { step: 'abandon', sessionIds: this.#sessionIds() })
      .catch(() => {});
  }

  #sessionIds(): string[] {
    return this.#sessions.map((session) => session.id);
  }

  #refuse(reason: string, line: number): void {
    if (!this.#partial) throw refused(line, reason);
    if (this.#skipped.length < TOLD) this.#skipped.push({ line, reason });
  }
}

/** The session it was delegated from is not in the file: it stands for itself now. */
function asRoot(session: Session): Session {
  const { parentId, ...rest } = session;
  return parentId === undefined ? rest : { ...rest, type: 'main' };
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

function refused(line: number, reason: string): BelayError {
  return fault(
    'invalid',
    told`The file cannot be imported. Line ${String(line)}: ${reason}. Nothing was imported; a partial import takes the lines that are good.`,
    { details: { line, reason } },
  );
}
