import type { SessionOptions } from '../core/run/agent-service.ts';
import type { Asked } from '../core/run/opening.ts';
import type { Disposable } from '../domain/lifetime/disposable.ts';
import { fault } from '../domain/failure.ts';
import { told } from '../domain/text/told.ts';
import type { Change } from '../protocol/changes.ts';
import { lazy } from '../domain/lifetime/lazy.ts';
import { Lifetime } from '../domain/lifetime/lifetime.ts';
import { isSameMention } from '../domain/mention.ts';
import { withGivenBack } from '../protocol/draft.ts';
import type { RequestHandlers, RequestName } from '../protocol/requests.ts';
import { EMPTY_REVIEW } from '../protocol/review-view.ts';
import type { SavedView } from '../protocol/view.ts';
import { EMPTY_SESSION, type SessionView, type Snapshot } from '../protocol/snapshot.ts';
import { appView, modelRows } from './app-view.ts';
import { BackgroundCards } from './cards/background-cards.ts';
import { createHandlers } from './handlers/handlers.ts';
import { type PanelControl } from './handlers/panel-control.ts';
import { contextLimitOf, loadSession, mergeLive } from './session/load-session.ts';
import { PanelLine } from './panel-line.ts';
import { type PlaceOptions, PlaceMemory } from './place-memory.ts';
import type { ReviewPart } from './review/review-part.ts';
import type { ReviewRequest } from './handlers/review-handlers.ts';
import type { PanelServices } from './services.ts';
import type { SessionList } from './session/session-list.ts';
import { SessionWatch } from './session/session-watch.ts';
import { type PanelScreen, SharedPanel } from './shared-panel.ts';
import { ShownSession } from './session/shown-session.ts';
import { sessionState, type SessionState } from './session/session-state.ts';

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

/** One of several places. */
export interface PlaceParts {
  /** Shared with the others. */
  readonly shared?: SharedPanel;
  /** Absent: it is the view in the sidebar. */
  readonly tab?: PlaceOptions;
}

/**
 * The panel's half in the host: keeps the state of what one place shows, the view or a tab, and
 * answers its requests. Plain Node: the webview is behind `PanelTransport`.
 */
export class PanelHost implements Disposable, PanelControl {
  readonly #services: PanelServices;
  readonly line: PanelLine;
  readonly #handlers: Omit<RequestHandlers, ReviewRequest>;
  readonly #shared: SharedPanel;
  readonly #screen: PanelScreen;
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
  /** Number of the last draft that came from the page. */
  #typed = 0;
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

