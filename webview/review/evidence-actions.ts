import * as l10n from '@vscode/l10n';
import { signal, type Signal } from '@preact/signals';
import type { GreenView } from '../../src/protocol/review-view.ts';
import type { HostRequests } from '../host/host-requests.ts';
import type { PanelStore } from '../store.ts';
import { messageRow } from '../views/conversation/message-row.ts';
import type { ReviewActions } from './review-actions.ts';
import type { ActiveRow } from './rows.ts';

interface EvidencePanel {
  readonly host: HostRequests;
  readonly store: PanelStore;
  readonly announcement: Signal<string>;
  readonly review: ReviewActions;
}

/** The person's use of what is known of pending changes: a filter, a decision, the way to the request. */
export class EvidenceActions {
  /** Only changes that no test run began after are listed. */
  readonly untestedOnly = signal(false);
  /** Changes that are green and those that are not, while the person is asked. */
  readonly asked: Signal<GreenView | undefined> = signal(undefined);
  readonly #panel: EvidencePanel;

  constructor(panel: EvidencePanel) {
    this.#panel = panel;
  }

  /** Looks which changes are green now, and asks about them. */
  async askGreen(): Promise<void> {
    this.asked.value = await this.#panel.host.ask('greenChanges', {});
  }

  async keepGreen(): Promise<void> {
    const { green = [] } = this.asked.peek() ?? {};
    this.asked.value = undefined;
    if (green.length === 0) return;
    await this.#panel.review.decideAll(
      'keep',
      green.map(({ path, hunkId }) => ({ path, hunkId })),
    );
  }

  /** Shows the message that a change answers. */
  async showMessage(row: ActiveRow): Promise<void> {
    const { sessionId, messageId } = row.type === 'request' ? row.group : row.file;
    const { host, store, announcement, review } = this.#panel;
    if (store.session.id.peek() !== sessionId) await host.ask('openSession', { sessionId });
    const isThere = await until(() => store.session.id.peek() === sessionId);
    const isLoaded = isThere && (await this.#load(sessionId, messageId));
    if (isLoaded) await until(() => messageRow(document, messageId) !== null);
    const found = messageRow(document, messageId);
    found?.scrollIntoView({ block: 'center' });
    const words =
      found === null
        ? l10n.t('The message is not on record any more.')
        : l10n.t('The message is in sight.');
    announcement.value = words;
    if (found === null) review.note.shown.value = { text: words };
  }

  /** Reads back until a message is there; `false`: it is nowhere. */
  async #load(sessionId: string, messageId: string): Promise<boolean> {
    const { host, store } = this.#panel;
    const { transcript, session } = store;
    for (;;) {
      const entries = transcript.entries.peek();
      if (entries.some(({ id }) => id === messageId)) return true;
      const [first] = entries;
      if (!transcript.hasOlder.peek() || first === undefined) return false;
      const page = await host.ask('loadOlder', { sessionId, beforeSeq: first.seq });
      if (page === undefined || session.id.peek() !== sessionId) return false;
      transcript.prepend(page.messages, page.hasOlder);
    }
  }
}

/** Frames that are waited for the page to follow: some seconds. */
const FRAMES = 300;

async function until(isSo: () => boolean): Promise<boolean> {
  for (let frame = 0; frame < FRAMES && !isSo(); frame += 1)
    await new Promise((resolve) => {
      requestAnimationFrame(resolve);
    });
  return isSo();
}
