import type { Disposable } from '../../domain/lifetime/disposable.ts';
import type { Json } from '../../domain/data/json.ts';
import type { Part } from '../../domain/message.ts';
import type { SessionChange } from '../../protocol/changes.ts';
import type { SessionView } from '../../protocol/snapshot.ts';
import type { MessageView } from '../../protocol/view.ts';
import { messageViews, partView } from './message-view.ts';
import type { PanelOthers, PanelServices } from '../services.ts';

/** Milliseconds between two looks whether the window that works on the session still lives. */
const LOOK_EVERY = 2000;

export interface WatchedPanel {
  /** The session on screen; its `id` is `null` for a new one. */
  readonly view: () => SessionView;
  readonly change: (changes: readonly SessionChange[]) => void;
  /** Reads the session on screen anew: what another window did with it is over. */
  readonly reload: () => Promise<void>;
}

/**
 * Follows the session on screen while another window works on it: what that window records is shown
 * here a moment later, the answer that is being written included. When that window dies, what it left
 * behind is settled, and the panel offers to take it over.
 */
export class SessionWatch implements Disposable {
  readonly #services: PanelServices;
  readonly #others: PanelOthers;
  readonly #panel: WatchedPanel;
  readonly #listening: readonly Disposable[];
  #looking = false;
  #again = false;
  #closed = false;

  constructor(services: PanelServices, others: PanelOthers, panel: WatchedPanel) {
    this.#services = services;
    this.#others = others;
    this.#panel = panel;
    this.#listening = [
      others.onChange(() => this.look()),
      ...(others.background === undefined ? [] : [others.background.onChange(() => this.look())]),
      services.clock.every(LOOK_EVERY, () => {
        if (panel.view().elsewhere) this.look();
      }),
    ];
  }

  dispose(): void {
    this.#closed = true;
    for (const one of this.#listening) one.dispose();
  }

  /** Brings what is shown up to date; several wishes at a time are one. */
  look(): void {
    this.#again = true;
    if (!this.#looking) void this.#look();
  }

  /** Never rejects. */
  async #look(): Promise<void> {
    this.#looking = true;
    while (this.#again && !this.#closed) {
      this.#again = false;
      try {
        await this.#follow(this.#panel.view());
      } catch (error) {
        this.#services.log.warn('Another window could not be followed.', {
          reason: String(error),
        });
      }
    }
    this.#looking = false;
  }

  async #follow(view: SessionView): Promise<void> {
    const { id } = view;
    if (id === null || view.loading) return;
    await this.#followDetached(id);
    if (this.#services.agent.runs.isBusy(id)) return;
    const elsewhere = await this.#others.isElsewhere(id);
    if (!elsewhere) {
      if (!view.elsewhere) return;
      // It has ended, or its process has died: then its run is settled first.
      await this.#others.reconcile();
      if (this.#shows(id)) await this.#panel.reload();
      return;
    }
    const newer = await this.#newer(id, view.messages);
    if (!this.#shows(id)) return;
    const changes = changesBetween(this.#panel.view().messages, newer);
    if (!view.elsewhere) changes.push({ type: 'session', set: { elsewhere, handoff: null } });
    if (changes.length > 0) this.#panel.change(changes);
  }

  async #followDetached(id: string): Promise<void> {
    const detached = (await this.#others.background?.of(id)) ?? null;
    if (this.#shows(id) && this.#panel.view().detached !== detached)
      this.#panel.change([{ type: 'session', set: { detached } }]);
  }

  #shows(id: string): boolean {
    return !this.#closed && this.#panel.view().id === id;
  }

  /** Messages on record from the last one that is shown as finished, and the one being written. */
  async #newer(sessionId: string, shown: readonly MessageView[]): Promise<readonly MessageView[]> {
    const last = shown.findLast((message) => !message.open);
    const [stored, draft] = await Promise.all([
      this.#services.records.transcripts.messages({ sessionId, afterSeq: (last?.seq ?? 1) - 1 }),
      this.#others.draftOf(sessionId),
    ]);
    const views: MessageView[] = messageViews(stored);
    if (draft === undefined || stored.some(({ id }) => id === draft.messageId)) return views;
    return [
      ...views,
      {
        id: draft.messageId,
        seq: (stored.at(-1)?.seq ?? last?.seq ?? 0) + 1,
        role: 'assistant',
        createdAt: this.#services.clock.now(),
        parts: draftParts(draft.parts).map((part) => partView(part)),
        open: true,
      },
    ];
  }
}

/** Messages that are new or different; an unfinished one that is gone was written anew. */
function changesBetween(
  shown: readonly MessageView[],
  newer: readonly MessageView[],
): SessionChange[] {
  const changes: SessionChange[] = [];
  const known = new Map(shown.map((message) => [message.id, message]));
  for (const message of shown) {
    if (message.open && !newer.some(({ id }) => id === message.id))
      changes.push({ type: 'message_removed', id: message.id });
  }
  for (const message of newer) {
    const before = known.get(message.id);
    const now =
      before?.open === true && message.open ? { ...message, createdAt: before.createdAt } : message;
    if (JSON.stringify(before) !== JSON.stringify(now))
      changes.push({ type: 'message', message: now });
  }
  return changes;
}

function draftParts(parts: Json): readonly Part[] {
  const list: readonly unknown[] = Array.isArray(parts) ? parts : [];
  return list as readonly Part[];
}