  /** @param place absent: the view in the sidebar, alone in its window */
  constructor(given: PanelServices, place: PlaceParts = {}) {
    this.#shared = place.shared ?? this.#lifetime.add(new SharedPanel(given));
    const memory = new PlaceMemory(given.memory, place.tab, (id, view) =>
      this.#shared.tellOthers(id, this.#screen, (screen) => screen.drafted(view)),
    );
    const services = { ...given, memory };
    const { setup, clock, log } = services;
    this.#services = services;
    this.session = new ShownSession(services, sessionState(this.#newView()), (changes) =>
      this.#emit(changes),
    );
    this.line = new PanelLine({
      clock,
      log,
      snapshot: () => this.#snapshot(),
      onFirstReady: async () => this.#start(),
      onRequest: (name, params) => this.#answer(name, params),
    });
    this.#screen = {
      session: this.session,
      emit: (changes) => this.#emit(changes),
      questionsChanged: () => this.#questionsChanged(),
      reload: () => this.#reload(),
      drafted: (view) => this.#drafted(view),
      signal: (signal) => this.line.signal(signal),
      optionsChanged: () => this.#optionsChanged(),
    };
    this.#handlers = createHandlers(this, services, {
      form: (questionId, typed) => {
        this.#shared.waiting.keepTyped(questionId, typed);
        this.#shared.questionsChanged();
      },
      draft: (typed) => {
        this.#typed = typed;
      },
    });
    this.#watch = this.#watching(services);
    const parts = [
      this.#shared.add(this.#screen),
      setup.onChange(() => this.#setupChanged()),
      ...this.#backgroundCards(services),
    ];
    for (const part of parts) this.#lifetime.add(part);
  }

  /** MCP servers of the window have changed. */
  serversChanged(): void {
    this.#shared.serversChanged();
  }

  get list(): SessionList {
    return this.#shared.list;
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
    const { agent } = this.#services;
    this.#chosen = { ...this.#chosen, ...options };
    if (sessionId !== null) {
      await agent.sessions.setOptions(sessionId, options);
      this.#shared.tellOthers(sessionId, this.#screen, (screen) => screen.optionsChanged());
    }
    if (sessionId === this.session.view.id) this.#optionsChanged();
  }

  #optionsChanged(): void {
    const { agent, setup } = this.#services;
    const { id, meter } = this.session.view;
    const now = id === null ? this.#newView().options : agent.sessions.optionsOf(id);
    const contextLimit = contextLimitOf(setup, now.model);
    this.session.set({ options: now, meter: { ...meter, contextLimit } });
  }

  #drafted(view: SavedView | undefined): void {
    const { draft, mentions = [] } = view ?? EMPTY_SESSION.saved;
    this.line.push([{ type: 'draft', draft, mentions, after: this.#typed }]);
  }

  async giveBack(sessionId: string | null, { text, attachments }: Asked): Promise<void> {
    const { memory } = this.#services;
    const { draft, mentions = [] } = memory.saved(sessionId ?? '') ?? EMPTY_SESSION.saved;
    const given = attachments.flatMap(({ mention }) => mention ?? []);
    const others = mentions.filter((one) => !given.some((mention) => isSameMention(one, mention)));
    memory.save(sessionId ?? '', {
      draft: withGivenBack(draft, text),
      mentions: [...given, ...others],
      scroll: null,
    });
    await this.#showChanged(sessionId);
    const shown = attachments.map((one) => ({ ...one }));
    this.line.signal({ kind: 'give_back', sessionId, text, attachments: shown });
  }

  async takeBack(sessionId: string, text: string): Promise<void> {
    const { memory } = this.#services;
    if (memory.saved(sessionId)?.draft === text)
      memory.save(sessionId, { draft: '', scroll: null });
    // First, while the page has the text that it is compared with.
    this.line.signal({ kind: 'take_back', sessionId, text });
    await this.#showChanged(sessionId);
  }

  /** Pending changes, when they are read; `undefined`: nothing is reviewed. */
  async review(): Promise<ReviewPart | undefined> {
    return this.#loadReview();
  }

  /** Reads what is shown first. */
  async #start(): Promise<void> {
    const listed = this.list.reload().then(() => this.#questionsChanged());
    const last = this.#services.memory.lastSession();
    if (!this.#started && last === undefined) this.#begin(sessionState(this.#newView()));
    else if (!this.#started && last !== undefined) await this.#show(last, 'restored');
    await listed;
    void this.#services.setup.choice.settle?.();
    // Whoever asks for them later is told why they could not be read.
    void this.review().catch(() => undefined);
  }

  async #show(sessionId: string | null, why: 'asked' | 'restored' = 'asked'): Promise<void> {
    this.#started = true;
    this.#showing += 1;
    const showing = this.#showing;
    const before = this.session.state;
    if (sessionId === null) {
      this.#begin(sessionState(this.#newView()));
      this.#leave(before);
      return;
    }
    this.#shared.live.hold(sessionId);
    const title = this.list.rows().find((row) => row.id === sessionId)?.title ?? '';
    const saved = this.#services.memory.saved(sessionId) ?? EMPTY_SESSION.saved;
    this.#begin(sessionState({ ...EMPTY_SESSION, id: sessionId, title, saved, loading: true }));
    this.#leave(before);
    const { view, missing } = await loadSession(this.#services, sessionId);
    if (showing !== this.#showing) {
      this.#shared.live.release(sessionId);
      return;
    }
    const live = this.#shared.live.take(sessionId);
    if (missing && why === 'restored') {
      this.#begin(sessionState(this.#newView()));
      return;
    }
    this.#begin(
      live === undefined ? sessionState(view) : { ...live, view: mergeLive(view, live.view) },
    );
    this.session.refreshQueue();
    this.#watch?.look();
    void this.#services.setup.choice.settle?.(view.options.model);
  }

  /** Shows a session whose record is another one now; who else shows it reads it anew. */
  async #showChanged(sessionId: string | null): Promise<void> {
    if (sessionId !== null)
      this.#shared.tellOthers(sessionId, this.#screen, (screen) => void screen.reload());
    await this.#show(sessionId);
  }

  /** Lets a session that runs be followed out of sight, unless another screen shows it. */
  #leave(before: SessionState): void {
    if (!before.view.loading) this.#shared.live.give(before);
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
    const view = { ...state.view, ...this.#shared.waiting.of(id) };
    this.session.replace({ ...state, view });
    if (!view.loading) this.#services.memory.setLastSession(id ?? undefined);
    this.#review?.refresh();
    if (view.loading) this.line.sendSnapshotSoon();
    else this.line.sendSnapshot();
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

  #questionsChanged(): void {
    const { view } = this.session;
    const { approvals, questions } = this.#shared.waiting.of(view.id);
    if (
      JSON.stringify([approvals, questions]) !== JSON.stringify([view.approvals, view.questions])
    ) {
      this.session.set({ approvals, questions });
    }
    this.#stateChanged();
  }

  #setupChanged(): void {
    const { setup } = this.#services;
    this.#emit([
      { type: 'app', app: appView(setup) },
      { type: 'models', models: modelRows(setup) },
    ]);
    this.#optionsChanged();
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
      const message = told`The panel asked for something Belay does not understand (${name}: ${checked.problem}). Nothing was changed; reload the window if this happens again.`;
      throw fault('invalid', message);
    }
    const handlers = name in this.#handlers ? this.#handlers : (await this.review())?.handlers;
    const handler = (handlers as Partial<RequestHandlers> | undefined)?.[name];
    if (handler === undefined) {
      throw fault('invalid', told`Changes are not reviewed in this window. Nothing was done.`);
    }
    return (handler as (params: unknown) => unknown)(checked.params);
  }
}
