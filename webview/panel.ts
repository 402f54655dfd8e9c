import { computed, effect, signal, type ReadonlySignal, type Signal } from '@preact/signals';
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type {
  AttachmentView,
  RequestName,
  RequestParams,
  RequestResult,
} from '../src/protocol/requests.ts';
import type { NoticeView, SavedView } from '../src/protocol/view.ts';
import { Refusal, type Bridge } from './bridge.ts';
import { ModeKey } from './mode-key.ts';
import { modeFace } from './modes.ts';
import type { MarkdownContext } from './markdown/inline.tsx';
import type { PanelRequests } from './panel-requests.ts';
import { ReviewActions } from './review/review-actions.ts';
import type { PanelStore } from './store.ts';

/** Refusals shown at a time; the oldest go first. */
const REFUSALS = 3;

/** A message that is to be sent again. */
export interface GivenBack {
  readonly text: string;
  readonly attachments: readonly AttachmentView[];
}

/** Why something that the person asked for was not done. */
export interface RefusalView extends NoticeView {
  readonly sessionId: string | null;
}

/** A question on screen, as keys and other places answer it: by what is meant, never by a place. */
export interface AnswerableCard {
  /** Says yes; where not all of it was on the screen, shows what comes next instead. */
  readonly allow: () => void;
  readonly deny: () => void;
  /** Brings what was not on the screen yet into view. */
  readonly show: () => void;
  /** Some of what it is about is on the screen now. */
  readonly looks: () => boolean;
}

/** The parts that components share: the state, the line to the host, and what only this panel knows. */
export class Panel implements PanelRequests {
  readonly store: PanelStore;
  readonly #bridge: Pick<Bridge, 'request' | 'ready'>;
  readonly page: Signal<'conversation' | 'sessions' | 'rules' | 'providers'> =
    signal('conversation');
  /** Requests that the host refused, with the session that was on screen when they were made. */
  readonly refusals: Signal<readonly RefusalView[]> = signal([]);
  /** Cards, results and reasoning that the person has folded or unfolded, by key. */
  readonly folds: Signal<ReadonlyMap<string, boolean>> = signal(new Map());
  /** "Stopping…" is shown at once, before the host has heard of it. */
  readonly stopping = signal(false);
  /** Asks the input to take the focus. */
  readonly focusInput = signal(0);
  /** Text to add to the draft. */
  readonly insert: Signal<{ readonly text: string } | null> = signal(null);
  /** A message that is to be sent again, for the input of a session. */
  readonly givenBack: Signal<GivenBack | null> = signal(null);
  /** A text that is dropped from the input when nothing else is in it. */
  readonly takenBack: Signal<{ readonly text: string } | null> = signal(null);
  /** Why nothing can be restored or forked now; empty: it can. */
  readonly hindrance: ReadonlySignal<string>;
  /** Asks the oldest approval or question to take the focus. */
  readonly focusWaiting = signal(0);
  /** Questions on screen that take an answer, by the id that their card carries as `data-question`. */
  readonly cards = new Map<string, AnswerableCard>();
  /** Questions of which all has been on the screen. */
  readonly read: Signal<ReadonlySet<string>> = signal(new Set());
  /** Asks the conversation to go to its end. */
  readonly toEnd = signal(0);
  /** Words for a screen reader. */
  readonly announcement = signal('');
  readonly markdown: MarkdownContext;
  readonly modeKey: ModeKey;
  /** The person's decisions about pending changes. */
  readonly review: ReviewActions;
  #refused = 0;
  /** Why what is typed could not be kept the last time. */
  #notKept = '';

  constructor(store: PanelStore, bridge: Pick<Bridge, 'request' | 'ready'>) {
    this.store = store;
    this.#bridge = bridge;
    this.modeKey = new ModeKey((mode) =>
      this.do('setMode', { sessionId: store.session.id.peek(), mode }),
    );
    this.review = new ReviewActions(this, () => store.review.peek());
    this.markdown = {
      files: store.transcript.files,
      open: (target) => {
        if (target.kind === 'web')
          this.do('openExternal', {
            url: target.url,
            ...(target.shown === undefined ? {} : { shown: target.shown.slice(0, 1000) }),
          });
        else {
          const { path, line } = target;
          this.do('openFile', line === undefined ? { path } : { path, line });
        }
      },
    };
    this.hindrance = computed(() => {
      if (store.session.elsewhere.value) return 'Another window works on this session.';
      return store.session.run.value.phase === 'idle' ? '' : 'A run is on: stop it first.';
    });
    effect(() => {
      if (store.session.run.value.phase === 'idle') this.stopping.value = false;
    });
  }

  /** Asks the host; a refusal is shown and gives `undefined`. */
  async ask<Name extends RequestName>(
    name: Name,
    params: RequestParams<Name>,
  ): Promise<RequestResult<Name> | undefined> {
    const sessionId = this.store.session.id.peek();
    try {
      return await this.#bridge.request(name, params);
    } catch (error) {
      this.refuse(error, sessionId);
      return undefined;
    }
  }

  /** Asks the host; the sentence of a refusal is for whoever asked. */
  async attempt<Name extends RequestName>(
    name: Name,
    params: RequestParams<Name>,
  ): Promise<{ readonly value: RequestResult<Name> } | { readonly refused: string }> {
    try {
      return { value: await this.#bridge.request(name, params) };
    } catch (error) {
      return { refused: error instanceof Refusal ? error.failure.message : String(error) };
    }
  }

  /** As `ask`, for requests whose answer does not matter. */
  do<Name extends RequestName>(name: Name, params: RequestParams<Name>): void {
    void this.ask(name, params);
  }

  /** Keeps draft and place of a session. That it is refused is said once, not with each key. */
  async keep(sessionId: string | null, view: SavedView): Promise<void> {
    const answer = await this.attempt('saveViewState', { sessionId, ...view });
    const refused = 'refused' in answer ? answer.refused : '';
    if (refused !== '' && refused !== this.#notKept) this.refuse(refused);
    this.#notKept = refused;
  }

  /** One mode on, by the key; a screen reader is told which. */
  nextMode(): void {
    const { options, run } = this.store.session;
    const mode = this.modeKey.next(options.peek().mode, run.peek().phase !== 'idle');
    const { label, description } = modeFace(mode);
    this.announcement.value = `Mode: ${label}. ${description}`;
  }

  /** Asks for everything anew. */
  resync(): void {
    this.#bridge.ready();
  }

  refuse(error: unknown, sessionId = this.store.session.id.peek()): void {
    this.#refused += 1;
    const message = error instanceof Refusal ? error.failure.message : String(error);
    const notice: RefusalView = {
      id: `refusal-${this.#refused}`,
      level: 'error',
      message,
      actions: [],
      sessionId,
    };
    this.refusals.value = [...this.refusals.peek(), notice].slice(-REFUSALS);
  }

  /** Stops the run on screen. */
  stop(): void {
    const id = this.store.session.id.peek();
    if (id === null || this.store.session.run.peek().phase === 'idle') return;
    this.stopping.value = true;
    this.do('stop', { sessionId: id });
  }

  /** All of a question has been on the screen. */
  markRead(questionId: string): void {
    this.read.value = new Set(this.read.peek()).add(questionId);
  }

  fold(key: string, open: boolean): void {
    this.folds.value = new Map(this.folds.peek()).set(key, open);
  }
}

export const PanelContext = createContext<Panel | null>(null);

export function usePanel(): Panel {
  const panel = useContext(PanelContext);
  if (panel === null) throw new Error('A component of the panel is used outside of it.');
  return panel;
}
