import type { DoubleQuotedPart, Word, WordPart } from 'unbash';

/** One word of a command, before the shell expands it. */
export interface ShellWord {
  /** The word as it is written. */
  readonly text: string;
  /** The word without quotes. A pattern is kept as it is written, and so is the `~` of a home folder. */
  readonly value: string;
  /** It starts with an unquoted `~` that means the home folder. */
  readonly home?: true;
  /** The shell replaces the word by one word per brace alternative, and each of those by the files that match. */
  readonly patterns?: readonly (readonly GlobPiece[])[];
  /** It has a `$?`, whose number is not known before the line runs, or is nothing else. */
  readonly exitCode?: 'part' | 'whole';
}

/** `any`: `*`; `one`: `?` or a bracket expression, of which only its length of one is used. */
export type GlobPiece = { readonly literal: string } | 'any' | 'one';

/** Words that the braces of one word may stand for. */
const MAX_ALTERNATIVES = 64;

/** Ends the parsing of a line with something that is not understood. */
export class UnclearSyntax extends Error {}

/** Parses a word. Throws `UnclearSyntax` if not all of it is understood. */
export function parseWord(word: Word): ShellWord {
  if (word.parts === undefined) {
    requirePlain(word.text, true);
    return withHome(word.text, word.value);
  }
  if (/^(?:\$\?|"\$\?"|\$\{\?\}|"\$\{\?\}")$/u.test(word.text))
    return { text: word.text, value: '0', exitCode: 'whole' };
  return new WordParser(word.text).parse(word.parts);
}

class WordParser {
  readonly #text: string;
  #patterns: readonly (readonly GlobPiece[])[] = [[]];
  #value = '';
  #printsExitCode = false;
  #hasPattern = false;

  constructor(text: string) {
    this.#text = text;
  }

  parse(parts: readonly WordPart[]): ShellWord {
    for (const [index, part] of parts.entries()) this.#addPart(part, index === 0);
    const [text, value] = [this.#text, this.#value];
    if (!this.#hasPattern)
      return this.#printsExitCode ? { text, value, exitCode: 'part' } : withHome(text, value);
    if (this.#printsExitCode || text.startsWith('~')) throw new UnclearSyntax();
    return { text, value, patterns: this.#patterns };
  }

  #addPart(part: WordPart, first: boolean): void {
    switch (part.type) {
      case 'Literal':
        requirePlain(part.text, first);
        this.#add(part.value);
        return;
      case 'SingleQuoted':
        this.#add(part.value);
        return;
      case 'DoubleQuoted':
        this.#addDoubleQuoted(part);
        return;
      case 'SimpleExpansion':
      case 'ParameterExpansion':
        this.#addExitCode(part);
        return;
      case 'Glob':
        if (part.kind === 'bracket' && !/^\[[\w!^.,-]+\]$/u.test(part.text))
          throw new UnclearSyntax();
        this.#addPattern(part.text, [part.kind === 'star' ? 'any' : 'one']);
        return;
      case 'BraceExpansion': {
        const alternatives = parseBraces(part.text);
        this.#addPattern(
          part.text,
          alternatives.map((literal) => ({ literal })),
        );
        return;
      }
      default:
        throw new UnclearSyntax();
    }
  }

  #add(value: string): void {
    this.#patterns = this.#patterns.map((pieces) => [...pieces, { literal: value }]);
    this.#value += value;
  }

  #addPattern(text: string, alternatives: readonly GlobPiece[]): void {
    this.#hasPattern = true;
    this.#value += text;
    this.#patterns = this.#patterns.flatMap((pieces) =>
      alternatives.map((piece) => [...pieces, piece]),
    );
    if (this.#patterns.length > MAX_ALTERNATIVES) throw new UnclearSyntax();
  }

  /** Adds `$?`, the only variable whose value has a known form. */
  #addExitCode({ text }: WordPart): void {
    if (text !== '$?' && text !== '${?}') throw new UnclearSyntax();
    this.#printsExitCode = true;
    this.#add('0');
  }

  #addDoubleQuoted({ parts }: DoubleQuotedPart): void {
    for (const inner of parts) {
      if (inner.type === 'SimpleExpansion' || inner.type === 'ParameterExpansion') {
        this.#addExitCode(inner);
        continue;
      }
      // A dollar sign before a blank or at the end has no meaning.
      if (
        inner.type !== 'Literal' ||
        /`|\$[^\s"/\\|)\]},.:;%=+^]/u.test(withoutEscapes(inner.text))
      )
        throw new UnclearSyntax();
      this.#add(inner.value);
    }
    // Empty quotes are an empty word.
    this.#add('');
  }
}

/** Returns the words of `{a,b}`. Shells read sequences and nested braces differently. */
function parseBraces(text: string): readonly string[] {
  const inner = /^\{(?<inner>[\w./@%+:-]*(?:,[\w./@%+:-]*)+)\}$/u.exec(text)?.groups?.['inner'];
  if (inner === undefined) throw new UnclearSyntax();
  return inner.split(',');
}

/**
 * Throws if something is special in unquoted text that the parser takes for plain: shells differ.
 * @param first it begins the word
 */
function requirePlain(text: string, first: boolean): void {
  const raw = withoutEscapes(text);
  const isSpecial =
    /[`()<>|&;"'\s*?]|\$(?!$)/u.test(raw) ||
    (/[[\]]/u.test(raw) && !/^(?:\[|\])$/u.test(text)) ||
    /\{[^{}]*(?:,|\.\.)|[{}](?:,|\.\.)|[=:]~/u.test(raw) ||
    // zsh replaces `=name` by the path of a program.
    (first && /^(?:~(?!\/|$)|=.)/u.test(raw));
  if (isSpecial) throw new UnclearSyntax();
}

/** Removes escaped characters; the shell may treat the rest specially. */
function withoutEscapes(text: string): string {
  return text.replaceAll(/\\[\s\S]/gu, '_');
}

function withHome(text: string, value: string): ShellWord {
  return /^~(?:\/|$)/u.test(text) ? { text, value, home: true } : { text, value };
}
