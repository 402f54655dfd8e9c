/** Texts, commas and brackets of one input, and how deep it may be nested: no tool takes a part of that. */
const MOST_MARKS = 200_000;
const DEEPEST = 200;
/** Characters: a few times the largest file that is written. */
const LONGEST = 20_000_000;

/**
 * Why an input is not read; `undefined`: it can be, in little time and without an end of the stack. Texts are passed
 * over, so that what it costs is known before it is parsed.
 */
export function tooMuchIn(json: string): string | undefined {
  if (json.length > LONGEST)
    return `The input has ${json.length} characters, at most ${LONGEST} are read. Split the work: write less in one call.`;
  const places = /["[\]{},]/gu;
  let [depth, marks] = [0, 0];
  for (let found = places.exec(json); found !== null; found = places.exec(json)) {
    const [mark] = found;
    marks += 1;
    if (mark === '"') places.lastIndex = textEnd(json, found.index + 1);
    else if (mark !== ',') depth += mark === '[' || mark === '{' ? 1 : -1;
    if (depth > DEEPEST)
      return `The input is nested more than ${DEEPEST} deep. Write it flatter, or as text in a file.`;
    if (marks > MOST_MARKS)
      return `The input has more than ${MOST_MARKS} texts, commas and brackets. Split the work, or write them to a file as text.`;
  }
  return undefined;
}

/** Behind the closing quote of a text. */
function textEnd(json: string, from: number): number {
  for (let quote = json.indexOf('"', from); quote !== -1; quote = json.indexOf('"', quote + 1)) {
    let before = quote;
    while (before > from && json[before - 1] === '\\') before -= 1;
    if ((quote - before) % 2 === 0) return quote + 1;
  }
  return json.length;
}
