import { type Steps, type Turn, byTurns, inOneGo } from '../../domain/lifetime/steps.ts';
import { piecesOf } from './text-pieces.ts';
import { maskForModel, secretsIn } from './secret-forms.ts';
import { withoutEnd } from '../../domain/text/text-end.ts';

/** The text in the place of a secret in everything the model reads. */
export const HIDDEN = '[secret hidden by Belay]';

export interface FoundSecret {
  /** Its kind or origin, for the person; never the value. */
  readonly what: string;
}

/** Shorter values would be found in ordinary words. */
const SHORTEST = 8;
/** Characters of a value that are remembered: a longer one is known by its beginning. */
const LONGEST = 10_000;
/** Characters of a secret that are enough to count as a piece of it. */
const PIECE = 12;
/** Characters of a text from which on one value after the other is looked for in it. */
const LONG = 100_000;
/** Most values that are remembered; the oldest go. */
const MOST = 2000;

/** The secret values known in this process, in memory only: keys, environment, files of secrets. */
export class SecretBook {
  readonly #values = new Map<string, string>();
  /** Forms of values in texts, as each masking needs them. */
  readonly #forms = new Map<string, readonly string[]>();
  #added = 0;
  readonly #sources: () => Iterable<readonly [value: string, what: string]>;

  /** `sources`: values that somebody else keeps and may change, asked for each time. */
  constructor(sources: () => Iterable<readonly [value: string, what: string]> = () => []) {
    this.#sources = sources;
  }

