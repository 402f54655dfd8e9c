import type { Clock } from '../core/ports/clock.ts';
import type { Disposable } from '../domain/lifetime/disposable.ts';
import { Listeners } from '../domain/lifetime/listeners.ts';
import type { Log } from '../core/ports/log.ts';
import type { Change } from '../protocol/changes.ts';
import {
  checkPanelMessage,
  type HostMessage,
  type PanelMessage,
  type Signal,
} from '../protocol/envelope.ts';
import type { RequestName } from '../protocol/requests.ts';
import type { Snapshot } from '../protocol/snapshot.ts';
import { Outbox } from './outbox.ts';
import { replyTo } from './reply.ts';
import type { PanelTransport } from './services.ts';

/**
 * Milliseconds for reading what is shown next, before the page is told that it is being read: most sessions are read in
 * 15 to 35, and each snapshot costs the page as much again.
 */
const SOON_MS = 60;

export interface PanelLineOptions {
  readonly clock: Clock;
  readonly log: Log;
  /** Everything, as it is now. */
  readonly snapshot: () => Snapshot;
  /** The panel was loaded for the first time; resolves when there is something to show. Never rejects. */
  readonly onFirstReady: () => Promise<void>;
  /** Rejects with what the panel is to be told. */
  readonly onRequest: (name: RequestName, params: unknown) => Promise<unknown>;
}

/**
 * The line to the panel. A panel that has been loaded, has lost a batch or comes into view again
 * gets a snapshot; a hidden one gets nothing.
 */
export class PanelLine {
  readonly #options: PanelLineOptions;
  readonly #outbox: Outbox;
  #transport: PanelTransport | undefined;
  #listening: readonly Disposable[] = [];
  #ready = false;
  #starting: Promise<void> | undefined;
  /** A snapshot that is to be sent; it has all changes until then. */
  #due: Disposable | undefined;
  #signals: Signal[] = [];
  readonly #focused = new Listeners();

  constructor(options: PanelLineOptions) {
    this.#options = options;
    this.#outbox = new Outbox(options.clock, (seq, changes) => {
      this.#post({ type: 'changes', seq, now: options.clock.now(), changes });
    });
  }

  /** Fires when the page gets the focus. */
  onFocus(listener: () => void): Disposable {
    return this.#focused.listen(listener);
  }

  /** Connects a webview; an earlier one is let go. */
  attach(transport: PanelTransport): Disposable {
    this.detach();
    this.#transport = transport;
    this.#listening = [
      transport.onMessage((raw) => this.#receive(raw)),
      transport.onVisibility(() => this.#visibilityChanged()),
    ];
    return {
      dispose: () => {
        if (this.#transport === transport) this.detach();
      },
    };
  }

  detach(): void {
    for (const listening of this.#listening) listening.dispose();
    this.#listening = [];
    this.#transport = undefined;
    this.#ready = false;
    this.#settle();
    this.#outbox.clear();
  }

  push(changes: readonly Change[]): void {
    if (changes.length > 0 && this.#due === undefined && this.#live()) this.#outbox.push(changes);
  }

  /** Sends everything anew, because something else is shown now. */
  sendSnapshot(): void {
    this.#settle();
    if (!this.#live()) return;
    const seq = this.#outbox.restart();
    this.#post({
      type: 'snapshot',
      seq,
      now: this.#options.clock.now(),
      snapshot: this.#options.snapshot(),
    });
  }

  /** Sends everything anew in a moment, unless that happens before: what is shown next is being read. */
  sendSnapshotSoon(): void {
    this.#outbox.clear();
    this.#due ??= this.#options.clock.after(SOON_MS, () => this.sendSnapshot());
  }

  #settle(): void {
    this.#due?.dispose();
    this.#due = undefined;
  }

  /** Kept until the panel can see it. */
  signal(signal: Signal): void {
    this.#signals.push(signal);
    this.#sendSignals();
  }

  #live(): boolean {
    return this.#ready && this.#transport?.visible === true;
  }

  #visibilityChanged(): void {
    if (this.#transport?.visible === true) {
      this.sendSnapshot();
      this.#sendSignals();
    } else {
      this.#settle();
      this.#outbox.clear();
    }
  }

  #sendSignals(): void {
    if (!this.#live()) return;
    const signals = this.#signals;
    this.#signals = [];
    for (const signal of signals) this.#post({ type: 'signal', signal });
  }

  #post(message: HostMessage): void {
    this.#transport?.post(message);
  }

  #receive(raw: unknown): void {
    const checked = checkPanelMessage(raw);
    if ('problem' in checked) {
      this.#options.log.warn(`The panel sent a message that is not understood: ${checked.problem}`);
      return;
    }
    const { message } = checked;
    switch (message.type) {
      case 'ready':
        void this.#begin(this.#transport);
        break;
      case 'ack':
        this.#outbox.acknowledge(message.seq);
        break;
      case 'focus':
        this.#focused.fire();
        break;
      case 'request':
        void this.#answer(message);
        break;
      default:
        message satisfies never;
    }
  }

  async #begin(transport: PanelTransport | undefined): Promise<void> {
    this.#starting ??= this.#options.onFirstReady();
    await this.#starting;
    if (transport !== this.#transport) return;
    this.#ready = true;
    this.sendSnapshot();
    this.#sendSignals();
  }

  async #answer(request: Extract<PanelMessage, { readonly type: 'request' }>): Promise<void> {
    const { name, params } = request;
    const { log, onRequest } = this.#options;
    const answer = await replyTo(request, async () => onRequest(name, params), log);
    this.#outbox.flush();
    this.#post(answer);
  }
}
