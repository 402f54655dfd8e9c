import type * as vscode from 'vscode';
import type { Clock } from '../../../core/ports/clock.ts';
import type { Log } from '../../../core/ports/log.ts';
import type { Values } from '../../../core/ports/store/values.ts';
import type { Json } from '../../../domain/data/json.ts';
import { readMention } from '../../../domain/mention.ts';
import type { SavedView } from '../../../protocol/view.ts';
import type { PanelMemory } from '../../../panel/services.ts';

/** In VS Code's workspace state: it writes when it likes, so nothing that a person typed is only there. */
const CHANGES = 'belay.changesUnfolded';
/** In the database. */
const LAST = 'panel.lastSession';
const VIEW = 'panel.view/';

/** Sessions whose place is kept when there is no draft; the ones touched longest ago go first. */
const LIMIT = 200;

interface Kept {
  readonly view: SavedView;
  /** When it was saved, milliseconds since the epoch. */
  readonly at: number;
}

interface Parts {
  readonly state: vscode.Memento;
  readonly values: Values;
  readonly clock: Clock;
  readonly log: Log;
}

/** The panel's memory: each change is written to the database at once, so that it survives every end of the window. */
export class StoredPanelMemory implements PanelMemory {
  readonly #parts: Parts;
  readonly #views = new Map<string, Kept>();
  #last: string | undefined;
  /** Writes are made in their order: with the last one, all are. */
  #written: Promise<void> = Promise.resolve();

  private constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Reads what is on record. What cannot be read is not remembered; the log says so. */
  static async open(parts: Parts): Promise<StoredPanelMemory> {
    const memory = new StoredPanelMemory(parts);
    try {
      const last = await parts.values.get(LAST);
      memory.#last = typeof last === 'string' ? last : undefined;
      for (const { key, value } of await parts.values.list(VIEW)) {
        const kept = readKept(value);
        if (kept !== undefined) memory.#views.set(key.slice(VIEW.length), kept);
      }
      memory.#forget();
    } catch (error) {
      parts.log.error('What the panel remembers could not be read.', error);
    }
    return memory;
  }

  lastSession(): string | undefined {
    return this.#last;
  }

  setLastSession(sessionId: string | undefined): void {
    if (this.#last === sessionId) return;
    this.#last = sessionId;
    this.#write(LAST, sessionId ?? null);
  }

  saved(sessionId: string): SavedView | undefined {
    return this.#views.get(sessionId)?.view;
  }

  save(sessionId: string, view: SavedView | undefined): void {
    const before = this.#views.get(sessionId);
    const { mentions = [] } = view ?? {};
    if (
      view === undefined ||
      (view.draft === '' && mentions.length === 0 && view.scroll === null)
    ) {
      if (this.#views.delete(sessionId)) this.#write(`${VIEW}${sessionId}`, null);
      return;
    }
    if (JSON.stringify(before?.view) === JSON.stringify(view)) return;
    const { draft, scroll } = view;
    const at = this.#parts.clock.now();
    this.#views.set(sessionId, { view, at });
    const place = scroll === null ? null : { messageId: scroll.messageId, offset: scroll.offset };
    const kept = mentions.map((mention) => ({ ...mention }));
    this.#write(`${VIEW}${sessionId}`, {
      draft,
      ...(kept.length === 0 ? {} : { mentions: kept }),
      scroll: place,
      at,
    });
  }

  become(sessionId: string): void {
    const view = this.saved('');
    if (view !== undefined) this.save(sessionId, view);
    this.save('', undefined);
  }

  settled(): Promise<void> {
    return this.#written;
  }

  changesUnfolded(): boolean {
    return this.#parts.state.get(CHANGES) === true;
  }

  unfoldChanges(unfolded: boolean): void {
    this.#update(CHANGES, unfolded ? true : undefined);
  }

  /** Of sessions without a draft only the ones touched last are kept. */
  #forget(): void {
    const places = [...this.#views].filter(
      ([, { view }]) => view.draft === '' && (view.mentions ?? []).length === 0,
    );
    const oldest = places.toSorted(([, left], [, right]) => right.at - left.at).slice(LIMIT);
    for (const [sessionId] of oldest) this.save(sessionId, undefined);
  }

  #update(key: string, value: unknown): void {
    const { state, log } = this.#parts;
    state.update(key, value).then(undefined, (error: unknown) => {
      log.error('VS Code could not keep what the panel remembers.', error);
    });
  }

  #write(key: string, value: Json): void {
    const { values, log } = this.#parts;
    this.#written = values.set(key, value);
    this.#written.catch((error: unknown) => {
      log.error('What the panel remembers could not be recorded.', error);
    });
  }
}

function readKept(value: Json): Kept | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const { draft, mentions, scroll, at } = value as { readonly [name: string]: Json };
  if (typeof draft !== 'string') return undefined;
  const kept = Array.isArray(mentions) ? mentions.flatMap((one) => readMention(one) ?? []) : [];
  const view = {
    draft,
    ...(kept.length === 0 ? {} : { mentions: kept }),
    scroll: readPlace(scroll),
  };
  return { view, at: typeof at === 'number' ? at : 0 };
}

function readPlace(value: Json | undefined): SavedView['scroll'] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
  const { messageId, offset } = value as { readonly [name: string]: Json };
  return typeof messageId === 'string' && typeof offset === 'number' ? { messageId, offset } : null;
}
