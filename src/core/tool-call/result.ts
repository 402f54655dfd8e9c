import { type Json, type JsonObject, withTexts } from '../../domain/data/json.ts';
import { type Failure, sentenceOf, tells, type Words } from '../../domain/failure.ts';
import type { ToolCallPart, ToolResultPart } from '../../domain/message.ts';
import { inEnglish, told, type Told } from '../../domain/text/told.ts';
import { type StopReason, stopReasonOf } from '../run/run-end.ts';
import { type ToolOutcome, textResult } from './tool-call.ts';

type Call = Pick<ToolCallPart, 'id' | 'name'>;

/** A call that failed; the model reads the failure's sentence (E10). */
export function failedOutcome(part: Call, failure: Failure): ToolOutcome {
  const { message, told: said } = failure;
  const result = textResult(part, 'failed', message);
  return { result: said === undefined ? result : { ...result, told: said }, failure };
}

/** A call that the model got wrong, so that it was not run: the model reads why and corrects it. */
export function rejectedOutcome(
  part: Call,
  mistake: 'unknown_tool' | 'wrong_arguments',
  said: Told,
): ToolOutcome {
  const { result, failure } = failedOutcome(part, { code: 'invalid', ...tells(said) });
  return {
    result: { ...result, display: { kind: 'rejected_call', mistake } },
    ...(failure === undefined ? {} : { failure }),
  };
}

/** A result of sentences: English for the model, and in their language for the person. */
export const toldResult = (
  part: Call,
  state: ToolResultPart['state'],
  ...said: readonly Told[]
): ToolResultPart => ({ ...textResult(part, state, tells(...said).message), told: said });

/** A call that did not run, or was stopped, because the run stops (B15, D4). */
export function canceledOutcome(part: Call, signal: AbortSignal, more?: Words): ToolOutcome {
  const why = WHY_CANCELED[stopReasonOf(signal) ?? 'canceled'];
  if (more === undefined) return { result: toldResult(part, 'canceled', why) };
  const result = textResult(part, 'canceled', `${inEnglish(why)} ${more.message}`);
  return { result: { ...result, told: [why, sentenceOf(more)] } };
}

const WHY_CANCELED: Readonly<Record<StopReason, Told>> = {
  canceled: told`Canceled by the user.`,
  time_limit: told`Canceled: the time limit of the run was reached.`,
  needs_human: told`Stopped, because the run had to wait for the user.`,
  shutdown: told`Stopped, because Belay was closed; the user did not ask for it.`,
  handover: told`Stopped, because another process goes on with the run; the user did not ask for it.`,
};

export function resultText(result: Pick<ToolResultPart, 'content'>): string {
  return result.content
    .map((part) => (part.type === 'text' ? part.text : `[${part.mediaType}]`))
    .join('\n');
}

/** The parts of a result that a card shows beside its content, with their texts changed. */
export async function withCardTexts(
  { display, told: said }: Pick<ToolResultPart, 'display' | 'told'>,
  change: (text: string) => Promise<string>,
): Promise<Pick<ToolResultPart, 'display' | 'told'>> {
  const sentences = said as unknown as Json | undefined;
  return {
    ...(display === undefined ? {} : { display: (await withTexts(display, change)) as JsonObject }),
    ...(sentences === undefined
      ? {}
      : { told: (await withTexts(sentences, change)) as unknown as readonly Told[] }),
  };
}
