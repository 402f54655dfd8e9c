import assert from 'node:assert/strict';
import { parseShell } from '../../../src/core/permissions/command/shell/shell-syntax.ts';
import type {
  ShellCommand,
  ShellNode,
  ShellRedirect,
} from '../../../src/core/permissions/command/shell/shell-syntax.ts';
import type { ShellWord } from '../../../src/core/permissions/command/shell/shell-word.ts';

/** A word by its value, with what the shell does to it behind. */
const word = ({ value, home, patterns, exitCode }: ShellWord): string =>
  [
    /\s|^$/u.test(value) ? JSON.stringify(value) : value,
    ...(home === true ? ['home'] : []),
    ...(patterns ?? []).map((pieces) =>
      pieces.map((piece) => (typeof piece === 'string' ? piece : piece.literal)).join(','),
    ),
    ...(exitCode === undefined ? [] : [exitCode]),
  ].join('@');

const redirects = (all: readonly ShellRedirect[]): string[] =>
  all.map(({ access, target }) => `${access}:${word(target)}`);

function command({ words, assignments, redirects: all, fed }: ShellCommand): string {
  const set = assignments.map(({ name, value }) => `${name}=${word(value)}`);
  return [...set, ...words.map(word), ...redirects(all), ...(fed ? ['fed'] : [])].join(' ');
}

/** `[a; b && c]` lists, `[a | b]` pipes, `!a` with a prefix, `(a)` in a subshell. */
function tree(node: ShellNode): string {
  switch (node.kind) {
    case 'command':
      return command(node);
    case 'pipeline':
      return `[${node.nodes.map(tree).join(' | ')}]`;
    case 'prefixed':
      return `!${tree(node.node)}`;
    case 'list':
      return `[${node.nodes.map((one, at) => `${at === 0 ? '' : ` ${node.operators[at - 1] ?? '?'} `}${tree(one)}`).join('')}]`;
    case 'subshell':
      return `(${tree(node.body)})`;
    default:
      return node satisfies never;
  }
}

const read = (line: string): string => {
  const node = parseShell(line);
  return node === undefined ? 'no' : tree(node);
};

type Lines = readonly (readonly [line: string, read: string])[];

const GRAMMAR: Lines = [
  ['ls -l', 'ls -l'],
  ['a; b && c || d', '[a ; [b && c || d]]'],
  ['a\nb', '[a ; b]'],
  ['a | b |& c', '[a | b | c]'],
  ['! a', '!a'],
  ['time a | b', '![a | b]'],
  ['(a; b)', '([a ; b])'],
  ['{ a; b; }', 'no'],
  ['if a; then b; elif c; then d; else e; fi', 'no'],
  ['for f in x; do a $f; done', 'no'],
  ['a # b; c', 'a'],
  ['a \\\n b', 'a b'],
  ['CI=1 LANG=C a', 'CI=1 LANG=C a'],
  ['CI=1', 'CI=1'],
  ['a < x', 'a read:x fed'],
  ['a > x >> y >| z <> w', 'a write:x write:y write:z read:w write:w fed'],
  ['a &> x &>> y', 'a write:x write:y'],
  ['a 2>&1 1>&2 >&-', 'a'],
  ['a >& x', 'a write:x'],
  ['> x', 'write:x'],
  ['< x a', 'a read:x fed'],
  ['a <<< b', 'a fed'],
  ['a <<E\nb\nE', 'a fed'],
  ["a <<'E'\n$(b)\nE", 'a fed'],
  ['', 'no'],
  ['# a', 'no'],
  ['a &', 'no'],
  ['coproc a', 'no'],
  ['f() { a; }', 'no'],
  ['case a in b) c;; esac', 'no'],
  ['[[ a ]]', 'no'],
  ['((a))', 'no'],
  ['#!/bin/sh\na', 'no'],
  ['a <<E\n$b\nE', 'no'],
  ['a <<E\n`b`\nE', 'no'],
  ['a <<E\nb', 'no'],
  ['A=(b)', 'no'],
  ['A+=b', 'no'],
  ['A[1]=b', 'no'],
  ['a {fd}> x', 'no'],
  ['a > 1 b', 'no'],
  ['a <& b', 'no'],
  ['a >& "1"', 'a write:1'],
  [`a ${'b'.repeat(9998)}`, 'many'],
  [`a ${'b'.repeat(9999)}`, 'no'],
  ['a\u00a0b', 'no'],
  ['a \ud800', 'no'],
];

