import type { Disposable } from '../../../domain/lifetime/disposable.ts';
import type { JsonObject } from '../../../domain/data/json.ts';

/** A model that the editor itself has for extensions. */
export interface EditorModel {
  /** `vendor/id`, unique among all. */
  readonly id: string;
  /** For people. */
  readonly name: string;
  /** Who brings it: `copilot` and the like. */
  readonly vendor: string;
  /** Tokens that one request may have. */
  readonly maxInputTokens: number;
  /** True when it calls tools; absent: the editor does not say. */
  readonly tools?: boolean | undefined;
  /** True when it sees images; absent: the editor does not say. */
  readonly images?: boolean | undefined;
}

/** Text, bytes, a call, its result, or the model's own thinking. */
export type EditorPart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'data'; readonly mimeType: string; readonly data: Uint8Array }
  | {
      readonly type: 'call';
      readonly id: string;
      readonly name: string;
      readonly input: JsonObject;
    }
  | { readonly type: 'result'; readonly callId: string; readonly text: string }
  /** `rest`: what goes with it and must come back unchanged. */
  | { readonly type: 'thinking'; readonly text: string; readonly rest: JsonObject };

/** There is no role for the system. */
export interface EditorMessage {
  readonly role: 'user' | 'assistant';
  readonly parts: readonly EditorPart[];
}

export interface EditorRequest {
  readonly messages: readonly EditorMessage[];
  readonly tools: readonly {
    readonly name: string;
    readonly description: string;
    readonly inputSchema: JsonObject;
  }[];
  /** One of the tools must be called. */
  readonly required: boolean;
  /** Why Belay asks; shown where the person is asked for consent. */
  readonly justification: string;
}

/**
 * The models that the editor has by itself, from any extension. What they reject with is the editor's own error,
 * with `code`, `name` and `message`.
 */
export interface EditorModels {
  /** The models there are now. Asking starts the extensions that bring them, but asks the person nothing. */
  list(): Promise<readonly EditorModel[]>;
  /**
   * Sends a request. Resolves when it is taken, and with that the person's consent is given; the parts of the
   * answer follow. The signal ends it: whatever comes afterwards is left.
   */
  send(
    model: string,
    request: EditorRequest,
    signal: AbortSignal,
  ): Promise<AsyncIterable<EditorPart>>;
  /** Tokens of a message by the model's own measure. */
  countTokens(model: string, message: EditorMessage, signal: AbortSignal): Promise<number>;
  /** Models have come, gone or changed. */
  onChange(listener: () => void): Disposable;
}
