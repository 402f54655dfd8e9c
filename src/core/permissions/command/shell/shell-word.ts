import { told, type Told } from '../../../../domain/text/told.ts';
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

/** Parses a word. A text says which part of it requires approval. */
export function parseWord(word: Word): ShellWord | Told {
  if (word.parts === undefined) {
    const problem = findPlainProblem(word.text, true);
    return problem ?? withHome(word.text, word.value);
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

  parse(parts: readonly WordPart[]): ShellWord | Told {
    for (const [index, part] of parts.entries()) {
      const problem = this.#addPart(part, index === 0);
      if (problem !== undefined) return problem;
    }
    const [text, value] = [this.#text, this.#value];
    if (this.#printsExitCode)
      return this.#hasPattern ? told`a variable in a pattern` : { text, value, exitCode: 'part' };
    if (!this.#hasPattern) return withHome(text, value);
    if (text.startsWith('~')) return told`a pattern in a home folder`;
    return { text, value, patterns: this.#patterns };
  }

  #addPart(part: WordPart, first: boolean): Told | undefined {
    switch (part.type) {
      case 'Literal':
        return findPlainProblem(part.text, first) ?? this.#add(part.value);
      case 'SingleQuoted':
        return this.#add(part.value);
      case 'DoubleQuoted':
        return this.#addDoubleQuoted(part);
      case 'SimpleExpansion':
      case 'ParameterExpansion':
        return this.#addVariable(part);
      case 'Glob':
        if (part.kind === 'bracket' && !/^\[[\w!^.,-]+\]$/u.test(part.text))
          return told`a pattern that the shell expands`;
        return this.#addPattern(part.text, [part.kind === 'star' ? 'any' : 'one']);
      case 'BraceExpansion': {
        const alternatives = parseBraces(part.text);
        if (alternatives === undefined) return told`a pattern that the shell expands`;
        return this.#addPattern(
          part.text,
          alternatives.map((literal) => ({ literal })),
        );
      }
      default:
        return describePart(part.type);
    }
  }

  #add(value: string): undefined {
    this.#patterns = this.#patterns.map((pieces) => [...pieces, { literal: value }]);
    this.#value += value;
  }

  #addPattern(text: string, alternatives: readonly GlobPiece[]): Told | undefined {
    this.#hasPattern = true;
    this.#value += text;
    this.#patterns = this.#patterns.flatMap((pieces) =>
      alternatives.map((piece) => [...pieces, piece]),
    );
    return this.#patterns.length > MAX_ALTERNATIVES ? told`a very long list` : undefined;
  }

  #addVariable({ text }: WordPart): Told | undefined {
    if (text !== '$?' && text !== '${?}') return told`a variable`;
    this.#printsExitCode = true;
    return this.#add('0');
  }

  #addDoubleQuoted({ parts }: DoubleQuotedPart): Told | undefined {
    for (const inner of parts) {
      if (inner.type === 'SimpleExpansion' || inner.type === 'ParameterExpansion') {
        const problem = this.#addVariable(inner);
        if (problem !== undefined) return problem;
        continue;
      }
      if (inner.type !== 'Literal') return describePart(inner.type);
      // A dollar sign before a blank or at the end has no meaning.
      if (/`|\$[^\s"/\\|)\]},.:;%=+^]/u.test(withoutEscapes(inner.text))) return told`an expansion`;
      this.#add(inner.value);
    }
    // Empty quotes are an empty word.
    return this.#add('');
  }
}

/** Returns the words of `{a,b}`; undefined if one is not plain. Shells read sequences and nested braces differently. */
function parseBraces(text: string): readonly string[] | undefined {
  const inner = /^\{(?<inner>[\w./@%+:-]*(?:,[\w./@%+:-]*)+)\}$/u.exec(text)?.groups?.['inner'];
  return inner?.split(',');
}

function describePart(type: WordPart['type']): Told {
  switch (type) {
    case 'CommandExpansion':
      return told`a command within the command`;
    case 'ProcessSubstitution':
      return told`a process substitution`;
    case 'SimpleExpansion':
    case 'ParameterExpansion':
      return told`a variable`;
    case 'ArithmeticExpansion':
      return told`a calculation`;
    case 'BraceExpansion':
    case 'ExtendedGlob':
      return told`a pattern that the shell expands`;
    default:
      return told`a special quotation`;
  }
}

/**
 * Finds what is special in unquoted text that the parser takes for plain: shells differ.
 * @param first it begins the word
 */
function findPlainProblem(text: string, first: boolean): Told | undefined {
  const raw = withoutEscapes(text);
  if (/[`()<>|&;"'\s]/u.test(raw) || /\$(?!$)/u.test(raw)) return told`an expansion`;
  if (/[*?]/u.test(raw)) return told`a pattern that the shell expands`;
  if (/[[\]]/u.test(raw) && !/^(?:\[|\])$/u.test(text))
    return told`a pattern that the shell expands`;
  if (/\{[^{}]*(?:,|\.\.)/u.test(raw) || /[{}](?:,|\.\.)/u.test(raw))
    return told`a pattern that the shell expands`;
  if (/[=:]~/u.test(raw)) return told`a home folder`;
  if (first && /^~(?!\/|$)/u.test(raw)) return told`somebody’s home folder`;
  // zsh replaces it by the path of a program.
  if (first && /^=./u.test(raw)) return told`an expansion`;
  return undefined;
}

/** Removes escaped characters; the shell may treat the rest specially. */
function withoutEscapes(text: string): string {
  return text.replaceAll(/\\[\s\S]/gu, '_');
}

function withHome(text: string, value: string): ShellWord {
  return /^~(?:\/|$)/u.test(text) ? { text, value, home: true } : { text, value };
}
