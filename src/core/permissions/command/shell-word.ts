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
  /** It is the exit code of the command before (`$?`). */
  readonly exitCode?: true;
}

/** `any`: `*`; `one`: `?` or a bracket expression, of which only its length of one is used. */
export type GlobPiece = { readonly literal: string } | 'any' | 'one';

/** Reads a word; a text says what in it is not understood. */
export function readWord(word: Word): ShellWord | string {
  const parts: readonly WordPart[] = word.parts ?? [];
  if (word.parts === undefined) {
    const problem = problemOfPlain(word.text, true);
    if (problem !== undefined) return problem;
    return withHome(word.text, word.value);
  }
  const [first] = parts;
  if (parts.length === 1 && first?.type === 'SimpleExpansion' && first.text === '$?')
    return { text: word.text, value: '0', exitCode: true };
  return readParts(word, parts);
}

function readParts(word: Word, parts: readonly WordPart[]): ShellWord | string {
  const pieces: GlobPiece[] = [];
  let value = '';
  for (const [index, part] of parts.entries()) {
    switch (part.type) {
      case 'Literal': {
        const problem = problemOfPlain(part.text, index === 0);
        if (problem !== undefined) return problem;
        if (endsWithDollar(part.text) && index < parts.length - 1) return 'an expansion';
        pieces.push({ literal: part.value });
        value += part.value;
        break;
      }
      case 'SingleQuoted':
        pieces.push({ literal: part.value });
        value += part.value;
        break;
      case 'DoubleQuoted': {
        const read = readDoubleQuoted(part);
        if (read.problem !== undefined) return read.problem;
        pieces.push({ literal: read.value });
        value += read.value;
        break;
      }
      case 'Glob':
        if (part.kind === 'bracket' && !/^\[[\w!^.,-]+\]$/u.test(part.text))
          return 'a pattern that the shell expands';
        pieces.push(part.kind === 'star' ? 'any' : 'one');
        value += part.text;
        break;
      default:
        return nameOfPart(part.type);
    }
  }
  const glob = pieces.some((piece) => typeof piece === 'string');
  if (!glob) return withHome(word.text, value);
  if (word.text.startsWith('~')) return 'a pattern in a home folder';
  return { text: word.text, value, glob: pieces };
}

function nameOfPart(type: Exclude<WordPart['type'], 'Literal' | 'Glob'>): string {
  switch (type) {
    case 'CommandExpansion':
      return 'a command within the command';
    case 'ProcessSubstitution':
      return 'a process substitution';
    case 'SimpleExpansion':
    case 'ParameterExpansion':
      return 'a variable';
    case 'ArithmeticExpansion':
      return 'a calculation';
    case 'BraceExpansion':
    case 'ExtendedGlob':
      return 'a pattern that the shell expands';
    default:
      return 'a special quotation';
  }
}

function readDoubleQuoted(part: DoubleQuotedPart): {
  readonly value: string;
  readonly problem?: string;
} {
  let value = '';
  for (const [index, inner] of part.parts.entries()) {
    if (inner.type !== 'Literal') return { value, problem: nameOfPart(inner.type) };
    const raw = withoutEscapes(inner.text);
    // A dollar sign before a blank or at the end is only that.
    if (/`|\$[^\s"/\\|)\]},.:;%=+^]/u.test(raw)) return { value, problem: 'an expansion' };
    if (endsWithDollar(inner.text) && index < part.parts.length - 1)
      return { value, problem: 'an expansion' };
    value += inner.value;
  }
  return { value };
}

/**
 * Unquoted text: the parser has said that nothing in it is special; whatever might be to some shell is
 * not taken for granted.
 * @param first it begins the word
 */
function problemOfPlain(text: string, first: boolean): string | undefined {
  const raw = withoutEscapes(text);
  if (/[`()<>|&;"'\s]/u.test(raw) || /\$(?!$)/u.test(raw)) return 'an expansion';
  if (/[*?]/u.test(raw)) return 'a pattern that the shell expands';
  if (/[[\]]/u.test(raw) && !/^(?:\[|\])$/u.test(text)) return 'a pattern that the shell expands';
  if (/\{[^}]*(?:,|\.\.)/u.test(raw) || /[{}](?:,|\.\.)/u.test(raw))
    return 'a pattern that the shell expands';
  if (/[=:]~/u.test(raw)) return 'a home folder';
  if (first && /^~(?!\/|$)/u.test(raw)) return 'somebody’s home folder';
  // zsh replaces it by the path of a program.
  if (first && /^=./u.test(raw)) return 'an expansion';
  return undefined;
}

/** The text without its escaped characters; what is left is what the shell may treat specially. */
function withoutEscapes(text: string): string {
  return text.replaceAll(/\\[\s\S]/gu, '_');
}

function endsWithDollar(text: string): boolean {
  return withoutEscapes(text).endsWith('$');
}

function withHome(text: string, value: string): ShellWord {
  return /^~(?:\/|$)/u.test(text) ? { text, value, home: true } : { text, value };
}
