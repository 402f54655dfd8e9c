import type { Told } from '../../../domain/text/told.ts';
import { type Json, type JsonObject, withTexts } from '../../../domain/data/json.ts';
import type { WrapToolCall } from '../tool-call.ts';
import { Turn } from '../../../domain/lifetime/steps.ts';
import { cleanByTurns, visibleByTurns } from '../../../domain/text/honest-text.ts';
import type { ResultContent } from '../../../domain/message.ts';

/** Inside the size limit. Takes out what is invisible or steers terminals (security, rule 7). */
export function withHygiene(): WrapToolCall {
  return (next) => async (request) => {
    const outcome = await next(request);
    const { content, display, told } = outcome.result;
    const turn = new Turn();
    const clean: ResultContent[] = [];
    for (const part of content)
      clean.push(
        part.type === 'text' ? { ...part, text: await cleanByTurns(part.text, turn) } : part,
      );
    const card =
      display === undefined
        ? {}
        : {
            display: (await withTexts(display, (text) => visibleByTurns(text, turn))) as JsonObject,
          };
    const said =
      told === undefined
        ? {}
        : {
            told: (await withTexts(told as unknown as Json, (text) =>
              visibleByTurns(text, turn),
            )) as unknown as readonly Told[],
          };
    return { ...outcome, result: { ...outcome.result, content: clean, ...card, ...said } };
  };
}
