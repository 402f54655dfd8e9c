import { type JsonObject, isJsonObject } from '../../domain/data/json.ts';

/** A text that an app gives for the next message: data of its server. */
export interface AppContext {
  readonly server: string;
  readonly tool: string;
  readonly text: string;
}

/** Apps whose text is kept; of more the oldest goes. */
const MOST = 10;
const KEY = 'belay.appContexts';

/** Where texts outlast a reload. */
export interface ContextMemory {
  get(key: string): unknown;
  update(key: string, value: unknown): PromiseLike<void>;
}

/** Texts that apps of MCP servers gave for the next message, by the call that each shows; one an app. */
export class AppContexts {
  readonly #memory: ContextMemory;

  constructor(memory: ContextMemory) {
    this.#memory = memory;
  }

  of(callId: string): AppContext | undefined {
    return this.#all().find(([id]) => id === callId)?.[1];
  }

  /** Takes the place of an earlier text of the same app. */
  async keep(callId: string, context: AppContext): Promise<void> {
    const others = this.#all().filter(([id]) => id !== callId);
    await this.#memory.update(KEY, [...others, [callId, context]].slice(-MOST));
  }

  #all(): readonly (readonly [string, AppContext])[] {
    const kept = this.#memory.get(KEY);
    return (Array.isArray(kept) ? (kept as readonly unknown[]) : []).flatMap((one) => {
      const [id, context] = Array.isArray(one) ? (one as readonly unknown[]) : [];
      const { server, tool, text } = isJsonObject(context) ? context : ({} as JsonObject);
      return typeof id === 'string' &&
        typeof server === 'string' &&
        typeof tool === 'string' &&
        typeof text === 'string'
        ? [[id, { server, tool, text }] as const]
        : [];
    });
  }
}
