import * as l10n from '@vscode/l10n';
import { computed, effect, signal, type ReadonlySignal } from '@preact/signals';
import type { HostRequests } from './host/host-requests.ts';
import type { PanelStore } from './store.ts';

/** The run on screen, as the person stops it and waits for it. */
export class RunControl {
  /** "Stopping…" is shown at once, before the host has heard of it. */
  readonly stopping = signal(false);
  /** Why nothing can be restored or forked now; empty: it can. */
  readonly hindrance: ReadonlySignal<string>;
  readonly #session: PanelStore['session'];
  readonly #host: HostRequests;

  constructor(session: PanelStore['session'], host: HostRequests) {
    this.#session = session;
    this.#host = host;
    this.hindrance = computed(() => {
      if (session.elsewhere.value) return l10n.t('Another window works on this session.');
      return session.run.value.phase === 'idle' ? '' : l10n.t('A run is on: stop it first.');
    });
    effect(() => {
      if (session.run.value.phase !== 'idle') return;
      this.stopping.value = false;
      if (!session.elsewhere.value) host.clearBusy(session.id.value);
    });
  }

  stop(): void {
    const id = this.#session.id.peek();
    if (id === null || this.#session.run.peek().phase === 'idle') return;
    this.stopping.value = true;
    this.#host.do('stop', { sessionId: id });
  }
}
