import * as l10n from '@vscode/l10n';
import type { SessionOptions } from '../core/run/agent-service.ts';
import type { Asked } from '../core/run/opening.ts';
import type { Disposable } from '../domain/disposable.ts';
import type { RunEvent } from '../domain/event.ts';
import { fault } from '../domain/failure.ts';
import type { Change } from '../protocol/changes.ts';
import { lazy } from '../domain/lazy.ts';
import { Lifetime } from '../domain/lifetime.ts';
import { isSameMention } from '../domain/mention.ts';
import { withGivenBack } from '../protocol/draft.ts';
import type { RequestHandlers, RequestName } from '../protocol/requests.ts';
import { EMPTY_REVIEW } from '../protocol/review-view.ts';
import { EMPTY_SESSION, type SessionView, type Snapshot } from '../protocol/snapshot.ts';
import { appView, modelRows } from './app-view.ts';
import { BackgroundCards } from './cards/background-cards.ts';
import { createHandlers } from './handlers/handlers.ts';
import { type PanelControl } from './handlers/panel-control.ts';
import { LiveSessions } from './session/live-sessions.ts';
import { contextLimitOf, loadSession, mergeLive } from './session/load-session.ts';
import { PanelLine } from './panel-line.ts';
import type { ReviewPart } from './review/review-part.ts';
import type { ReviewRequest } from './handlers/review-handlers.ts';
import type { PanelServices } from './services.ts';
import { SessionList } from './session/session-list.ts';
import { SessionWatch } from './session/session-watch.ts';
import { ShownSession } from './session/shown-session.ts';
import { sessionState, type SessionState } from './session/session-state.ts';
import { WaitingQuestions } from './cards/waiting-questions.ts';

/** The schemas of requests, loaded with the first one; requests that come meanwhile keep their order. */
const loadRequests = lazy(async () => import('../protocol/requests.ts'));

/** The state of the panel for commands, context keys, badge and status bar. */
export interface PanelState {
  readonly sessionId: string | undefined;
  readonly busy: boolean;
  /** Approvals and questions of all sessions that wait for the person. */
  readonly waiting: number;
  /** Sessions with a run that was cut off and can go on. */
  readonly cutOff: number;
}

/**
 * The panel's half in the host: keeps the state of what is shown, follows the events of all
 * sessions, answers the panel's requests. Plain Node: the webview is behind `PanelTransport`.
 */
