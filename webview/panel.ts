import { type ReadonlySignal, signal, type Signal } from '@preact/signals';
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Mention } from '../src/domain/mention.ts';
import type { AttachmentView } from '../src/protocol/requests.ts';
import { DockView } from './dock-view.ts';
import { Drafts } from './drafts.ts';
import { JournalView } from './journal-view.ts';
import type { Bridge } from './host/bridge.ts';
import { Find } from './find.ts';
import { HostRequests } from './host/host-requests.ts';
import { FilesThere } from './markdown/files-there.ts';
import type { MarkdownContext } from './markdown/inline.tsx';
import { ModeKey } from './keyboard/mode-key.ts';
import { Questions } from './questions.ts';
import { EvidenceActions } from './review/evidence-actions.ts';
import { ReviewActions } from './review/review-actions.ts';
import { RunControl } from './run-control.ts';
import { partKey, type Series, seriesIn } from './series.ts';
import type { SlashCommandRow } from '../src/domain/slash-command.ts';
import type { PanelStore } from './store.ts';
import type { MessageEntry } from './transcript.ts';

/** A message that is to be sent again. */
export interface GivenBack {
  readonly text: string;
  readonly attachments: readonly AttachmentView[];
}

/** The input, as other parts reach it. */
export class MessageInput {
  /** Asks it to take the focus. */
  readonly focus = signal(0);
  /** Text to add to the draft. */
  readonly insert: Signal<{ readonly text: string } | null> = signal(null);
  /** A message that is to be sent again, for the input of a session. */
  readonly givenBack: Signal<GivenBack | null> = signal(null);
  /** Mentions that come by themselves, for the input of the session. */
  readonly mentioned: Signal<readonly Mention[]> = signal([]);
  readonly journal = new JournalView();
  /** Follow-ups that are being edited, by their ids. */
  readonly followUps = new Drafts<{ readonly text: string; readonly time: string }>();
  /** A text that is dropped from the input when nothing else is in it. */
  readonly takenBack: Signal<{ readonly text: string } | null> = signal(null);
}

/** The conversation on screen, beyond what it says. */
export class ConversationView {
  /** Cards, results and reasoning that the person has folded or unfolded, by key. */
  readonly folds: Signal<ReadonlyMap<string, boolean>> = signal(new Map());
  /** Asks it to go to its end. */
  readonly toEnd = signal(0);
  /** Calls in a row that are folded into a line, by the keys of their parts. */
  readonly series: ReadonlySignal<ReadonlyMap<string, Series>>;
  readonly #thinking = new Map<string, { readonly from: number; seconds?: number }>();
  /** Cards that had the focus: they are not folded away. */
  readonly #touched = signal<ReadonlySet<string>>(new Set());

  /** Asks it to go to a message; `nth`: to this hit of the find in it. */
  readonly goTo: Signal<{ readonly seq: number; readonly nth: number | null } | null> =
    signal(null);
  readonly find: Find;

  constructor(
    entries: ReadonlySignal<readonly MessageEntry[]>,
    host: Pick<HostRequests, 'ask'>,
    session: () => string | null,
  ) {
    this.series = seriesIn(entries);
    this.find = new Find(host, session, ({ seq, nth }) => {
      this.goTo.value = { seq, nth };
    });
  }

  /** Measures thinking from its first words on; returns its seconds once it has ended while the page was open. */
  measureThinking(key: string, isOpen: boolean, now: number): number | undefined {
    const known = this.#thinking.get(key);
    if (isOpen) {
      if (known === undefined) this.#thinking.set(key, { from: now });
      return undefined;
    }
    if (known === undefined) return undefined;
    known.seconds ??= Math.max(1, Math.round((now - known.from) / 1000));
    return known.seconds;
  }

  /** True for a series that is unfolded. */
  isOpen(id: string): boolean {
    return this.folds.value.get(`series/${id}`) ?? false;
  }

  /**
   * How the parts of a message stand in series, one letter each: the line of a series alone, the line before the card,
   * folded away, or as they are.
   */
  placesIn({ id, parts }: MessageEntry): string {
    const places = parts.value.map((part, index) => {
      const key = partKey(id, index);
      const series = this.series.value.get(key);
      if (series === undefined) return ' ';
      const view = part.peek();
      const card = view.type === 'tool' ? view.callId : key;
      // Before the person has folded it, what they are looking at stays.
      const stays =
        this.folds.value.get(`series/${series.id}`) ??
        (this.folds.value.get(card) === true || this.#touched.value.has(card));
      if (series.id === key) return stays ? 'L' : 'l';
      return stays ? ' ' : '-';
    });
    return places.join('');
  }

  /** Unfolds the series that a message has calls in: something of it is to be seen. */
  reveal(messageId: string): void {
    for (const [key, { id }] of this.series.peek())
      if (key.startsWith(`${messageId}/`) && this.folds.peek().get(`series/${id}`) !== true)
        this.fold(`series/${id}`, true);
  }

  /** The focus is on a card. */
  touch(callId: string): void {
    if (!this.#touched.peek().has(callId))
      this.#touched.value = new Set([...this.#touched.peek(), callId]);
  }

  fold(key: string, open: boolean): void {
    this.folds.value = new Map(this.folds.peek()).set(key, open);
  }
}

/** The parts that components share: the state, the line to the host, and what only this panel knows. */
export class Panel {
  readonly store: PanelStore;
  readonly host: HostRequests;
  readonly page: Signal<'conversation' | 'sessions'> = signal('conversation');
  readonly input = new MessageInput();
  readonly conversation: ConversationView;
  readonly dock = new DockView();
  readonly questions = new Questions();
  readonly run: RunControl;
  /** Words for a screen reader. */
  readonly announcement = signal('');
  readonly markdown: MarkdownContext;
  readonly modeKey: ModeKey;
  /** The person's decisions about pending changes. */
  readonly review: ReviewActions;
  readonly evidence: EvidenceActions;

  /** Commands of the message box. */
  readonly commands: readonly SlashCommandRow[];

  constructor(
    store: PanelStore,
    bridge: Pick<Bridge, 'request' | 'ready'>,
    commands: readonly SlashCommandRow[] = [],
  ) {
    this.store = store;
    this.commands = commands;
    const { session } = store;
    const host = new HostRequests(bridge, () => session.id.peek());
    this.host = host;
    this.conversation = new ConversationView(store.transcript.entries, host, () =>
      session.id.peek(),
    );
    this.run = new RunControl(session, host);
    this.modeKey = new ModeKey(session, this.announcement, (mode) =>
      host.do('setMode', { sessionId: session.id.peek(), mode }),
    );
    this.review = new ReviewActions(
      host,
      this.announcement,
      () => store.review.peek(),
      store.session.id,
    );
    this.evidence = new EvidenceActions(this);
    this.markdown = {
      files: store.transcript.files,
      there: new FilesThere(async (paths) => {
        const answer = await host.attempt('findFiles', { paths: [...paths] });
        return 'value' in answer ? answer.value.found : undefined;
      }),
      open: (target) => {
        if (target.kind === 'web')
          host.do('openExternal', {
            url: target.url,
            ...(target.shown === undefined ? {} : { shown: target.shown.slice(0, 1000) }),
          });
        else {
          const { path, line } = target;
          host.do('openFile', line === undefined ? { path } : { path, line });
        }
      },
    };
  }
}

export const PanelContext = createContext<Panel | null>(null);

export function usePanel(): Panel {
  const panel = useContext(PanelContext);
  if (panel === null) throw new Error('A component of the panel is used outside of it.');
  return panel;
}
