/** Words that are small in the middle of a sentence. */
const FIRST_WORD = /^(?:An?|It|Its|Look|Nothing|The|There|These|They|This|What|Why)\b/u;

/** Several reasons as one sentence: "…; …; …." */
export function oneSentence(reasons: readonly string[]): string {
  const said = [...new Set(reasons.flatMap((reason) => reason.split('\n')))]
    .map((reason) => reason.trim().replace(/\.$/u, ''))
    .filter((reason) => reason !== '');
  const [first = '', ...rest] = said;
  const later = rest.map((reason) =>
    FIRST_WORD.test(reason) ? `${reason.charAt(0).toLowerCase()}${reason.slice(1)}` : reason,
  );
  return `${[first, ...later].join('; ')}.`;
}
