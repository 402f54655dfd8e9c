import type { WrapToolCall } from './tool-call.ts';
import { cleanText } from './text-hygiene.ts';

/**
 * Inside the size limit, so that what is kept and paged through is clean, too. Every text that comes
 * from outside loses what is invisible or steers a terminal (security, rule 7).
 */
export function hygiene(): WrapToolCall {
  return (next) => async (request) => {
    const outcome = await next(request);
    const content = outcome.result.content.map((part) =>
      part.type === 'text' ? { ...part, text: cleanText(part.text) } : part,
    );
    return { ...outcome, result: { ...outcome.result, content } };
  };
}
