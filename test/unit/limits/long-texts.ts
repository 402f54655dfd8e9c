import { SecretBook } from '../../../src/core/secrets/secret-book.ts';
import { cleanByTurns, visibleByTurns } from '../../../src/domain/text/honest-text.ts';
import { ToolUseBlock } from '../../../src/providers/anthropic/wire/block.ts';
import { shownOutput } from '../../../src/tools/commands/command-text.ts';

const filled = (piece: string, size: number): string => piece.repeat(size / piece.length);

/** Texts without an end of line, and others that whatever reads them has much to do with, by what they are of. */
export const LONG_TEXTS: Readonly<Record<string, (size: number) => string>> = {
  'words in one line': (size) => filled('ab ', size),
  'secrets in one line': (size) => filled('token=abc123def456;', size),
  'the beginning of a key': (size) => `-----BEGIN PRIVATE KEY-----\n${filled('a', size)}`,
  'encoded words': (size) => filled('QUJDREVGR0hJSktM', size),
  'invisible characters': (size) => filled('a\u200b', size),
  'colours of a terminal': (size) => filled('\u001b[31ma', size),
  'ends of lines of a terminal': (size) => filled('a\r\n', size),
};

/** What takes such texts. */
export const TAKES_TEXT: Readonly<Record<string, (text: string) => Promise<unknown>>> = {
  'cleaned for the model': (text) => cleanByTurns(text),
  'shown to a person': (text) => visibleByTurns(text),
  'as an output of a command': (text) => shownOutput(text, text.length),
  masked: (text) => new SecretBook().maskByTurns(text),
  'looked through for secrets': (text) => new SecretBook().learnByTurns(text, '.env'),
  'as what leaves': (text) => new SecretBook().findByTurns(text),
};

/** Inputs of a call as a model may write them, by what they are of. */
export const LONG_INPUTS: Readonly<Record<string, () => string>> = {
  'lines of code': () => JSON.stringify({ content: filled('a line of code\n', 5_000_000) }),
  lists: () => `{"a":${'['.repeat(2_000_000)}${']'.repeat(2_000_000)}}`,
  numbers: () => `{"a":[${filled('1,', 5_000_000)}1]}`,
  texts: () => `{"a":[${filled('"a",', 5_000_000)}1]}`,
  backslashes: () => `{"a":"${filled('\\\\', 5_000_000)}"}`,
  'an end that is missing': () => `{"a":"${filled('a\\n', 5_000_000)}`,
};

/** The part that an input becomes. */
export function callOf(json: string): ReturnType<ToolUseBlock['part']> {
  const block = new ToolUseBlock('call', 'write_file', {});
  block.add({ partial_json: json });
  return block.part(false);
}
