import type { Refusal } from './refusal.ts';

/** Says that a field is not known, as against a wrong value. */
const UNKNOWN =
  /un(?:supported|known|recognized|expected)|not (?:supported|permitted|allowed|available|valid)|extra (?:inputs|fields)|forbidden|additional propert|does ?n[o']t (?:support|exist|take)|no longer|deprecated|instead|invalid (?:field|parameter|argument)|only (?:the default|supported)|cannot find field/i;

/** True for a refusal of a field as such, whatever its value. */
export const saysUnknown = ({ text, type, code }: Refusal): boolean =>
  UNKNOWN.test(`${text} ${type ?? ''} ${code ?? ''}`);

/** True for a refusal of temperature and top_p together. */
export const saysOnlyOne = ({ text }: Refusal): boolean =>
  /temperature/i.test(text) &&
  /top_?p/i.test(text) &&
  /both|one of|only one|either|together|simultaneous|same time|exclusive/i.test(text);

/** The fields that a refusal names: the `param` of the error, the one its words begin with, those in quotes. */
export function refusedFields({ param, text }: Refusal): readonly string[] {
  const quoted = [...text.matchAll(/['"`]([\w.[\]]{3,60})['"`]/g)].map(([, name = '']) => name);
  const first = /^(?:body\.)?([\w.[\]]+):/.exec(text)?.[1];
  return [param, first, ...quoted].filter((name) => name !== undefined);
}
