import { failureOf, wordsOf } from '../../domain/failure.ts';
import { makeVisible } from '../../domain/text/honest-text.ts';
import type { Session } from '../../domain/session/session.ts';
import type { Change } from '../../protocol/changes.ts';
import type { Disposable } from '../../domain/lifetime/disposable.ts';
import type { SessionRow, SessionsView } from '../../protocol/snapshot.ts';
import type { PanelServices } from '../services.ts';
import { type DeletionScreens, SessionDeletions } from './session-deletions.ts';
import { Listeners } from '../../domain/lifetime/listeners.ts';
import { rootOf, rowChanges, sessionRows, snapshotRows } from './session-rows.ts';

/** The screens of the window: all of them show the list. */
export interface ListScreens extends Pick<DeletionScreens, 'left' | 'back'> {
  /** Sends changes that the list already has. */
  emit(changes: readonly Change[]): void;
}

type Sources = Pick<
  PanelServices,
  'sessions' | 'records' | 'agent' | 'desk' | 'memory' | 'clock' | 'log' | 'others'
>;

/** The list of sessions as the panel has it. */
export class SessionList implements Disposable {
  readonly deletions: SessionDeletions;
  readonly #changed = new Listeners();
  /** Fires when rows are others. */
  readonly onChanged = this.#changed.listen;
  readonly #sources: Sources;
  readonly #emit: (changes: readonly Change[]) => void;
  #sessions: readonly Session[] = [];
  #parents: ReadonlyMap<string, string | undefined> = new Map();
  #unfinished: ReadonlySet<string> = new Set();
  /** Sessions that another window works on. */
  #elsewhere: ReadonlySet<string> = new Set();
  /** Of these, sessions that work in the background. */
  #detached: ReadonlySet<string> = new Set();
  #rows: readonly SessionRow[] = [];
  #cutOff = 0;
  #error: string | null = null;
  #reading: Promise<void> | undefined;
  #again = false;

  constructor(sources: Sources, screens: ListScreens) {
    this.#sources = sources;
    this.#emit = (changes) => screens.emit(changes);
    const { left, back } = screens;
    this.deletions = new SessionDeletions(sources, {
      changed: () => this.#emitTotals(),
      left,
      back,
    });
  }

  dispose(): void {
    this.#changed.dispose();
    this.deletions.dispose();
  }

  /** Rows of sessions with a run that was cut off and can go on. */
  get cutOff(): number {
    return this.#cutOff;
  }

  rows(): readonly SessionRow[] {
    return this.#rows;
  }

  view(): SessionsView {
    return { rows: snapshotRows(this.#rows), ...this.#totals() };
  }

  rootOf(sessionId: string): string {
    return rootOf(sessionId, this.#parents);
  }

  /** The name of a sub-agent; empty for a session of the person. */
  agentName(sessionId: string): string {
    const session = this.#sessions.find(({ id, type }) => id === sessionId && type === 'task');
    return session === undefined ? '' : makeVisible(session.title);
  }

  /** Reads the list again; several wishes at a time are one. */
  reload(): Promise<void> {
    this.#again = true;
    this.#reading ??= this.#read();
    return this.#reading;
  }

  /** Brings the states of the rows up to date. */
  recompute(): void {
    const { agent, desk } = this.#sources;
    const before = this.#rows;
    this.#rows = sessionRows(this.#sessions, {
      busy: (id) => agent.runs.isBusy(id) || this.#elsewhere.has(id),
      detached: (id) => this.#detached.has(id) && !agent.runs.isBusy(id),
      waits: (id) => agent.runs.turns.of(id) !== undefined,
      approvals: desk.approvals(),
      questions: desk.questions(),
      unfinished: this.#unfinished,
    });
    this.#cutOff = this.#rows.filter(({ state }) => state === 'unfinished').length;
    const changes = rowChanges(before, this.#rows);
    if (before.length !== this.#rows.length) changes.push({ type: 'rows', ...this.#totals() });
    if (changes.length === 0) return;
    this.#emit(changes);
    this.#changed.fire();
  }

  async #read(): Promise<void> {
    const { sessions, records, log } = this.#sources;
    do {
      this.#again = false;
      try {
        const [list, stopped] = await Promise.all([
          sessions.list(),
          records.runs.runs({ states: ['timed_out'] }),
        ]);
        this.#elsewhere = await this.#worksElsewhere();
        this.#detached = await this.#worksDetached();
        this.#sessions = list;
        this.#parents = new Map(list.map((session) => [session.id, session.parentId]));
        this.#unfinished = new Set(
          stopped.filter((run) => run.resumeAvailable).map((run) => run.sessionId),
        );
        if (this.#error !== null) {
          this.#error = null;
          this.#emitTotals();
        }
        this.recompute();
      } catch (error) {
        log.error('The list of sessions could not be read.', error);
        this.#error = wordsOf(failureOf(error));
        this.#emitTotals();
      }
    } while (this.#again);
    // In the same moment as the look whether it is wished again: no wish is lost between the two.
    this.#reading = undefined;
  }

  async #worksElsewhere(): Promise<ReadonlySet<string>> {
    const { records, agent, others } = this.#sources;
    const found = new Set<string>();
    if (others === undefined) return found;
    for (const { sessionId } of await records.runs.runs({
      states: ['running', 'waiting_on_human'],
    })) {
      if (!agent.runs.isBusy(sessionId) && (await others.isElsewhere(sessionId)))
        found.add(sessionId);
    }
    return found;
  }

  async #worksDetached(): Promise<ReadonlySet<string>> {
    const { background } = this.#sources.others ?? {};
    const found = new Set<string>();
    for (const id of this.#elsewhere) if ((await background?.of(id)) !== undefined) found.add(id);
    return found;
  }

  #totals(): Omit<SessionsView, 'rows'> {
    return { total: this.#rows.length, error: this.#error, deleted: this.deletions.view };
  }

  #emitTotals(): void {
    this.#emit([{ type: 'rows', ...this.#totals() }]);
  }
}
