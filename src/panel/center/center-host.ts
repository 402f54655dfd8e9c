import type { Clock } from '../../core/ports/clock.ts';
import type { Log } from '../../core/ports/log.ts';
import type { Disposable } from '../../domain/lifetime/disposable.ts';
import { fault } from '../../domain/failure.ts';
import { told } from '../../domain/text/told.ts';
import { Lifetime } from '../../domain/lifetime/lifetime.ts';
import type { CenterMessage, CenterPlace } from '../../protocol/center/messages.ts';
import {
  type CenterHandlers,
  type CenterRequest,
  centerSchemas,
} from '../../protocol/center/requests.ts';
import type { CenterSection } from '../../protocol/center/view.ts';
import { checkParams } from '../../protocol/check-params.ts';
import { checkPanelMessage } from '../../protocol/envelope.ts';
import { replyTo } from '../reply.ts';
import type { PanelTransport } from '../services.ts';

/** Milliseconds in which changes are told together. */
const TOGETHER = 100;

export interface CenterHostParts {
  readonly clock: Clock;
  readonly log: Log;
  readonly handlers: CenterHandlers;
  /** Tells the listener of sections that are not as they were. */
  readonly follow: (stale: (sections: readonly CenterSection[]) => void) => readonly Disposable[];
}

/** The Control Center's half in the host: answers the page, and tells it what to read again. */
export class CenterHost implements Disposable {
  readonly #parts: CenterHostParts;
  readonly #lifetime = new Lifetime();
  readonly #stale = new Set<CenterSection>();
  #page:
    | { readonly transport: PanelTransport; readonly listening: readonly Disposable[] }
    | undefined;
  #ready = false;
  #timer: Disposable | undefined;
  /** Kept until the page can show it. */
  #place: CenterPlace | undefined;

  constructor(parts: CenterHostParts) {
    this.#parts = parts;
    for (const one of parts.follow((sections) => this.#changed(sections))) this.#lifetime.add(one);
  }

  /** Connects a page; an earlier one is let go. */
  attach(transport: PanelTransport): Disposable {
    this.#detach();
    const listening = [
      transport.onMessage((raw) => this.#receive(raw)),
      transport.onVisibility(() => {
        // A hidden page is gone; the next one reads everything.
        if (!transport.visible) this.#ready = false;
      }),
    ];
    this.#page = { transport, listening };
    return {
      dispose: () => {
        if (this.#page?.transport === transport) this.#detach();
      },
    };
  }

  /** Brings the page to a place, now or when it is there. */
  go(place: CenterPlace): void {
    this.#place = place;
    this.#going();
  }

  dispose(): void {
    this.#detach();
    this.#lifetime.dispose();
  }

  #detach(): void {
    for (const one of this.#page?.listening ?? []) one.dispose();
    this.#page = undefined;
    this.#ready = false;
    this.#timer?.dispose();
    this.#timer = undefined;
  }

  #going(): void {
    if (!this.#ready || this.#place === undefined) return;
    this.#post({ type: 'go', place: this.#place });
    this.#place = undefined;
  }

  #changed(sections: readonly CenterSection[]): void {
    if (!this.#ready) return;
    for (const section of sections) this.#stale.add(section);
    this.#timer ??= this.#parts.clock.after(TOGETHER, () => {
      this.#timer = undefined;
      if (this.#ready) this.#post({ type: 'stale', sections: [...this.#stale] });
      this.#stale.clear();
    });
  }

  #post(message: CenterMessage): void {
    this.#page?.transport.post(message);
  }

  #receive(raw: unknown): void {
    const checked = checkPanelMessage(raw);
    if ('problem' in checked) {
      this.#parts.log.warn(
        `The Control Center sent a message that is not understood: ${checked.problem}`,
      );
      return;
    }
    const { message } = checked;
    if (message.type === 'ready') {
      this.#ready = true;
      this.#going();
    } else if (message.type === 'request') void this.#answer(message);
  }

  async #answer(request: {
    readonly id: number;
    readonly name: string;
    readonly params: unknown;
  }): Promise<void> {
    const { name, params } = request;
    const work = async (): Promise<unknown> => {
      const known = name as CenterRequest;
      const checked = checkParams(centerSchemas, known, params);
      if ('problem' in checked) {
        const message = told`The Control Center asked for something Belay does not understand (${name}: ${checked.problem}). Nothing was changed; reload the window if this happens again.`;
        throw fault('invalid', message);
      }
      const handler = this.#parts.handlers[known] as (params: unknown) => Promise<unknown>;
      return handler(checked.params);
    };
    this.#post(await replyTo(request, work, this.#parts.log));
  }
}