  /** Remembers a value; `what` names it for the person. */
  add(value: string, what: string): void {
    const trimmed = value.trim().slice(0, LONGEST);
    if (trimmed.length < SHORTEST || this.#values.has(trimmed)) return;
    this.#values.set(trimmed, what);
    this.#added += 1;
    const [oldest] = this.#values.keys();
    if (this.#values.size > MOST && oldest !== undefined) this.#values.delete(oldest);
  }

  /** Counts what was added: a text that was masked at a smaller number may have to be masked again. */
  get version(): number {
    return this.#added;
  }

  /** True when a text has a value added since a version, or one that somebody else keeps. */
  hasNewer(text: string, version: number): boolean {
    const newer = Math.min(this.#added - version, this.#values.size);
    const added = newer === 0 ? [] : [...this.#values.keys()].slice(-newer);
    const others = [...this.#sources()].map(([value]) => value.trim());
    return [...others.filter((value) => value.length >= SHORTEST), ...added].some((value) =>
      this.#formsOf(value).some((form) => text.includes(form)),
    );
  }

  /** Remembers what a text has of secrets; of a file of secrets every value counts. */
  learn(text: string, file?: string): void {
    inOneGo(this.#learning(text, file));
  }

  /** The same, and others have their turn meanwhile. */
  learnByTurns(text: string, file?: string, turn?: Turn): Promise<void> {
    return byTurns(this.#learning(text, file), turn);
  }

  mask(text: string): string {
    return inOneGo(this.#masking(text));
  }

  /** The same, and others have their turn meanwhile. */
  maskByTurns(text: string, turn?: Turn): Promise<string> {
    return byTurns(this.#masking(text), turn);
  }

  *#learning(text: string, file: string | undefined): Steps<void> {
    for (const piece of piecesOf(text)) {
      for (const { name, value } of secretsIn(piece)) this.add(value, name);
      yield;
    }
    if (file === undefined) return;
    for (const piece of piecesOf(text)) {
      for (const value of valuesOf(piece)) this.add(value, `a value of ${file}`);
      yield;
    }
  }

  *#masking(text: string): Steps<string> {
    let masked = text;
    // The longer first: one may be a part of another.
    for (const [value] of [...this.#known()].toSorted(([a], [b]) => b.length - a.length)) {
      for (const form of this.#formsOf(value)) masked = masked.replaceAll(form, HIDDEN);
      if (text.length > LONG) yield;
    }
    const pieces: string[] = [];
    for (const piece of piecesOf(masked)) {
      pieces.push(maskForModel(piece, HIDDEN));
      yield;
    }
    return pieces.join('');
  }

  #formsOf(value: string): readonly string[] {
    const known = this.#forms.get(value) ?? writtenForms(value);
    if (this.#forms.size > 2 * MOST) this.#forms.clear();
    this.#forms.set(value, known);
    return known;
  }

  /** Secrets in a text that is about to leave, also encoded, reversed, spaced out or in pieces. */
  find(text: string): readonly FoundSecret[] {
    return inOneGo(this.#finding(text));
  }

  /** The same, and others have their turn meanwhile. */
  findByTurns(text: string): Promise<readonly FoundSecret[]> {
    return byTurns(this.#finding(text));
  }

  *#finding(text: string): Steps<readonly FoundSecret[]> {
    const forms = yield* variantsOf(text);
    const found = new Set<string>();
    for (const form of forms)
      for (const piece of piecesOf(form)) {
        for (const { name } of secretsIn(piece)) found.add(name);
        yield;
      }
    for (const [value, what] of this.#known())
      for (const form of forms) {
        if (found.has(what)) break;
        if (yield* hasPiece(form, value)) found.add(what);
      }
    return [...found].map((what) => ({ what }));
  }

  *#known(): Iterable<readonly [string, string]> {
    for (const [value, what] of this.#sources())
      if (value.trim().length >= SHORTEST) yield [value.trim(), what];
    yield* this.#values;
  }
}

/** A value as it stands in texts: plain, in JSON, in an address. */
function writtenForms(value: string): readonly string[] {
  if (/^[\w.~-]*$/u.test(value)) return [value];
  const inJson = JSON.stringify(value).slice(1, -1);
  const inAddress = value.isWellFormed() ? encodeURIComponent(value) : value;
  return [...new Set([value, inJson, inAddress])];
}

/** Values of a file of settings, one a line: what follows `=` or `:`, and long lines without either. */
function valuesOf(text: string): readonly string[] {
  return text.split('\n').flatMap((line) => {
    const plain = line.replace(/^\s*\d+[\t:|]\s?/u, '').trim();
    if (plain === '' || plain.startsWith('#')) return [];
    const value =
      /^[\w."' -]{1,80}?\s*[:=]\s*(?<value>.+)$/su.exec(plain)?.groups?.['value'] ?? plain;
    const bare = withoutEnd(value.replace(/^["']/u, ''), `"',;`);
    return isTelling(bare) ? [bare] : [];
  });
}

/** Not a word, a number or an address that stands anywhere: in a file of secrets it is one. */
export function isTelling(value: string): boolean {
  return (
    value.length >= SHORTEST &&
    !/\s/u.test(value) &&
    !/^(?:\d+(?:\.\d+)*|true|false|[a-z-]+|https?:\/\/[^:@]*)$/iu.test(value)
  );
}

/** Characters between the letters of a secret that is spaced out, beside blanks. */
const BETWEEN: ReadonlySet<number> = new Set(
  Array.from('"\'+,.|\\/_-', (one) => one.charCodeAt(0)),
);

const isBetween = (code: number): boolean =>
  code === 0x20 ||
  (code >= 0x09 && code <= 0x0d) ||
  BETWEEN.has(code) ||
  (code > 0x7f && /\s/u.test(String.fromCharCode(code)));

/** As many characters as a call takes as arguments. */
const AT_ONCE = 4096;

/** The text without what may stand between the letters of a secret: a pattern takes five times as long. */
function squeezed(text: string): string {
  const parts: string[] = [];
  const codes = new Uint16Array(AT_ONCE);
  for (let from = 0; from < text.length; from += AT_ONCE) {
    let count = 0;
    for (let at = from; at < Math.min(text.length, from + AT_ONCE); at += 1) {
      const code = text.charCodeAt(at);
      if (isBetween(code)) continue;
      codes[count] = code;
      count += 1;
    }
    parts.push(String.fromCharCode(...codes.subarray(0, count)));
  }
  return parts.join('');
}

/** A text as it is and as it may be wrapped up: percent, base64, hexadecimal, reversed, spaced out. */
function* variantsOf(text: string): Steps<readonly string[]> {
  const percent = yield* changed(text, /[^%\da-fA-F]/u, decodePercent);
  const unescaped = yield* changed(text, /[^\\]/u, (part) => part.replace(/\\(?=["'/\\])/gu, ''));
  const plain = new Set([text, percent, unescaped]);
  const forms = new Set(plain);
  for (const form of plain) {
    forms.add(yield* changed(form, /[^\w+/=-]/u, (part) => decoded(part, BASE64, decodeBase64)));
    forms.add(yield* changed(form, /[^\da-fA-F\s:]/u, (part) => decoded(part, HEX, decodeHex)));
    forms.add(yield* changed(form, undefined, squeezed));
  }
  const reversed: string[] = [];
  for (const part of windowsOf(text, undefined)) {
    reversed.push(backwards(part));
    yield;
  }
  forms.add(reversed.toReversed().join(''));
  return [...forms].filter((form) => form !== '');
}

function backwards(text: string): string {
  const parts: string[] = [];
  const codes = new Uint16Array(AT_ONCE);
  for (let end = text.length; end > 0; end -= AT_ONCE) {
    const count = Math.min(AT_ONCE, end);
    for (let at = 0; at < count; at += 1) codes[at] = text.charCodeAt(end - 1 - at);
    parts.push(String.fromCharCode(...codes.subarray(0, count)));
  }
  return parts.join('');
}

const BASE64 = /[A-Za-z0-9+/_-]{12,}={0,2}/gu;
const HEX = /(?:[0-9a-fA-F]{2}[\s:]?){8,}/gu;

/** Decodes the words of a form in a text, one a line. */
function decoded(text: string, form: RegExp, decode: (word: string) => string): string {
  return [...text.matchAll(form)].map(([word]) => decode(word)).join('\n');
}

/** @param outside what a window ends with: what is decoded is decoded whole */
function* changed(
  text: string,
  outside: RegExp | undefined,
  change: (text: string) => string,
): Steps<string> {
  const done: string[] = [];
  for (const part of windowsOf(text, outside)) {
    done.push(change(part));
    yield;
  }
  return done.join('');
}

/** Characters of a window, and of one that ends nowhere. */
const WINDOW = 50_000;
const LONGEST_WINDOW = 500_000;

function* windowsOf(text: string, outside: RegExp | undefined): Generator<string> {
  for (let from = 0; from < text.length;) {
    const end = from + WINDOW;
    const more =
      outside === undefined ? 0 : text.slice(end - 1, from + LONGEST_WINDOW).search(outside);
    const to = more === -1 ? from + LONGEST_WINDOW : end + more;
    yield text.slice(from, to);
    from = to;
  }
}

function* hasPiece(text: string, value: string): Steps<boolean> {
  if (text.includes(value)) return true;
  const bare = squeezed(value);
  if (bare.length >= SHORTEST && text.includes(bare)) return true;
  if (text.length > LONG) yield;
  // A part of a long one is as telling; with steps of a third of a piece none slips through in whole.
  if (value.length < 2 * PIECE) return false;
  for (let at = 0; at + PIECE <= value.length; at += PIECE / 3) {
    if (text.includes(value.slice(at, at + PIECE))) return true;
    if (text.length > LONG) yield;
  }
  return false;
}

function decodePercent(text: string): string {
  return text.replace(/(?:%[0-9a-f]{2})+/giu, (coded) => {
    try {
      return decodeURIComponent(coded);
    } catch {
      return coded;
    }
  });
}

function decodeBase64(word: string): string {
  try {
    const plain = withoutEnd(word.replace(/-/gu, '+').replace(/_/gu, '/'), '=');
    return atob(plain.slice(0, plain.length - (plain.length % 4 === 1 ? 1 : 0)));
  } catch {
    return '';
  }
}

function decodeHex(word: string): string {
  const codes: number[] = [];
  const parts: string[] = [];
  let high = -1;
  for (let at = 0; at < word.length; at += 1) {
    const digit = hexDigit(word.charCodeAt(at));
    if (digit === undefined) continue;
    if (high === -1) {
      high = digit;
      continue;
    }
    codes.push(high * 16 + digit);
    high = -1;
    if (codes.length === AT_ONCE) parts.push(String.fromCharCode(...codes.splice(0)));
  }
  return parts.join('') + String.fromCharCode(...codes);
}

/** The value of a hexadecimal digit by its code; `undefined`: it stands between two. */
function hexDigit(code: number): number | undefined {
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  const letter = code | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : undefined;
}

/** Names of environment variables that hold secrets. */
const SECRET_NAME =
  /(?:KEY|TOKEN|SECRET|PASSW|PASSPHRASE|CREDENTIAL|AUTH|COOKIE|SESSION_ID|_PAT$|_DSN$|DATABASE_URL$)/u;

/** The secrets of an environment, by the names of its variables. */
export function environmentSecrets(
  environment: Readonly<Record<string, string | undefined>>,
): readonly (readonly [value: string, what: string])[] {
  return Object.entries(environment).flatMap(([name, value]) =>
    value !== undefined &&
    SECRET_NAME.test(name.toUpperCase()) &&
    value.length >= SHORTEST &&
    !/^(?:\/|[A-Z]:\\|\d+$|[a-z]+$)/u.test(value) &&
    !/(?:_SOCK|_FILE|_PATH|_DIR|_HOME)$/u.test(name.toUpperCase())
      ? [[value, `the environment variable ${name}`] as const]
      : [],
  );
}
