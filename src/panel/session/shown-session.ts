import type { RunEvent } from '../../domain/event.ts';
import { failureOf } from '../../domain/failure.ts';
import {
  applySessionChange,
  type Change,
  type SessionChange,
  type SessionSlices,
} from '../../protocol/changes.ts';
import type { SessionView } from '../../protocol/snapshot.ts';
import { compactionViews, handoffView, queueView, totalsOf } from './load-session.ts';
import type { PanelServices } from '../services.ts';
import { reduceSession } from './session-reducer.ts';
import type { SessionState } from './session-state.ts';

type Sources = Pick<PanelServices, 'agent' | 'records' | 'log'>;

/** The session on screen: its state, and what its events change beyond themselves. */
export class ShownSession {
  readonly #sources: Sources;
  readonly #emit: (changes: readonly Change[]) => void;
  #state: SessionState;

  constructor(sources: Sources, state: SessionState, emit: (changes: readonly Change[]) => void) {
    this.#sources = sources;
    this.#state = state;
    this.#emit = emit;
  }

  get state(): SessionState {
    return this.#state;
  }

  get view(): SessionView {
    return this.#state.view;
  }

  /** Puts another session on screen; the caller sends the snapshot. */
  replace(state: SessionState): void {
    this.#state = state;
  }

  apply(event: RunEvent): void {
    const { state, changes } = reduceSession(this.#state, event);
    this.#state = state;
    this.#emit(changes);
    this.#follow(event);
  }

  /** Changes that come from elsewhere than events: from another window. */
  change(changes: readonly SessionChange[]): void {
    const { view } = this.#state;
    this.#state = { ...this.#state, view: changes.reduce(applySessionChange, view) };
    this.#emit(changes);
  }

  set(slices: Partial<SessionSlices>): void {
    this.#state = { ...this.#state, view: { ...this.view, ...slices } };
    this.#emit([{ type: 'session', set: slices }]);
  }

  refreshQueue(): void {
    const { id } = this.view;
    if (id === null) return;
    const { agent } = this.#sources;
    const { queue, turn } = this.view;
    const now = { queue: queueView(agent, id), turn: agent.runs.turns.of(id) ?? null };
    if (JSON.stringify(now) !== JSON.stringify({ queue, turn })) this.set(now);
    if (now.queue.length > 0)
      void this.#reread(id, async () => ({ isQueueHeld: await agent.sessions.isHeld(id) }));
  }

  #follow(event: RunEvent): void {
    const { sessionId } = event;
    switch (event.type) {
      case 'message.added':
      case 'agent_run.started':
      case 'agent_run.iteration':
        this.refreshQueue();
        break;
      case 'agent.compaction.run':
        void this.#reread(sessionId, () => this.#compactions(sessionId));
        break;
      case 'summarize.progress':
        if (event.done) void this.#reread(sessionId, () => this.#compactions(sessionId));
        break;
      case 'agent_run.completed':
      case 'agent_run.cancelled':
      case 'agent_run.failed':
      case 'agent_run.resume_unsafe':
        this.refreshQueue();
        void this.#reread(sessionId, () => this.#afterRun(sessionId));
        break;
      default:
        break;
    }
  }

  /** Compactions as they are on record, after one was made or undone. */
  rereadCompactions(): Promise<void> {
    const { id } = this.view;
    return id === null ? Promise.resolve() : this.#reread(id, () => this.#compactions(id));
  }

  /** Compares instructions and tools once more where something waits to be resumed: MCP servers have changed. */
  recheckHandoff(): void {
    const { id, handoff } = this.view;
    if (id !== null && handoff !== null) void this.#reread(id, () => this.#afterRun(id));
  }

  async #compactions(sessionId: string): Promise<Partial<SessionSlices>> {
    const compactions = await this.#sources.records.transcripts.compactions(sessionId);
    return { compactions: compactionViews(compactions) };
  }

  /** Totals as they are on record, and whether something waits to be resumed. */
  async #afterRun(sessionId: string): Promise<Partial<SessionSlices>> {
    const { agent, records } = this.#sources;
    const [session, handoff] = await Promise.all([
      records.transcripts.session(sessionId),
      agent.handoffs.of(sessionId),
    ]);
    const waits = handoff !== undefined && !agent.runs.isBusy(sessionId);
    return {
      handoff: waits ? handoffView(handoff) : null,
      ...(session === undefined ? {} : { meter: { ...this.view.meter, ...totalsOf(session) } }),
    };
  }

  /** Reads something again and shows it, if its session is still on screen. */
  async #reread(sessionId: string, read: () => Promise<Partial<SessionSlices>>): Promise<void> {
    try {
      const slices = await read();
      if (this.view.id === sessionId) this.set(slices);
    } catch (error) {
      const { message } = failureOf(error);
      this.#sources.log.warn(`The panel could not be brought up to date: ${message}`);
    }
  }
}
