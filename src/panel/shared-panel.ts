import * as l10n from '@vscode/l10n';
import type { Disposable } from '../domain/lifetime/disposable.ts';
import type { RunEvent } from '../domain/event.ts';
import { Lifetime } from '../domain/lifetime/lifetime.ts';
import { type Mention, isSameMention } from '../domain/mention.ts';
import type { Change } from '../protocol/changes.ts';
import type { Signal } from '../protocol/envelope.ts';
import { EMPTY_SESSION } from '../protocol/snapshot.ts';
import type { SavedView } from '../protocol/view.ts';
import { WaitingQuestions } from './cards/waiting-questions.ts';
import type { PanelMemory, PanelServices } from './services.ts';
import { LiveSessions } from './session/live-sessions.ts';
import { SessionList } from './session/session-list.ts';
import type { ShownSession } from './session/shown-session.ts';

/** A place that shows a session, as the others see it. */
export interface PanelScreen {
  /** The session on screen. */
  readonly session: ShownSession;
  /** Sends changes that the state already has. */
  emit(changes: readonly Change[]): void;
  questionsChanged(): void;
  /** Reads the session on screen anew. */
  reload(): Promise<void>;
  /** The draft of the session on screen was changed in another place. */
  drafted(view: SavedView | undefined): void;
  signal(signal: Signal): void;
  /** The options of the session on screen are others. */
  optionsChanged(): void;
}

/**
 * The part that all places of a window share which show sessions, the view and the tabs: the list with its deletions,
 * the state of runs, and forms that are being filled in.
 */
export class SharedPanel implements Disposable {
  readonly list: SessionList;
  readonly waiting: WaitingQuestions;
  readonly live: LiveSessions;
  readonly #memory: PanelMemory;
  readonly #screens = new Set<PanelScreen>();
  readonly #lifetime = new Lifetime();

  constructor(services: PanelServices) {
    const { broker, desk, memory, sessions } = services;
    this.#memory = memory;
    this.list = this.#lifetime.add(
      new SessionList(services, {
        emit: (changes) => {
          for (const screen of this.#screens) screen.emit(changes);
        },
        left: (ids) => {
          const error = l10n.t('This session was deleted.');
          for (const { session } of this.screensOf(ids)) session.set({ error });
        },
        back: (ids) => {
          for (const screen of this.screensOf(ids)) void screen.reload();
        },
      }),
    );
    this.waiting = new WaitingQuestions(desk, this.list);
    this.live = new LiveSessions((id) => this.screensOf([id])[0]?.session.state);
    this.#lifetime.add(broker.listen((event) => this.#onEvent(event)));
    this.#lifetime.add(desk.onChange(() => this.questionsChanged()));
    this.#lifetime.add(
      sessions.onChange(() => {
        void this.list.reload();
        for (const { session } of this.#screens) session.refreshQueue();
      }),
    );
  }

  add(screen: PanelScreen): Disposable {
    this.#screens.add(screen);
    return {
      dispose: () => {
        this.#screens.delete(screen);
        this.live.give(screen.session.state);
      },
    };
  }

  /** Places that show one of these sessions, read. */
  screensOf(sessionIds: readonly string[]): readonly PanelScreen[] {
    return [...this.#screens].filter(({ session: { view } }) => {
      return view.id !== null && !view.loading && sessionIds.includes(view.id);
    });
  }

  /** Tells places that show this session, but the one that has done it. */
  tellOthers(sessionId: string, from: PanelScreen, tell: (screen: PanelScreen) => void): void {
    for (const screen of this.screensOf([sessionId])) if (screen !== from) tell(screen);
  }

  /** Puts a mention into a session's draft, or takes it out; the rest of the draft and the focus stay as they are. */
  mention(sessionId: string, mention: Mention, isThere: boolean): void {
    const saved = this.#memory.saved(sessionId) ?? EMPTY_SESSION.saved;
    const others = (saved.mentions ?? []).filter((one) => !isSameMention(one, mention));
    const view = { ...saved, mentions: isThere ? [...others, mention] : others };
    this.#memory.save(sessionId, view);
    for (const screen of this.screensOf([sessionId])) {
      if (isThere) screen.signal({ kind: 'mention', sessionId, mention });
      else screen.drafted(view);
    }
  }

  /** Reads a session anew wherever it is shown. */
  async reload(sessionId: string): Promise<void> {
    await Promise.all(this.screensOf([sessionId]).map((screen) => screen.reload()));
  }

  /** MCP servers have changed. */
  serversChanged(): void {
    for (const { session } of this.#screens) session.recheckHandoff();
  }

  questionsChanged(): void {
    for (const screen of this.#screens) screen.questionsChanged();
    this.list.recompute();
  }

  dispose(): void {
    this.#lifetime.dispose();
  }

  #onEvent(event: RunEvent): void {
    const { sessionId, type } = event;
    const screens = this.screensOf([sessionId]);
    this.live.apply(event, screens.length > 0);
    for (const screen of screens) {
      screen.session.apply(event);
      if (type === 'session.queue') screen.session.refreshQueue();
      // A run begins with the persona of the cascade where none was chosen.
      if (type === 'agent_run.started') screen.optionsChanged();
    }
    if (type === 'agent_run.iteration') return;
    if (!type.startsWith('agent_run.') && type !== 'session.queue') return;
    // Whose turn it is changes with the runs of others.
    for (const { session } of this.#screens) if (session.view.turn !== null) session.refreshQueue();
    this.list.recompute();
    if (type === 'agent_run.reconcile' && sessionId !== '') void this.list.reload();
  }
}
