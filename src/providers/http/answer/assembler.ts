import { tells } from '../../../domain/failure.ts';
import { type Told, told } from '../../../domain/text/told.ts';
import type { ModelAnswer, ModelEvent } from '../../../core/model-call/model-call.ts';
import type { FinishReason, Part, Usage } from '../../../domain/message.ts';

/** How an answer ended, or why it cannot be used. */
export type Outcome =
  | { readonly kind: 'complete'; readonly answer: ModelAnswer }
  | { readonly kind: 'refused'; readonly category?: string; readonly explanation?: string }
  /** `body`: the error as it came, in any of the forms that `refusalFrom` reads. */
  | { readonly kind: 'error'; readonly body: unknown }
  | { readonly kind: 'broken'; readonly why: Told }
  | { readonly kind: 'empty' };

/** The outcome of a whole answer. `detail`: the server's word for its end, where ours says less. */
export function complete(
  parts: readonly Part[],
  { finish, detail }: { readonly finish: FinishReason; readonly detail?: string },
  usage: Usage | undefined,
  model: string,
): Outcome {
  const said = detail === undefined ? {} : { finishDetail: detail };
  const counted = usage === undefined ? {} : { usage };
  return { kind: 'complete', answer: { parts, finish, ...said, ...counted, model } };
}

/** Told of a part of an answer that no wire of ours has. @param kind the server's name for it */
export const unknownPart = (kind: string): ModelEvent => ({
  type: 'warning',
  ...tells(told`The model sent a part that Belay does not know (${kind}). It was passed over.`),
});

/** Puts one answer together from the events of a wire, or from one whole message. Nothing incomplete may ever be run. */
export interface Assembler {
  /** Absent while more may follow. */
  readonly outcome: Outcome | undefined;
  /** Tokens counted so far; absent when the provider did not say. */
  readonly usage: Usage | undefined;
  /** The answer has told how it ended and nothing of it is open: only the end mark is missing. */
  readonly lacksOnlyTheEnd: boolean;
  accept(event: Record<string, unknown>): void;
  /** Takes the mark `[DONE]`, which some wires end with. */
  endMark?(): void;
  /** Takes a message that came whole although a stream was asked for; `false`: it is none. */
  acceptWhole(message: Record<string, unknown>): boolean;
  /** Events to show, oldest first. */
  take(): readonly ModelEvent[];
  /** Ends the answer as its end mark does. */
  finish(): void;
}
