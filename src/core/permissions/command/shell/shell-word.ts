import { isTold, told, type Told } from '../../../../domain/text/told.ts';
import type { DoubleQuotedPart, Word, WordPart } from 'unbash';

/** One word of a command whose value is known before the shell expands it. */
export interface ShellWord {
  /** As it is written. */
  readonly text: string;
  /** Without quotes. For a glob: the pattern as it is written. For `~`: with the `~`. */
  readonly value: string;
  /** It begins with an unquoted `~` that means the home folder. */
  readonly home?: true;
  /** It is replaced by the names of files that match. */
  readonly glob?: readonly GlobPiece[];
  /** The shell takes the names apart at blanks. */
  readonly split?: true;
  /** The shell puts something in that nobody knows beforehand: an exit code, or a text. */
  readonly filled?: 'number' | 'text';
}

/** A variable's value; `undefined`: it is not known. */
export type LookUp = (name: string) => ShellWord | undefined;

/** `any`: `*`; `one`: `?` or a bracket expression, of which only its length of one is used. */
export type GlobPiece = { readonly literal: string } | 'any' | 'one';

/** A command within a text; what it prints is not known. */
export type RunWithin = (script: string) => void;

/** Variables of every shell that say nothing secret; only where they are printed or compared. */
const PUBLIC_NAME = /^(?:PWD|OLDPWD|HOME|USER|LOGNAME|SHELL|PATH|LANG|TERM|HOSTNAME)$/u;

/** Reads a word; a text says what in it is not understood. @param run takes the commands within it */
export function readWord(word: Word, lookUp: LookUp, run: RunWithin): ShellWord | Told {
  const parts: readonly WordPart[] = word.parts ?? [];
  if (word.parts === undefined) {
    const problem = problemOfPlain(word.text, true);
    if (problem !== undefined) return problem;
    return withHome(word.text, word.value);
  }
  const [only, more] = parts;
  const variable = more === undefined ? variableOf(only) : undefined;
  if (variable !== undefined) return wholeVariable(word.text, variable, lookUp);
  return new WordReader(word.text, lookUp, run).read(parts);
}

interface Variable {
  readonly name: string;
  readonly quoted: boolean;
}

function variableOf(part: WordPart | undefined): Variable | undefined {
  if (part?.type === 'DoubleQuoted') {
    const [only, more] = part.parts;
    const inner = more === undefined ? variableOf(only) : undefined;
    return inner === undefined ? undefined : { ...inner, quoted: true };
  }
  const text =
    part?.type === 'SimpleExpansion' || part?.type === 'ParameterExpansion' ? part.text : '';
  const name = /^\$(?:(?<plain>[A-Za-z_]\w*|\?)|\{(?<braced>[A-Za-z_]\w*|\?)\})$/u.exec(
    text,
  )?.groups;
  const found = name?.['plain'] ?? name?.['braced'];
  return found === undefined ? undefined : { name: found, quoted: false };
}

function wholeVariable(text: string, { name, quoted }: Variable, lookUp: LookUp): ShellWord | Told {
  if (name === '?') return { text, value: '0', filled: 'number' };
  const known = lookUp(name);
  if (known === undefined)
    return PUBLIC_NAME.test(name) ? { text, value: 'x', filled: 'text' } : told`a variable`;
  if (quoted) return { ...known, text };
  if (known.filled !== undefined) return told`a variable that the shell takes apart`;
  if (known.glob !== undefined) return { ...known, text, split: true };
  return isOneWord(known.value) ? { ...known, text } : told`a variable that the shell takes apart`;
}

/** Without anything that the shell would take apart or replace. */
function isOneWord(value: string): boolean {
  return /^[\w./@%+,:-]+$/u.test(value);
}

class WordReader {
  readonly #text: string;
  readonly #lookUp: LookUp;
  readonly #run: RunWithin;
  readonly #pieces: GlobPiece[] = [];
  #value = '';
  #isFilled = false;

