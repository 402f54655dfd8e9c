import type { TestExpression, Word } from 'unbash';
import type { ShellWord } from './shell-word.ts';

/** Comparisons that `[[ … ]]` makes as `test` does, or as `test` is known to be harmless with. */
const COMPARES = /^(?:==?|!=|-(?:eq|ne|lt|le|gt|ge))$/u;

/** One test in `[[ … ]]` as the words of `test`; `undefined`: there are several, or one of its own. */
export function testWords(
  expression: TestExpression,
  read: (word: Word) => ShellWord,
): readonly ShellWord[] | undefined {
  if (expression.type === 'TestUnary')
    return [plain('test'), plain(expression.operator), read(expression.operand)];
  if (expression.type !== 'TestBinary' || !COMPARES.test(expression.operator)) return undefined;
  const { left, operator, right } = expression;
  return [plain('test'), read(left), plain(operator), read(right)];
}

function plain(value: string): ShellWord {
  return { text: value, value };
}