const WORDS: Lines = [
  ['a "b c" \'d e\' f\\ g', 'a "b c" "d e" "f g"'],
  ['a ""', 'a ""'],
  ['a b"c"\'d\'', 'a bcd'],
  ['a ~ ~/x', 'a ~@home ~/x@home'],
  ['a "~/x" x~ b/~', 'a ~/x x~ b/~'],
  ['a ~b', 'no'],
  ["a ~b'c'", 'no'],
  ["a 'b'~c", 'a b~c'],
  ["a =b'c'", 'no'],
  ["a 'b'=c", 'a b=c'],
  ["a b$'c'", 'no'],
  ['a b$[c]', 'no'],
  ['a "b$"c', 'a b$c'],
  ['a "b$""c"', 'a b$c'],
  ["a {b'c',d}", 'no'],
  ["a 'b'{c,d}", 'a b{c,d}@b,c@b,d'],
  ['a b=~/x', 'no'],
  ['a b:~/x', 'no'],
  ['a *.ts', 'a *.ts@any,.ts'],
  ['a b?c[de]', 'a b?c[de]@b,one,c,one'],
  ['a "b"*', 'a b*@b,,any'],
  ['a ~/*', 'no'],
  ['a [^a]', 'a [^a]@one'],
  ['a [[:alpha:]]', 'no'],
  ['a {b,c}', 'a {b,c}@b@c'],
  ['a {b,c}*{d,}', 'a {b,c}*{d,}@b,any,d@b,any,@c,any,d@c,any,'],
  ['a {b,{c,d}}', 'no'],
  ['a {1..3}', 'no'],
  ['a +(b)', 'no'],
  ['a {} {b}', 'a {} {b}'],
  ['a [ ]', 'a [ ]'],
  ['a =b', 'no'],
  ['a b=c =', 'a b=c ='],
  ['a $', 'a $'],
  ['a b$', 'a b$'],
  ['a b$"c"', 'no'],
  ['a "b"$', 'a b$'],
  ['a b$/c', 'no'],
  ['a b$`c`', 'no'],
  ['a "b$`c`"', 'no'],
  ['a {b,c', 'no'],
  ['a b},c', 'no'],
  ['a "b$"', 'a b$'],
  ['a "b$ c"', 'a "b$ c"'],
  ['a "$b"', 'no'],
  ['a $b', 'no'],
  ['a ${b}', 'no'],
  ['a ${b:=c}', 'no'],
  ['a "x${b}y"', 'no'],
  ['a $?', 'a 0@whole'],
  ['a "$?"', 'a 0@whole'],
  ['a "x$?"', 'a x0@part'],
  ['a "$?x"', 'a 0x@part'],
  ['a $?*', 'no'],
  ['a $(b)', 'no'],
  ['a "$(b)"', 'no'],
  ['a "`b`"', 'no'],
  ['a "$HOME"', 'no'],
  ['a `b`', 'no'],
  ['a <(b)', 'no'],
  ['a $((1+1))', 'no'],
  ["a $'b'", 'no'],
  ['a "\\$b" \\$b \'$b\'', 'a $b $b $b'],
];

describe('the language of the shell, as far as it is understood', () => {
  for (const [what, lines] of [
    ['commands, and what joins them', GRAMMAR],
    ['words, and what the shell makes of them', WORDS],
  ] as const)
    it(`${what}: all else is not guessed at`, () => {
      for (const [line, expected] of lines) {
        const found = read(line);
        if (expected === 'many') assert.doesNotMatch(found, /^no/u, line.slice(0, 40));
        else assert.equal(found, expected, line.slice(0, 80));
      }
    });
});