  constructor(text: string, lookUp: LookUp, run: RunWithin) {
    this.#text = text;
    this.#lookUp = lookUp;
    this.#run = run;
  }

  read(parts: readonly WordPart[]): ShellWord | Told {
    for (const [index, part] of parts.entries()) {
      const problem = this.#part(part, index === 0);
      if (problem !== undefined) return problem;
    }
    const glob = this.#pieces.some((piece) => typeof piece === 'string');
    if (this.#isFilled)
      return glob
        ? told`a variable in a pattern`
        : { text: this.#text, value: this.#value, filled: 'text' };
    if (!glob) return withHome(this.#text, this.#value);
    if (this.#text.startsWith('~')) return told`a pattern in a home folder`;
    return { text: this.#text, value: this.#value, glob: this.#pieces };
  }

  #part(part: WordPart, first: boolean): Told | undefined {
    switch (part.type) {
      case 'Literal': {
        const problem = problemOfPlain(part.text, first);
        if (problem !== undefined) return problem;
        return this.#add(part.value);
      }
      case 'SingleQuoted':
        return this.#add(part.value);
      case 'DoubleQuoted':
        return this.#doubleQuoted(part);
      case 'SimpleExpansion':
      case 'ParameterExpansion':
        return this.#variable(part, false);
      case 'Glob':
        if (part.kind === 'bracket' && !/^\[[\w!^.,-]+\]$/u.test(part.text))
          return told`a pattern that the shell expands`;
        this.#pieces.push(part.kind === 'star' ? 'any' : 'one');
        this.#value += part.text;
        return undefined;
      default:
        return nameOfPart(part.type);
    }
  }

  #add(value: string): undefined {
    this.#pieces.push({ literal: value });
    this.#value += value;
  }

  #variable(part: WordPart, quoted: boolean): Told | undefined {
    const variable = variableOf(part);
    if (variable === undefined) return nameOfPart(part.type);
    const word = wholeVariable(part.text, { ...variable, quoted }, this.#lookUp);
    if (isTold(word)) return word;
    if (word.home !== undefined || (word.glob !== undefined && !quoted))
      return told`a variable within a word`;
    // Which of the names it is, is not known; an exit code with something beside it is no number.
    this.#isFilled ||= word.glob !== undefined || word.filled !== undefined;
    return this.#add(word.value);
  }

  #doubleQuoted({ parts }: DoubleQuotedPart): Told | undefined {
    for (const inner of parts) {
      if (inner.type === 'SimpleExpansion' || inner.type === 'ParameterExpansion') {
        const problem = this.#variable(inner, true);
        if (problem !== undefined) return problem;
        continue;
      }
      const script =
        inner.type === 'CommandExpansion'
          ? /^\$\((?!\()(?<script>[^]*)\)$/u.exec(inner.text)?.groups?.['script']
          : undefined;
      if (script !== undefined && this.#text.includes(inner.text)) {
        this.#run(script);
        this.#isFilled = true;
        this.#add('x');
        continue;
      }
      if (inner.type !== 'Literal') return nameOfPart(inner.type);
      const raw = withoutEscapes(inner.text);
      // A dollar sign before a blank or at the end is only that.
      if (/`|\$[^\s"/\\|)\]},.:;%=+^]/u.test(raw)) return told`an expansion`;
      this.#add(inner.value);
    }
    // Nothing between the quotes is an empty word all the same.
    return this.#add('');
  }
}

function nameOfPart(type: WordPart['type']): Told {
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
 * The problem of unquoted text, of which the parser said that nothing in it is special: some shell
 * may differ.
 * @param first it begins the word
 */
function problemOfPlain(text: string, first: boolean): Told | undefined {
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

/** The text without its escaped characters; what is left is what the shell may treat specially. */
function withoutEscapes(text: string): string {
  return text.replaceAll(/\\[\s\S]/gu, '_');
}

function withHome(text: string, value: string): ShellWord {
  return /^~(?:\/|$)/u.test(text) ? { text, value, home: true } : { text, value };
}