export class PanelHost implements Disposable, PanelControl {
  readonly #services: PanelServices;
  readonly line: PanelLine;
  readonly #handlers: Omit<RequestHandlers, ReviewRequest>;
  readonly #live = new LiveSessions();
  readonly list: SessionList;
  readonly #waiting: WaitingQuestions;
  readonly session: ShownSession;
  readonly #watch: SessionWatch | undefined;
  #review: ReviewPart | undefined;
  readonly #lifetime = new Lifetime();
  readonly #listeners = new Set<() => void>();
  /** The options chosen for new sessions in this window. */
  #chosen: SessionOptions = {};
  /** Counts what was shown, so that a slow read does not replace what came after it. */
  #showing = 0;
  #started = false;
  readonly #loadReview = lazy(async () => {
    const reviewing = await this.#services.later.reviewing?.();
    if (reviewing === undefined) return undefined;
    const { ReviewPart: Part } = await import('./review/review-part.ts');
    const shown = (): string | null => this.session.view.id;
    const emit = (changes: readonly Change[]): void => this.#emit(changes);
    this.#review = this.#lifetime.add(new Part(this.#services, reviewing, { shown, emit }));
    return this.#review;
  });
  #state: PanelState = { sessionId: undefined, busy: false, waiting: 0, cutOff: 0 };

  constructor(services: PanelServices) {
    const { broker, desk, sessions, setup, clock, log } = services;
    this.#services = services;
    this.list = this.#lifetime.add(new SessionList(services, (changes) => this.#emit(changes)));
    this.#waiting = new WaitingQuestions(desk, this.list);
    this.session = new ShownSession(services, sessionState(this.#newView()), (changes) =>
      this.#emit(changes),
    );
    this.line = new PanelLine({
      clock,
      log,
      snapshot: () => this.#snapshot(),
      onFirstReady: () => void this.#start(),
      onRequest: (name, params) => this.#answer(name, params),
    });
    this.#handlers = createHandlers(this, services, (questionId, typed) => {
      this.#waiting.keepTyped(questionId, typed);
      this.#questionsChanged();
    });
    this.#watch = this.#watching(services);
    const parts = [
      broker.listen((event) => this.#onEvent(event)),
      desk.onChange(() => this.#questionsChanged()),
      sessions.onChange(() => this.#listChanged()),
      setup.onChange(() => this.#setupChanged()),
      ...this.#backgroundCards(services),
    ];
    for (const part of parts) this.#lifetime.add(part);
  }

  get state(): PanelState {
    return this.#state;
  }

  onStateChange(listener: () => void): Disposable {
    this.#listeners.add(listener);
    return { dispose: () => this.#listeners.delete(listener) };
  }

  dispose(): void {
    this.line.detach();
    this.#watch?.dispose();
    this.#lifetime.dispose();
    this.#listeners.clear();
  }

  /** Shows a session, or a new one. Resolves when it is read. */
  async show(sessionId: string | null): Promise<void> {
    await this.#show(sessionId);
  }

  async createSession(): Promise<string> {
    // Whoever writes before the first look has ended waits for it: the model of a session does not change by itself.
    if (this.#chosen.model === undefined) await this.#services.setup.choice.settle?.();
    const session = await this.#services.agent.sessions.create(this.#newView().options);
    this.#services.memory.become(session.id);
    await this.#show(session.id);
    return session.id;
  }

  async choose(sessionId: string | null, options: SessionOptions): Promise<void> {
    const { agent, setup } = this.#services;
    this.#chosen = { ...this.#chosen, ...options };
    if (sessionId !== null) await agent.sessions.setOptions(sessionId, options);
    const { view } = this.session;
    if (sessionId !== view.id) return;
    const now = sessionId === null ? this.#newView().options : agent.sessions.optionsOf(sessionId);
    const contextLimit = contextLimitOf(setup, now.model);
    this.session.set({ options: now, meter: { ...view.meter, contextLimit } });
  }

  async giveBack(sessionId: string, { text, attachments }: Asked): Promise<void> {
    const { memory } = this.#services;
    const { draft, mentions = [] } = memory.saved(sessionId) ?? EMPTY_SESSION.saved;
    const given = attachments.flatMap(({ mention }) => mention ?? []);
    const others = mentions.filter((one) => !given.some((mention) => isSameMention(one, mention)));
    memory.save(sessionId, {
      draft: withGivenBack(draft, text),
      mentions: [...given, ...others],
      scroll: null,
    });
    await this.#show(sessionId);
    this.line.signal({
      kind: 'give_back',
      sessionId,
      text,
      attachments: attachments.map((one) => ({ ...one })),
    });
  }

  async takeBack(sessionId: string, text: string): Promise<void> {
    const { memory } = this.#services;
    if (memory.saved(sessionId)?.draft === text)
      memory.save(sessionId, { draft: '', scroll: null });
    await this.#show(sessionId);
    this.line.signal({ kind: 'take_back', sessionId, text });
  }

  /** Pending changes, when they are read; `undefined`: nothing is reviewed. */
  async review(): Promise<ReviewPart | undefined> {
    return this.#loadReview();
  }

  async #start(): Promise<void> {
    void this.list.reload().then(() => this.#questionsChanged());
    const last = this.#services.memory.lastSession();
    if (!this.#started && last === undefined) this.#begin(sessionState(this.#newView()));
    else if (!this.#started && last !== undefined) await this.#show(last, 'restored');
    void this.#services.setup.choice.settle?.();
    // Whoever asks for them later is told why they could not be read.
    await this.review().catch(() => undefined);
  }

  async #show(sessionId: string | null, why: 'asked' | 'restored' = 'asked'): Promise<void> {
    this.#started = true;
    this.#showing += 1;
    const showing = this.#showing;
    if (!this.session.view.loading) this.#live.give(this.session.state);
    if (sessionId === null) {
      this.#begin(sessionState(this.#newView()));
      return;
    }
    this.#live.hold(sessionId);
    const title = this.list.rows().find((row) => row.id === sessionId)?.title ?? '';
    const saved = this.#services.memory.saved(sessionId) ?? EMPTY_SESSION.saved;
    this.#begin(sessionState({ ...EMPTY_SESSION, id: sessionId, title, saved, loading: true }));
    const { view, missing } = await loadSession(this.#services, sessionId);
    if (showing !== this.#showing) return;
    if (missing && why === 'restored') {
      this.#begin(sessionState(this.#newView()));
      return;
    }
    const live = this.#live.take(sessionId);
    this.#begin(
      live === undefined ? sessionState(view) : { ...live, view: mergeLive(view, live.view) },
    );
    this.session.refreshQueue();
    this.#watch?.look();
    void this.#services.setup.choice.settle?.(view.options.model);
  }

  /** The cards of commands in the background stay live after their runs. */
  #backgroundCards({ background, clock }: PanelServices): readonly Disposable[] {
    if (background === undefined) return [];
    const cards = new BackgroundCards(background, clock, (sessionId, changes) => {
      const { view } = this.session;
      if (view.id === sessionId && !view.loading) this.session.change(changes);
    });
    return [cards];
  }

  #watching(services: PanelServices): SessionWatch | undefined {
    if (services.others === undefined) return undefined;
    return new SessionWatch(services, services.others, {
      view: () => this.session.view,
      change: (changes) => this.session.change(changes),
      reload: () => this.#reload(),
    });
  }

  /** Reads the session on screen anew, where it stands. */
  async #reload(): Promise<void> {
    const { id } = this.session.view;
    if (id === null) return;
    const showing = this.#showing;
    const { view } = await loadSession(this.#services, id);
    if (showing !== this.#showing || this.#services.agent.runs.isBusy(id)) return;
    this.#begin(sessionState(view));
  }

  #snapshot(): Snapshot {
    const { setup, memory } = this.#services;
    const { view } = this.session;
    return {
      app: appView(setup),
      models: modelRows(setup),
      sessions: this.list.view(),
      session: { ...view, saved: memory.saved(view.id ?? '') ?? EMPTY_SESSION.saved },
      review: this.#review?.view ?? EMPTY_REVIEW,
    };
  }

  #begin(state: SessionState): void {
    const { id } = state.view;
    const view = { ...state.view, ...this.#waiting.of(id) };
    this.session.replace({ ...state, view });
    if (!view.loading) this.#services.memory.setLastSession(id ?? undefined);
    this.#review?.refresh();
    this.line.sendSnapshot();
    this.#stateChanged();
  }

  #newView(): SessionView {
    const { setup, memory } = this.#services;
    const options = { ...setup.defaults(), ...this.#chosen };
    return {
      ...EMPTY_SESSION,
      options,
      meter: { ...EMPTY_SESSION.meter, contextLimit: contextLimitOf(setup, options.model) },
      saved: memory.saved('') ?? EMPTY_SESSION.saved,
    };
  }

  #onEvent(event: RunEvent): void {
    const { view } = this.session;
    if (event.sessionId === view.id && !view.loading) this.session.apply(event);
    else this.#live.apply(event);
    // A run begins with the persona of the cascade where none was chosen.
    if (event.type === 'agent_run.started' && event.sessionId === view.id && !view.loading)
      this.session.set({ options: this.#services.agent.sessions.optionsOf(event.sessionId) });
    if (event.type.startsWith('agent_run.') && event.type !== 'agent_run.iteration')
      this.list.recompute();
    if (event.type === 'agent_run.reconcile' && event.sessionId !== '') void this.list.reload();
  }

  #questionsChanged(): void {
    const { view } = this.session;
    const { approvals, questions } = this.#waiting.of(view.id);
    if (
      JSON.stringify([approvals, questions]) !== JSON.stringify([view.approvals, view.questions])
    ) {
      this.session.set({ approvals, questions });
    }
    this.list.recompute();
    this.#stateChanged();
  }

  #listChanged(): void {
    void this.list.reload();
    this.session.refreshQueue();
  }

  #setupChanged(): void {
    const { setup } = this.#services;
    this.#emit([
      { type: 'app', app: appView(setup) },
      { type: 'models', models: modelRows(setup) },
    ]);
    const { id, options, meter } = this.session.view;
    const now = id === null ? this.#newView().options : options;
    const contextLimit = contextLimitOf(setup, now.model);
    this.session.set({ options: now, meter: { ...meter, contextLimit } });
  }

  /** Sends changes that the state already has. */
  #emit(changes: readonly Change[]): void {
    this.line.push(changes);
    this.#stateChanged();
  }

  #stateChanged(): void {
    const { id, run } = this.session.view;
    const { desk } = this.#services;
    const next: PanelState = {
      sessionId: id ?? undefined,
      busy: run.phase !== 'idle',
      waiting: desk.approvals().length + desk.questions().length,
      cutOff: this.list.cutOff,
    };
    const { sessionId, busy, waiting, cutOff } = this.#state;
    const isSame = next.sessionId === sessionId && next.busy === busy;
    if (isSame && next.waiting === waiting && next.cutOff === cutOff) return;
    this.#state = next;
    for (const listener of this.#listeners) listener();
  }

  async #answer(name: RequestName, raw: unknown): Promise<unknown> {
    const { checkRequest } = await loadRequests();
    const checked = checkRequest(name, raw);
    if ('problem' in checked) {
      const message = l10n.t(
        'The panel asked for something Belay does not understand ({0}: {1}). Nothing was changed; reload the window if this happens again.',
        name,
        checked.problem,
      );
      throw fault('invalid', message);
    }
    const handlers = name in this.#handlers ? this.#handlers : (await this.review())?.handlers;
    const handler = (handlers as Partial<RequestHandlers> | undefined)?.[name];
    if (handler === undefined) {
      throw fault('invalid', l10n.t('Changes are not reviewed in this window. Nothing was done.'));
    }
    return (handler as (params: unknown) => unknown)(checked.params);
  }
}
