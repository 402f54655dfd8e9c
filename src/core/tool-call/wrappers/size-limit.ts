import { failureOf } from '../../../domain/failure.ts';
import type { ResultContent, ToolResultPart } from '../../../domain/message.ts';
import type { Blobs } from '../../ports/store/blobs.ts';
import type { Ids } from '../../ports/ids.ts';
import type { WrapToolCall } from '../tool-call.ts';

/** Share of the kept characters that comes from the beginning; the rest from the end, where commands say what failed. */
const HEAD_SHARE = 0.7;

/** Inside the ledger, outside hygiene (E3). Cuts a result at `limit` characters, and keeps it all. */
export function withSizeLimit(
  blobs: Pick<Blobs, 'putResult'>,
  ids: Ids,
  limit: () => number,
): WrapToolCall {
  return (next) => async (request) => {
    const outcome = await next(request);
    const text = textIn(outcome.result.content);
    const most = limit();
    if (text.length <= most || outcome.result.cut !== undefined) return outcome;
    const resultId = ids.next('result');
    let lost: string | undefined;
    try {
      await blobs.putResult(request.context.sessionId, resultId, text);
    } catch (thrown) {
      lost = failureOf(thrown).message;
    }
    return { ...outcome, result: cutResult(outcome.result, { text, most, resultId, lost }) };
  };
}

interface Cut {
  readonly text: string;
  readonly most: number;
  readonly resultId: string;
  /** The reason why the whole could not be kept. */
  readonly lost: string | undefined;
}

function cutResult(result: ToolResultPart, { text, most, resultId, lost }: Cut): ToolResultPart {
  const head = text.slice(0, breakBefore(text, Math.floor(most * HEAD_SHARE)));
  const tail = text.slice(breakAfter(text, text.length - (most - head.length)));
  const shown = head.length + tail.length;
  const rest =
    lost === undefined
      ? `The rest begins at offset ${head.length}: read_result {"result_id": "${resultId}", "offset": ${head.length}}.`
      : `The rest could not be kept (${lost}): ask for less at once.`;
  const notice = `[This result of ${result.name} is too long: ${shown} of ${text.length} characters are shown, the middle is left out. ${rest}]`;
  const content: ResultContent[] = [{ type: 'text', text: `${head}\n\n${notice}\n\n${tail}` }];
  content.push(...result.content.filter((part) => part.type !== 'text'));
  const cut = lost === undefined ? { cut: { resultId, shown, total: text.length } } : {};
  return { ...result, content, ...cut };
}

function textIn(content: readonly ResultContent[]): string {
  return content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
}

/** A place at or before `at`: after a line break when one is near, never inside a surrogate pair. */
function breakBefore(text: string, at: number): number {
  const line = text.lastIndexOf('\n', at - 1) + 1;
  if (line > at * 0.8) return line;
  return isLowSurrogate(text, at) ? at - 1 : at;
}

/** A place at or after `at`, by the same rule. */
function breakAfter(text: string, at: number): number {
  const line = text.indexOf('\n', at) + 1;
  if (line > 0 && line - at < (text.length - at) * 0.2) return line;
  return isLowSurrogate(text, at) ? at + 1 : at;
}

function isLowSurrogate(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  return unit >= 0xdc00 && unit <= 0xdfff;
}
