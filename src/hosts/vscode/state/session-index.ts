import type * as vscode from 'vscode';
import type { EventBroker } from '../../../core/session/event-broker.ts';
import type { Disposable } from '../../../domain/lifetime/disposable.ts';
import type { Log } from '../../../core/ports/log.ts';
import type { Transcripts } from '../../../core/ports/store/transcripts.ts';
import type { RunEventType } from '../../../domain/event.ts';
import type { Session } from '../../../domain/session/session.ts';
import type { PanelOthers, PanelSessions } from '../../../panel/services.ts';
import { Listeners } from '../../../domain/lifetime/listeners.ts';
import { keptSessions, SESSIONS_KEY } from './kept-sessions.ts';

/** Sessions kept in the index, the newest; the database has all. */
const LIMIT = 1000;

/** Milliseconds in which a window that works writes many times. */
const REREAD_AFTER = 2000;

/** Events after which a session's record may differ. */
const TELLING: ReadonlySet<RunEventType> = new Set<RunEventType>([
  'message.added',
  'message.completed',
  'session.titled',
  'agent_run.completed',
  'agent_run.cancelled',
  'agent_run.failed',
]);

/**
 * The sessions of the workspace. VS Code's workspace state keeps an index of them, so that the list
 * shows before the database is open; the database is the truth, and the index follows it.
 */
export class SessionIndex implements PanelSessions, Disposable {
  readonly #state: vscode.Memento;
  readonly #transcripts: Pick<Transcripts, 'sessions' | 'session'>;
  readonly #log: Log;
  readonly #changed = new Listeners();
  readonly #listening: readonly Disposable[];
  #rows: Map<string, Session>;
  readonly #hidden = new Set<string>();
  /** True once the index has been read from the database in this window. */
  #fresh = false;
  #reading: Promise<void> | undefined;
  #rereading: NodeJS.Timeout | undefined;

  constructor(
    state: vscode.Memento,
    sources: {
      readonly transcripts: Pick<Transcripts, 'sessions' | 'session'>;
      readonly broker: Pick<EventBroker, 'listen'>;
      readonly others: Pick<PanelOthers, 'onChange'>;
    },
    log: Log,
  ) {
    this.#state = state;
    this.#transcripts = sources.transcripts;
    this.#log = log;
    this.#rows = byId(keptSessions(state));
    this.#listening = [
      sources.broker.listen((event) => {
        if (TELLING.has(event.type)) this.#background(this.refresh(event.sessionId));
      }),
      sources.others.onChange(() => this.#reread()),
    ];
  }

  /** From memory when there is an index; the database is read meanwhile, and `onChange` tells. */
  async list(): Promise<readonly Session[]> {
    if (this.#fresh) return this.#listed();
    const reading = this.#read();
    if (this.#rows.size === 0) await reading;
    else this.#background(reading);
    return this.#listed();
  }

  find(sessionId: string): Session | undefined {
    return this.#rows.get(sessionId);
  }

  /** Takes over a session's record from the database, or that it is gone. */
  async refresh(sessionId: string): Promise<void> {
    const session = await this.#transcripts.session(sessionId);
    if (session === undefined) this.#rows.delete(sessionId);
    else this.#rows.set(sessionId, session);
    await this.#save();
  }

  hide(sessionIds: readonly string[], hidden: boolean): void {
    for (const id of sessionIds) {
      if (hidden) this.#hidden.add(id);
      else this.#hidden.delete(id);
    }
    this.#changed.fire();
  }

  onChange(listener: () => void): Disposable {
    return this.#changed.listen(listener);
  }

  dispose(): void {
    clearTimeout(this.#rereading);
    for (const one of this.#listening) one.dispose();
    this.#changed.dispose();
  }

  /** Another window has written; several times within a while are one. */
  #reread(): void {
    if (!this.#fresh || this.#rereading !== undefined) return;
    this.#rereading = setTimeout(() => {
      this.#rereading = undefined;
      this.#background(this.#read());
    }, REREAD_AFTER);
  }

  #read(): Promise<void> {
    this.#reading ??= this.#readAll().finally(() => {
      this.#reading = undefined;
    });
    return this.#reading;
  }

  async #readAll(): Promise<void> {
    this.#rows = byId(await this.#transcripts.sessions());
    this.#fresh = true;
    await this.#save();
  }

  #listed(): readonly Session[] {
    return this.#sorted().filter(({ id }) => !this.#hidden.has(id));
  }

  /** Newest first. */
  #sorted(): readonly Session[] {
    return [...this.#rows.values()].toSorted((a, b) => b.updatedAt - a.updatedAt);
  }

  async #save(): Promise<void> {
    this.#changed.fire();
    await this.#state.update(SESSIONS_KEY, this.#sorted().slice(0, LIMIT));
  }

  #background(work: Promise<void>): void {
    work.catch((error: unknown) =>
      this.#log.error('The list of sessions could not be read.', error),
    );
  }
}

const byId = (sessions: readonly Session[]): Map<string, Session> =>
  new Map(sessions.map((session) => [session.id, session]));
