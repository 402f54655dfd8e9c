import type { Told } from './text/told.ts';
import type { JsonObject } from './data/json.ts';
import type { Mention } from './mention.ts';
import type { Replay } from './models/replay.ts';

/** The parts of a message (B5): sent, stored, shown; only providers translate them. */
export type Part =
  | TextPart
  | ReasoningPart
  | ToolCallPart
  | ToolResultPart
  | FinishPart
  | BinaryPart
  | ImageUrlPart;

/** Visible text. Never empty when stored: an empty block is refused by the API. */
export interface TextPart {
  readonly type: 'text';
  readonly text: string;
  readonly replay?: Replay;
  /** In a person's message: it is what was taken of this when the message was sent. */
  readonly mention?: Mention;
}

/** Thinking (D7). It is sent again only to who wrote it, with its `replay`; encrypted thinking has no text. */
export interface ReasoningPart {
  readonly type: 'reasoning';
  readonly text: string;
  readonly replay?: Replay;
}

/** A call the model asked for. It exists only once its whole message has arrived. */
export interface ToolCallPart {
  readonly type: 'tool_call';
  /** Unique within the session (made unique before it is stored). */
  readonly id: string;
  readonly name: string;
  /** `{}` when the input could not be parsed; then `invalid` says why. */
  readonly input: JsonObject;
  readonly invalid?: InvalidInput;
  /** The tool it was called through: `name` is a rare tool, offered by name only. The model is shown its call as it made it. */
  readonly via?: string;
  readonly replay?: Replay;
}

/** The reason why a call's input is unusable; such a call is answered, never run. */
export interface InvalidInput {
  /** A sentence for the model. */
  readonly problem: string;
  /** The input as it came, cut to 2,000 characters. */
  readonly raw: string;
}

/** A call's end. `unknown`: it was running when the process died. */
export type ToolResultState = 'done' | 'failed' | 'denied' | 'canceled' | 'unknown';

/** The answer to one `ToolCallPart`; every call gets exactly one, cancelled ones too (D4). */
export interface ToolResultPart {
  readonly type: 'tool_result';
  readonly callId: string;
  readonly name: string;
  readonly state: ToolResultState;
  readonly content: readonly ResultContent[];
  /** For the card: the sentences that a failure's text begins with, with their values apart. Never sent to the model. */
  readonly told?: readonly Told[];
  /** Present when the result was cut (E3); the whole is kept under `resultId`. */
  readonly cut?: ResultCut;
  /** Files the result names, for links (A9). Absolute paths or workspace-relative ones. */
  readonly files?: readonly FileLink[];
  /** For the card: a diff, an exit code, a count. Never sent to the model. */
  readonly display?: JsonObject;
  /** Milliseconds the call ran, waiting for the human not counted. */
  readonly elapsedMs?: number;
  /** Times that it was tried again after failures that may pass (C1). */
  readonly retries?: number;
}

export type ResultContent = TextPart | BinaryPart;

export interface ResultCut {
  readonly resultId: string;
  /** Characters in the content that was kept. */
  readonly shown: number;
  /** Characters of the whole result. */
  readonly total: number;
}

export interface FileLink {
  /** A path, or the http(s) address of a file that the server of a tool names. */
  readonly path: string;
  /** 1-based. */
  readonly line?: number;
}

export type FinishReason =
  | 'end_turn'
  | 'tool_use'
  | 'max_tokens'
  | 'stop_sequence'
  | 'pause'
  | 'refusal'
  | 'context_window'
  | 'canceled'
  | 'permission_denied'
  | 'failed'
  | 'unknown';

/** The last part of every assistant message. */
export interface FinishPart {
  readonly type: 'finish';
  readonly reason: FinishReason;
  /** The provider's own word, or a sentence about what was cut. */
  readonly detail?: string;
  /** The sentences of `detail`, where they are known: those are translated. */
  readonly told?: readonly Told[];
}

/** Bytes with a media type: an image, a PDF. */
export interface BinaryPart {
  readonly type: 'binary';
  readonly mediaType: string;
  /** Base64 without line breaks. */
  readonly data: string;
  readonly name?: string;
  /** As in `TextPart`. */
  readonly mention?: Mention;
}

/** A remote image. It is stored and sent, never loaded by the panel (it would leak data). */
export interface ImageUrlPart {
  readonly type: 'image_url';
  readonly url: string;
}

export type Role = 'user' | 'assistant' | 'tool';

/** A user message's author. `environment`, `memory`, `journal`: Belay's stored notes beside the person's message. */
export type Origin =
  | 'person'
  | 'policy'
  | 'summary'
  | 'journal'
  | 'followup'
  | 'parent'
  | 'environment'
  | 'memory';

/** One message of a session. Order is `seq`, never `createdAt` (clocks jump). */
export interface Message {
  readonly id: string;
  readonly sessionId: string;
  /** The run that made it; absent for imported messages. */
  readonly runId?: string;
  /** 1, 2, 3 … within the session, without gaps among stored messages. */
  readonly seq: number;
  readonly role: Role;
  readonly origin?: Origin;
  readonly parts: readonly Part[];
  readonly model?: string;
  readonly usage?: Usage;
  /** Milliseconds since the epoch, for people; never used for order. */
  readonly createdAt: number;
}

/** Tokens of one model call as the provider counted them (A8). Input excludes cached tokens. */
export interface Usage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheReadTokens: number;
  readonly cacheWriteTokens: number;
  /** Tokens of thinking, a part of `outputTokens`; absent when the provider does not tell them apart. */
  readonly reasoningTokens?: number;
  /** US dollars that the provider says it bills. */
  readonly billed?: number;
  /** Counted by Belay, because the provider does not. */
  readonly estimated?: boolean;
}

/** True for Belay's notes that stand before a message of the person. */
export const isBeside = (message: Pick<Message, 'origin'> | undefined): boolean =>
  message?.origin === 'environment' ||
  message?.origin === 'memory' ||
  message?.origin === 'journal';

export function toolCallsOf(message: Pick<Message, 'parts'>): ToolCallPart[] {
  return message.parts.filter((part): part is ToolCallPart => part.type === 'tool_call');
}

export function toolResultsOf(message: Pick<Message, 'parts'>): ToolResultPart[] {
  return message.parts.filter((part): part is ToolResultPart => part.type === 'tool_result');
}

/** The text that the person typed: without that of mentions and attached files. */
export function typedTextOf(message: Pick<Message, 'parts'>): string {
  return textOf({ parts: message.parts.filter((part) => !('mention' in part)) });
}

export function textOf(message: Pick<Message, 'parts'>): string {
  return message.parts
    .filter((part): part is TextPart => part.type === 'text')
    .map((part) => part.text)
    .join('');
}
