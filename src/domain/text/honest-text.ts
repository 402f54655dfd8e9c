import { type Steps, type Turn, byTurns } from '../lifetime/steps.ts';
import { textPieces } from './text-pieces.ts';

/**
 * Text from outside, made honest: nothing invisible, nothing that steers terminals or reorders what
 * is read. Emoji and right-to-left text stay as they are.
 */

/** ANSI sequences: CSI, OSC (to BEL or ST), other strings, and the short ones. */
const ANSI =
  // oxlint-disable-next-line no-control-regex
  /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]{0,4096}(?:\u0007|\u001b\\)|[PX^_][^\u001b]{0,4096}\u001b\\|[ -/]*[0-~])/gu;

/** Characters that need a closer look: controls, fillers, joiners, selectors, tags. */
const SUSPECT =
  /(?![\t\n\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u{110bd}\u{110cd}])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800\ufffc\u{16fe4}\u{1d159}\u{13441}\u{13442}]/u;

/** Characters that show nothing: blanks of all scripts, empty glyphs; no line feed. */
export const BLANK = String.raw`[\t\v\f\r \u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\p{Cf}\p{Default_Ignorable_Code_Point}\u2800\ufffc\u{16fe4}\u{1d159}\u{13441}\u{13442}]`;

const BLACK_FLAG = '\u{1f3f4}';
/** The three flags that are written with tag characters: England, Scotland, Wales. */
const TAG_FLAG =
  /\u{1f3f4}\u{e0067}\u{e0062}(?:\u{e0065}\u{e006e}\u{e0067}|\u{e0073}\u{e0063}\u{e0074}|\u{e0077}\u{e006c}\u{e0073})\u{e007f}/uy;

const TAGS = /[\u{e0000}-\u{e0fff}]+/uy;
const PICTOGRAPH = /\p{Extended_Pictographic}/u;
/** Characters before a join inside one emoji. */
const EMOJI_END = /[\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f\u20e3]/u;
/** Letters of scripts that use the joiners to write correctly (Persian, Hindi …). */
const JOINING_LETTER =
  /[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Nko}\p{Script=Mongolian}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Tibetan}]/u;
/** Letters next to which a direction mark does honest work. */
const RIGHT_TO_LEFT =
  /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;

/** For the model and the panel: terminal sequences vanish, CR LF becomes LF, what is left and invisible is shown. */
export function cleanText(text: string): string {
  const well = text.isWellFormed() ? text : text.toWellFormed();
  if (!SUSPECT.test(well)) return well;
  return makeVisible(well.replaceAll('\r\n', '\n').replace(ANSI, '').replaceAll('\r', '\n'));
}

/** The same of a text of any length, and others have their turn meanwhile. */
export function cleanByTurns(text: string, turn?: Turn): Promise<string> {
  return byTurns(inPieces(text, cleanText), turn);
}

/** Characters: a few milliseconds of the worst text, and more than the longest terminal sequence. */
const PIECES = { piece: 20_000, around: 5000 };

function* inPieces(text: string, work: (text: string) => string): Steps<string> {
  const done: string[] = [];
  for (const piece of textPieces(text, work, PIECES)) {
    done.push(work(piece));
    yield;
  }
  return done.join('');
}

/** For questions to a person: nothing is taken away, everything invisible is shown as `<U+200B>`. */
export function makeVisible(text: string): string {
  const well = text.isWellFormed() ? text : text.toWellFormed();
  const suspects = new RegExp(SUSPECT, 'gu');
  const shown: string[] = [];
  let at = 0;
  let from = 0;
  for (let found = suspects.exec(well); found !== null; found = suspects.exec(well)) {
    const { index } = found;
    // A character that is shown by its name is a neighbour no more.
    const wasNamed = index === at && shown.length > 0 && shown.at(-1) !== well.slice(from, at);
    const [source, visible] = visibleAt(well, index, wasNamed);
    from = index;
    shown.push(well.slice(at, index), visible);
    at = index + source.length;
    suspects.lastIndex = at;
  }
  return at === 0 ? well : shown.join('') + well.slice(at);
}

/** The same of a text of any length, and others have their turn meanwhile. */
export function visibleByTurns(text: string, turn?: Turn): Promise<string> {
  return byTurns(inPieces(text, makeVisible), turn);
}

/** The form in which a suspicious place is shown. */
function visibleAt(
  text: string,
  at: number,
  wasNamed: boolean,
): readonly [source: string, visible: string] {
  const flag = matchAt(TAG_FLAG, text, at - BLACK_FLAG.length)?.slice(BLACK_FLAG.length);
  if (flag !== undefined) return [flag, flag];
  const tags = matchAt(TAGS, text, at);
  if (tags !== undefined) return [tags, `<${tags.length / 2} hidden tag characters>`];
  const character = characterAt(text, at);
  const honest = isHonest(
    character,
    wasNamed ? '>' : characterBefore(text, at),
    characterAt(text, at + character.length),
  );
  return [character, honest ? character : `<U+${hexadecimal(character.codePointAt(0) ?? 0)}>`];
}

/** True for a character, perhaps invisible, that is where it belongs. */
function isHonest(character: string, before: string, after: string): boolean {
  switch (character) {
    case '\u200d': // joins emoji and letters
      return (EMOJI_END.test(before) && PICTOGRAPH.test(after)) || JOINING_LETTER.test(before);
    case '\u200c':
      return JOINING_LETTER.test(before) && JOINING_LETTER.test(after);
    case '\u2800': // among other patterns of Braille it is one of them
      return /[\u2801-\u28ff]/u.test(before) || /[\u2801-\u28ff]/u.test(after);
    case '\u200e':
    case '\u200f':
    case '\u061c':
      return RIGHT_TO_LEFT.test(before) || RIGHT_TO_LEFT.test(after);
    case '\ufe0e':
    case '\ufe0f': // text or emoji form of the character before
      return (
        before !== '' &&
        !SUSPECT.test(before) &&
        !/\s/u.test(before) &&
        (PICTOGRAPH.test(before) || (/[\d#*]/u.test(before) && after === '\u20e3'))
      );
    default:
      return false;
  }
}

function matchAt(pattern: RegExp, text: string, at: number): string | undefined {
  if (at < 0) return undefined;
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0];
}

function characterAt(text: string, at: number): string {
  const code = text.codePointAt(at);
  return code === undefined ? '' : String.fromCodePoint(code);
}

function characterBefore(text: string, at: number): string {
  const last = text.charCodeAt(at - 1);
  return characterAt(text, last >= 0xdc00 && last <= 0xdfff ? at - 2 : at - 1);
}

function hexadecimal(code: number): string {
  return code.toString(16).toUpperCase().padStart(4, '0');
}
