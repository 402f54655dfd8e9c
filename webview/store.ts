import { batch, signal, type Signal } from '@preact/signals';
import type { Change } from '../src/protocol/changes.ts';
import { applyReview, EMPTY_REVIEW, type ReviewView } from '../src/protocol/review-view.ts';
import {
  EMPTY_SESSION,
  type AppView,
  type DeletedView,
  type ModelRow,
  type SessionRow,
  type SessionView,
  type Snapshot,
} from '../src/protocol/snapshot.ts';
import type { SavedView } from '../src/protocol/view.ts';
import { Transcript } from './transcript.ts';

/** Slices of the session that are signals of their own: a change of one renders only what shows it. */
type Slices = Omit<SessionView, 'messages' | 'hasOlder' | 'saved'>;

type SliceSignals = { readonly [Key in keyof Slices]: Signal<Slices[Key]> };

/** A message of the person that is on its way to the host. */
export interface Sending {
  readonly key: number;
  readonly text: string;
  readonly attachments: readonly string[];
}

/** A draft that was changed in another place; `after`: the last own draft that was there before it. */
export type Drafted = Pick<Extract<Change, { readonly type: 'draft' }>, 'draft' | 'mentions'> & {
  readonly after: number | undefined;
};

/** The host's clock. */
class HostClock {
  /** Milliseconds to add to this machine's clock. */
  #offset = 0;

  /** Milliseconds since the epoch. */
  now(): number {
    return Date.now() + this.#offset;
  }

  set(hostNow: number): void {
    this.#offset = hostNow - Date.now();
  }
}

/** The panel's state. Only the host's messages change it; what the person does is a request. */
export class PanelStore {
  /** `false` until the first snapshot. */
  readonly loaded = signal(false);
  readonly app = signal<AppView>({
    hasKey: true,
    trusted: true,
    hasWorkspace: true,
    offeredKey: null,
    lostKey: null,
    serverProblems: [],
  });
  readonly models = signal<readonly ModelRow[]>([]);
  readonly sessions = {
    rows: signal<readonly SessionRow[]>([]),
    total: signal(0),
    error: signal<string | null>(null),
    deleted: signal<DeletedView | null>(null),
  };
  readonly session: SliceSignals = slices(EMPTY_SESSION);
  /** Pending changes, of all sessions. */
  readonly review = signal<ReviewView>(EMPTY_REVIEW);
  readonly transcript = new Transcript();
  readonly sending = signal<readonly Sending[]>([]);
  /** Draft and scroll of the session on screen when it was shown: another object for each time. */
  readonly saved = {
    shown: signal<SavedView>(EMPTY_SESSION.saved),
    /** The draft as another place or the host's memory has it, for whoever has typed nothing since. */
    drafted: signal<Drafted | null>(null),
  };
  readonly clock = new HostClock();

  show({ app, models, sessions, session, review }: Snapshot): void {
    batch(() => {
      const other = session.id !== this.session.id.peek();
      this.app.value = app;
      this.models.value = models;
      this.sessions.rows.value = sessions.rows;
      this.sessions.total.value = sessions.total;
      this.sessions.error.value = sessions.error;
      this.sessions.deleted.value = sessions.deleted;
      const { messages, hasOlder, saved, ...rest } = session;
      // A new session that has become a real one is still the same to the person.
      const same = !other || (this.sending.peek().length > 0 && this.session.id.peek() === null);
      this.#set(rest);
      this.review.value = review;
      this.transcript.show(messages, hasOlder, !other);
      if (!same) {
        this.sending.value = [];
        this.saved.shown.value = { ...saved };
        this.saved.drafted.value = null;
      } else if (!other) {
        const { draft, mentions = [] } = saved;
        this.saved.drafted.value = { draft, mentions, after: undefined };
      }
      this.loaded.value = true;
    });
  }

  apply(changes: readonly Change[]): void {
    batch(() => {
      for (const change of changes) this.#apply(change);
    });
  }

  #apply(change: Change): void {
    switch (change.type) {
      case 'app':
        this.app.value = change.app;
        break;
      case 'models':
        this.models.value = change.models;
        break;
      case 'row':
        this.sessions.rows.value = [
          ...this.sessions.rows.peek().filter((row) => row.id !== change.row.id),
          change.row,
        ];
        break;
      case 'row_removed':
        this.sessions.rows.value = this.sessions.rows.peek().filter((row) => row.id !== change.id);
        break;
      case 'rows':
        this.sessions.total.value = change.total;
        this.sessions.error.value = change.error;
        this.sessions.deleted.value = change.deleted;
        break;
      case 'review':
        this.review.value = applyReview(this.review.peek(), change.difference);
        break;
      case 'draft':
        this.saved.drafted.value = change;
        break;
      case 'session':
        this.#set(change.set);
        break;
      default:
        this.transcript.apply(change);
    }
  }

  #set(values: Partial<Slices>): void {
    for (const key of Object.keys(values) as (keyof Slices)[]) {
      const target = this.session[key] as Signal<unknown>;
      if (JSON.stringify(target.peek()) !== JSON.stringify(values[key])) target.value = values[key];
    }
  }
}

function slices(session: Slices): SliceSignals {
  const entries = Object.entries(session).map(([key, value]) => [key, signal(value)] as const);
  return Object.fromEntries(entries) as unknown as SliceSignals;
}
