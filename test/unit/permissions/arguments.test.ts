import assert from 'node:assert/strict';
import { readArguments } from '../../../src/core/permissions/command/arguments.ts';
import type { ArgumentForm } from '../../../src/core/permissions/command/arguments.ts';
import type { ShellWord } from '../../../src/core/permissions/command/shell/shell-word.ts';

/** `*x` is a pattern of the shell, `$x` a word that it fills in. */
const word = (text: string): ShellWord => ({
  text,
  value: text,
  ...(text.startsWith('*') || text.endsWith('*') ? { patterns: [['any' as const]] } : {}),
  ...(text.startsWith('$') || text.endsWith('$') ? { exitCode: 'part' as const } : {}),
});

/** Options with their values, operands, files and texts; or what does not fit. */
function taken(form: ArgumentForm, line: string): string {
  const read = readArguments(form, line === '' ? [] : line.split(' ').map(word));
  if (typeof read === 'string') return `no: ${read}`;
  const named = read.options.map(({ name, value }) =>
    value === undefined ? name : `${name}(${value.value})`,
  );
  const list = (what: string, words: readonly ShellWord[]): string[] =>
    words.length === 0 ? [] : [`${what} ${words.map(({ value }) => value).join(' ')}`];
  return [
    named.join(' '),
    ...list('operands', read.operands),
    ...list('files', read.files),
    ...list('texts', read.texts),
    ...(read.shifted ? ['shifted'] : []),
  ].join(', ');
}

const options =
  '-a -b -n:number -t: -c:char -f:file -o?number --all --name= --size:number --color? --next* -p:: --pair::';

const STYLES: Readonly<Record<string, readonly (readonly [line: string, taken: string])[]>> = {
  gnu: [
    ['', ''],
    ['-a x -b', '-a -b, operands x, texts -b'],
    ['-ab', '-a -b'],
    ['-abx', 'no: -abx'],
    ['-x', 'no: -x'],
    ['-a -- -x y', '-a, operands -x y'],
    ['- x', ', operands - x'],
    ['-n 3 x', '-n(3), operands x, shifted'],
    ['x -n 3', '-n(3), operands x, texts -n'],
    ['-n3', '-n(3)'],
    ['-an3', '-a -n(3)'],
    ['-an 3', '-a -n(3), shifted'],
    ['-n -3', '-n(-3), shifted'],
    ['-n +3k', '-n(+3k), shifted'],
    ['-n 1.5', '-n(1.5), shifted'],
    ['-n 0x1f', '-n(0x1f), shifted'],
    ['-n 50%', '-n(50%), shifted'],
    ['-n x', 'no: -n x'],
    ['-nx', 'no: -n x'],
    ['-n', 'no: -n'],
    ['-n -x', 'no: -n'],
    ['-n 3*', 'no: -n'],
    ['-n 3$', 'no: -n'],
    ['-t -3', 'no: -t'],
    ['-t x', '-t(x), texts x, shifted'],
    ['-tx', '-t(x), texts x'],
    ['-t @x', 'no: -t @x'],
    ['-c ,', '-c(,), shifted'],
    [String.raw`-c \t`, String.raw`-c(\t), shifted`],
    ['-c ab', 'no: -c ab'],
    ['-f x y', '-f(x), operands y, files x, shifted'],
    ['-o', '-o'],
    ['-o x', '-o, operands x'],
    ['-o4', '-o(4)'],
    ['-ox', 'no: -o x'],
    ['--all', '--all'],
    ['--all=x', 'no: --all=x'],
    ['--other', 'no: --other'],
    ['--other=x', 'no: --other'],
    ['--name=x', '--name(x), texts x'],
    ['--name=a=b', '--name(a=b), texts a=b'],
    ['--name=', '--name(), texts '],
    ['--name x', 'no: --name'],
    ['--size 3', '--size(3), shifted'],
    ['--size=3', '--size(3)'],
    ['--size=x', 'no: --size x'],
    ['--color x', '--color, operands x'],
    ['--color=x', '--color(x), texts x'],
    ['--next', '--next'],
    ['--next x', '--next(x), texts x, shifted'],
    ['--pair x y z', '--pair(x) --pair(y), operands z, texts x y, shifted'],
    ['--pair x', 'no: --pair'],
    ['--pair=x y', 'no: --pair=x'],
    ['-p x y', '-p(x) -p(y), texts x y, shifted'],
    ['-px y', 'no: -px'],
    ['--pair -x y', 'no: --pair'],
    ['x* y', ', operands x* y'],
    ['-t*', 'no: -t*'],
    ['-t$', 'no: -t$'],
    ['--* x', 'no: --*'],
    ['-3', 'no: -3'],
  ],
  posix: [
    ['-a x -b', '-a, operands x -b'],
    ['-a -b x', '-a -b, operands x'],
    ['-n 3 -b x', '-n(3) -b, operands x, shifted'],
    ['-- -a', ', operands -a'],
    ['- -a', ', operands - -a'],
    ['-ab', '-a -b'],
  ],
  alone: [
    ['-ab x -a', '-a -b -a, operands x, texts -a'],
    ['-n 3', '-n(3), shifted'],
    ['-n3', 'no: -n3'],
    ['-an 3', 'no: -an'],
    ['-a -n 3', '-a -n(3), shifted'],
    ['-p x y', '-p(x) -p(y), texts x y, shifted'],
  ],
  words: [
    ['-a -b', '-a -b'],
    ['-ab', 'no: -ab'],
    ['-a x -b', '-a, operands x -b'],
    ['-n 3', '-n(3), shifted'],
    ['-n3', '-n(3)'],
    ['-t3', 'no: -t3'],
    ['-tx', 'no: -tx'],
    ['--all', '--all'],
    ['--name=x', 'no: --name=x'],
  ],
};

describe('arguments of a program', () => {
  for (const [style, lines] of Object.entries(STYLES))
    it(`are taken apart as programs do it that are called ${style}`, () => {
      const form = { options, style: style as NonNullable<ArgumentForm['style']> };
      for (const [line, expected] of lines) assert.equal(taken(form, line), expected, line);
    });

  it('may be numbers behind a dash, where the program says so', () => {
    assert.equal(taken({ options, numbers: true }, '-20 x'), ', operands x');
    assert.equal(taken({ options, numbers: true }, '-2x'), 'no: -2x');
    assert.equal(taken({ options, numbers: true, style: 'posix' }, '-2 x -3'), ', operands x -3');
    assert.equal(taken({ options }, '-20 x'), 'no: -20');
  });

  it('are those of getopt_long, where nothing is said', () => {
    assert.equal(taken({ options }, 'x -ab'), '-a -b, operands x, texts -ab');
  });
});
