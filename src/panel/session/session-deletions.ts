import * as l10n from '@vscode/l10n';
import type { Disposable } from '../../domain/lifetime/disposable.ts';
import { failureOf, wordsOf } from '../../domain/failure.ts';
import { makeVisible } from '../../domain/text/honest-text.ts';
import type { DeletedView } from '../../protocol/snapshot.ts';
import type { PanelServices } from '../services.ts';
import { plural } from '../../domain/text/language.ts';

/** Milliseconds in which a deletion can be undone. */
export const UNDO_TIME = 30_000;

type Sources = Pick<PanelServices, 'agent' | 'records' | 'sessions' | 'memory' | 'clock' | 'log'>;

/** Whoever shows sessions hears of those that go, and that come back. */
export interface DeletionScreens {
  /** The news for the person are others. */
  readonly changed: () => void;
  readonly left: (sessionIds: readonly string[]) => void;
  readonly back: (sessionIds: readonly string[]) => void;
}

interface Leaving {
  readonly title: string;
  /** When it was deleted. */
  readonly messages: number;
}

/**
 * Sessions that the person has deleted. They are out of sight at once, and nothing goes on in them; on disk they are
 * until the time to undo it is over or the window closes. One in which another window has worked meanwhile is kept,
 * and so is everything when the process dies.
 */
export class SessionDeletions implements Disposable {
  readonly #sources: Sources;
  readonly #screens: DeletionScreens;
  readonly #leaving = new Map<string, Leaving>();
  #timer: Disposable | undefined;
  #closed = false;
  #view: DeletedView | null = null;
  /** Deletions are made one after the other. */
  #work: Promise<void> = Promise.resolve();

  constructor(sources: Sources, screens: DeletionScreens) {
    this.#sources = sources;
    this.#screens = screens;
  }

  /** The news for the person. */
  get view(): DeletedView | null {
    return this.#view;
  }

  /** Deletes sessions, together with those that can still be brought back. Rejects with `busy` when another window works on one. */
  async delete(sessionIds: readonly string[]): Promise<void> {
    const { agent, records, sessions, clock } = this.#sources;
    this.#timer?.dispose();
    let stopped = 0;
    try {
      for (const id of sessionIds) {
        if (this.#leaving.has(id)) continue;
        const isBusy = agent.runs.isBusy(id);
        await agent.removal.setAside(id);
        if (isBusy) stopped += 1;
        const session = await records.transcripts.session(id);
        const { title = '', messageCount: messages = 0 } = session ?? {};
        this.#leaving.set(id, { title, messages });
        sessions.hide([id], true);
        this.#screens.left([id]);
      }
    } finally {
      const said = `${this.#said()}${runsStopped(stopped)}`;
      this.#tell(this.#leaving.size === 0 ? null : { said, canUndo: true });
      this.#timer?.dispose();
      if (!this.#closed) this.#timer = clock.after(UNDO_TIME, () => void this.finish());
    }
  }

  /** Brings everything back that was deleted within the time; gives which. */
  undo(): readonly string[] {
    this.#timer?.dispose();
    const ids = [...this.#leaving.keys()];
    this.#leaving.clear();
    for (const id of ids) this.#sources.agent.removal.bringBack(id);
    this.#sources.sessions.hide(ids, false);
    this.#screens.back(ids);
    this.#tell(null);
    return ids;
  }

  /** Deletes for good what can still be brought back. Never rejects. */
  finish(): Promise<void> {
    this.#timer?.dispose();
    this.#work = this.#work.then(() => this.#finish());
    return this.#work;
  }

  dispose(): void {
    this.#closed = true;
    this.#timer?.dispose();
  }

  async #finish(): Promise<void> {
    const kept: string[] = [];
    while (this.#leaving.size > 0) {
      const [first] = this.#leaving;
      if (first === undefined) break;
      const [id, leaving] = first;
      this.#leaving.delete(id);
      const why = await this.#deleteForGood(id, leaving);
      if (why !== undefined) kept.push(l10n.t('{0} was kept: {1}', titled(leaving), why));
    }
    this.#tell(kept.length === 0 ? null : { said: kept.join(' '), canUndo: false });
  }

  /** Gives why a session is kept after all. */
  async #deleteForGood(id: string, { messages }: Leaving): Promise<string | undefined> {
    const { agent, records, sessions, memory, log } = this.#sources;
    let why: string | undefined;
    try {
      const now = await records.transcripts.session(id);
      if (now !== undefined && now.messageCount !== messages)
        why = l10n.t('something was written in it meanwhile.');
      else if (now !== undefined) {
        await agent.removal.delete(id);
        memory.save(id, undefined);
      }
      await sessions.refresh(id);
    } catch (error) {
      log.warn('A session was not deleted.', { reason: String(error) });
      why ??= wordsOf(failureOf(error));
    }
    sessions.hide([id], false);
    if (why !== undefined) {
      agent.removal.bringBack(id);
      this.#screens.back([id]);
    }
    return why;
  }

  #said(): string {
    const [only, ...others] = this.#leaving.values();
    if (only === undefined) return '';
    return others.length === 0
      ? l10n.t('{0} deleted.', titled(only))
      : l10n.t('{0} sessions deleted.', others.length + 1);
  }

  #tell(view: DeletedView | null): void {
    this.#view = view;
    this.#screens.changed();
  }
}

const titled = ({ title }: Leaving): string =>
  title === '' ? l10n.t('Untitled session') : `“${makeVisible(title)}”`;

function runsStopped(stopped: number): string {
  if (stopped === 0) return '';
  return ` ${plural(stopped, 'Its run was stopped.', '{0} runs were stopped.')}`;
}
