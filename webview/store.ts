import { batch, signal, type Signal } from '@preact/signals';
import type { Change } from '../src/protocol/changes.ts';
import { applyReview, EMPTY_REVIEW, type ReviewView } from '../src/protocol/review-view.ts';
import {
  EMPTY_SESSION,
  type AppView,
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

/** The panel's state. Only the host's messages change it; what the person does is a request. */
export class PanelStore {
  /** `false` until the first snapshot. */
  readonly loaded = signal(false);
  readonly app = signal<AppView>({
    hasKey: true,
    trusted: true,
    hasWorkspace: true,
    lostKey: null,
    serverProblems: [],
  });
  readonly models = signal<readonly ModelRow[]>([]);
  readonly rows = signal<readonly SessionRow[]>([]);
  readonly rowsTotal = signal(0);
  readonly rowsError = signal<string | null>(null);
  readonly session: SliceSignals = slices(EMPTY_SESSION);
  /** Pending changes, of all sessions. */
  readonly review = signal<ReviewView>(EMPTY_REVIEW);
  readonly transcript = new Transcript();
  readonly sending = signal<readonly Sending[]>([]);
  /** Draft and scroll of the session on screen when it was shown. */
  readonly saved = signal<SavedView>(EMPTY_SESSION.saved);
  /** Raised whenever another session is shown. */
  readonly shown = signal(0);
  /** Milliseconds to add to this machine's clock to get the host's. */
  #clockOffset = 0;

  /** The host's clock, milliseconds since the epoch. */
  now(): number {
    return Date.now() + this.#clockOffset;
  }

  setClock(hostNow: number): void {
    this.#clockOffset = hostNow - Date.now();
  }

  show({ app, models, sessions, session, review }: Snapshot): void {
    batch(() => {
      const other = !this.loaded.peek() || session.id !== this.session.id.peek();
      this.app.value = app;
      this.models.value = models;
      this.rows.value = sessions.rows;
      this.rowsTotal.value = sessions.total;
      this.rowsError.value = sessions.error;
      const { messages, hasOlder, saved, ...rest } = session;
      // A new session that has become a real one is still the same to the person.
      const same = !other || (this.sending.peek().length > 0 && this.session.id.peek() === null);
      this.#set(rest);
      this.review.value = review;
      this.transcript.show(messages, hasOlder, !other);
      if (!same) {
        this.saved.value = saved;
        this.sending.value = [];
        this.shown.value += 1;
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
        this.rows.value = [
          ...this.rows.peek().filter((row) => row.id !== change.row.id),
          change.row,
        ];
        break;
      case 'row_removed':
        this.rows.value = this.rows.peek().filter((row) => row.id !== change.id);
        break;
      case 'rows':
        this.rowsTotal.value = change.total;
        this.rowsError.value = change.error;
        break;
      case 'review':
        this.review.value = applyReview(this.review.peek(), change.difference);
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
