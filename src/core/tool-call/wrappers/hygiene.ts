import type { Json, JsonObject } from '../../../domain/json.ts';
import type { WrapToolCall } from '../tool-call.ts';
import { cleanText, makeVisible } from '../../../domain/text/honest-text.ts';

/** Inside the size limit. Takes out what is invisible or steers terminals (security, rule 7). */
export function withHygiene(): WrapToolCall {
  return (next) => async (request) => {
    const outcome = await next(request);
    const { content, display } = outcome.result;
    const clean = content.map((part) =>
      part.type === 'text' ? { ...part, text: cleanText(part.text) } : part,
    );
    const card = display === undefined ? {} : { display: visible(display) as JsonObject };
    return { ...outcome, result: { ...outcome.result, content: clean, ...card } };
  };
}

/** The same value with every text in it made honest; names of members are ours. */
function visible(value: Json): Json {
  if (typeof value === 'string') return makeVisible(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item: Json) => visible(item));
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, visible(inner)]));
}
