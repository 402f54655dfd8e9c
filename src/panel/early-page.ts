import * as l10n from '@vscode/l10n';
import type { Disposable } from '../domain/lifetime/disposable.ts';
import type { HostMessage } from '../protocol/envelope.ts';
import { EMPTY_REVIEW } from '../protocol/review-view.ts';
import { EMPTY_SESSION, type Snapshot } from '../protocol/snapshot.ts';
import type { PanelTransport } from './services.ts';

/**
 * The line to the panel's page from the moment it is shown, while Belay is loaded and its database opened. Whatever the
 * person does in the page meanwhile waits here for the host, in its order.
 */
export class EarlyPage implements PanelTransport {
  readonly #line: PanelTransport;
  readonly #waiting: unknown[] = [];
  #listener: ((raw: unknown) => void) | undefined;

  constructor(line: PanelTransport) {
    this.#line = line;
    // It ends with the page.
    line.onMessage((raw) => {
      if (this.#listener === undefined) this.#waiting.push(raw);
      else this.#listener(raw);
    });
  }

  get visible(): boolean {
    return this.#line.visible;
  }

  post(message: unknown): void {
    this.#line.post(message);
  }

  /** The one that listens first gets what has waited. */
  onMessage(listener: (raw: unknown) => void): Disposable {
    this.#listener = listener;
    for (const raw of this.#waiting.splice(0)) listener(raw);
    return {
      dispose: () => {
        if (this.#listener === listener) this.#listener = undefined;
      },
    };
  }

  onVisibility(listener: () => void): Disposable {
    return this.#line.onVisibility(listener);
  }

  /** There will be no host: says so, and refuses whatever is asked, so that what was sent comes back into the input. */
  fail(): void {
    const message = l10n.t('Belay could not start; the notification says why and what to do.');
    const snapshot = { ...NOTHING, session: { ...EMPTY_SESSION, error: message } };
    const tell = (told: HostMessage): void => this.post(told);
    this.onMessage((raw) => {
      const { type, id } = raw as { readonly type?: unknown; readonly id?: number };
      if (type === 'ready') tell({ type: 'snapshot', seq: 0, now: Date.now(), snapshot });
      else if (type === 'request' && id !== undefined)
        tell({ type: 'refusal', id, failure: { code: 'unexpected', message } });
    });
  }
}

const NOTHING: Snapshot = {
  app: {
    hasKey: true,
    offeredKey: null,
    lostKey: null,
    serverProblems: [],
    trusted: true,
    hasWorkspace: true,
  },
  models: [],
  sessions: { rows: [], total: 0, error: null, deleted: null },
  session: EMPTY_SESSION,
  review: EMPTY_REVIEW,
};
