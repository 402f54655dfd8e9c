import { withCardTexts } from '../result.ts';
import type { WrapToolCall } from '../tool-call.ts';
import { Turn } from '../../../domain/lifetime/steps.ts';
import { cleanByTurns, visibleByTurns } from '../../../domain/text/honest-text.ts';
import type { ResultContent } from '../../../domain/message.ts';

/** Inside the size limit. Takes out what is invisible or steers terminals (security, rule 7). */
export function withHygiene(): WrapToolCall {
  return (next) => async (request) => {
    const outcome = await next(request);
    const { content } = outcome.result;
    const turn = new Turn();
    const clean: ResultContent[] = [];
    for (const part of content)
      clean.push(
        part.type === 'text' ? { ...part, text: await cleanByTurns(part.text, turn) } : part,
      );
    const card = await withCardTexts(outcome.result, (text) => visibleByTurns(text, turn));
    return { ...outcome, result: { ...outcome.result, content: clean, ...card } };
  };
}
