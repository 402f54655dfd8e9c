import { setImmediate } from 'node:timers/promises';
import type { PanelHost } from '../../../src/panel/panel-host.ts';
import type { Disposable } from '../../../src/domain/lifetime/disposable.ts';
import { applyChange } from '../../support/apply-change.ts';
import type { HostMessage, Signal } from '../../../src/protocol/envelope.ts';
import type { RequestName, RequestParams, RequestResult } from '../../../src/protocol/requests.ts';
import type { Snapshot } from '../../../src/protocol/snapshot.ts';

/** A panel without a screen: follows the protocol as the real one does, and counts what it gets. */
export class Mirror {
  readonly posted: HostMessage[] = [];
  readonly signals: Signal[] = [];
  /** Acknowledges each batch by itself. */
  acknowledges = true;
  snapshot: Snapshot | undefined;
  snapshots = 0;
  #seq = 0;
  #visible = true;
  #requests = 0;
  readonly #answers = new Map<number, (message: HostMessage) => void>();
  readonly #messages = new Set<(raw: unknown) => void>();
  readonly #visibility = new Set<() => void>();
  readonly #attached: Disposable;

  constructor(panel: PanelHost) {
    const isVisible = (): boolean => this.#visible;
    this.#attached = panel.line.attach({
      get visible() {
        return isVisible();
      },
      // Through JSON, as between processes.
      post: (message) => this.#receive(JSON.parse(JSON.stringify(message)) as HostMessage),
      onMessage: (listener) => add(this.#messages, listener),
      onVisibility: (listener) => add(this.#visibility, listener),
    });
  }

  get session(): Snapshot['session'] {
    if (this.snapshot === undefined) throw new Error('The panel has no snapshot yet.');
    return this.snapshot.session;
  }

  get bytes(): number {
    return this.posted.reduce((sum, message) => sum + JSON.stringify(message).length, 0);
  }

  send(raw: unknown): void {
    for (const listener of this.#messages) listener(raw);
  }

  /** As a page does that has just been loaded. */
  async ready(): Promise<void> {
    this.send({ type: 'ready' });
    await settled();
  }

  async setVisible(visible: boolean): Promise<void> {
    this.#visible = visible;
    for (const listener of this.#visibility) listener();
    await settled();
  }

  acknowledge(): void {
    this.send({ type: 'ack', seq: this.#seq });
  }

  /** Rejects with the failure's sentence when the host refuses. */
  async request<Name extends RequestName>(
    name: Name,
    params: RequestParams<Name>,
  ): Promise<RequestResult<Name>> {
    return (await this.requestRaw(name, params)) as RequestResult<Name>;
  }

  async requestRaw(name: string, params: unknown): Promise<unknown> {
    this.#requests += 1;
    const id = this.#requests;
    const answer = new Promise<HostMessage>((resolve) => this.#answers.set(id, resolve));
    this.send({ type: 'request', id, name, params });
    const message = await answer;
    await settled();
    if (message.type === 'refusal') throw new Error(message.failure.message);
    return message.type === 'reply' ? message.value : undefined;
  }

  detach(): void {
    this.#attached.dispose();
  }

  #receive(message: HostMessage): void {
    this.posted.push(message);
    switch (message.type) {
      case 'snapshot':
        this.snapshots += 1;
        this.#seq = message.seq;
        this.snapshot = message.snapshot;
        break;
      case 'changes':
        if (message.seq !== this.#seq + 1)
          throw new Error(`A gap: ${message.seq} after ${this.#seq}.`);
        this.#seq = message.seq;
        for (const change of message.changes) {
          if (this.snapshot !== undefined) this.snapshot = applyChange(this.snapshot, change);
        }
        break;
      case 'signal':
        this.signals.push(message.signal);
        return;
      default:
        this.#answers.get(message.id)?.(message);
        return;
    }
    if (this.acknowledges) queueMicrotask(() => this.acknowledge());
  }
}

/** Everything that is pending has had its turn. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) await setImmediate();
}

export function add<Listener>(listeners: Set<Listener>, listener: Listener): Disposable {
  listeners.add(listener);
  return { dispose: () => listeners.delete(listener) };
}
