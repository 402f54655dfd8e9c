import assert from 'node:assert/strict';
import {
  parseShell,
  UnknownSyntax,
} from '../../../src/core/permissions/command/shell/shell-syntax.ts';
import type {
  ShellCommand,
  ShellNode,
  ShellRedirect,
} from '../../../src/core/permissions/command/shell/shell-syntax.ts';
import type { ShellWord } from '../../../src/core/permissions/command/shell/shell-word.ts';
import { inEnglish } from '../../../src/domain/text/told.ts';

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
  return node instanceof UnknownSyntax ? `no: ${inEnglish(node.reason)}` : tree(node);
};

type Lines = readonly (readonly [line: string, read: string])[];

const EXPANSION = 'no: an expansion';
const PATTERN = 'no: a pattern that the shell expands';
const VARIABLE = 'no: a variable';

const GRAMMAR: Lines = [
  ['ls -l', 'ls -l'],
  ['a; b && c || d', '[a ; [b && c || d]]'],
  ['a\nb', '[a ; b]'],
  ['a | b |& c', '[a | b | c]'],
  ['! a', '!a'],
  ['time a | b', '![a | b]'],
  ['(a; b)', '([a ; b])'],
  ['{ a; b; }', 'no: a group of commands'],
  ['if a; then b; elif c; then d; else e; fi', 'no: a loop or a branch'],
  ['for f in x; do a $f; done', 'no: a loop or a branch'],
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
  ['', 'no: no command'],
  ['# a', 'no: no command'],
  ['a &', 'no: a job in the background'],
  ['coproc a', 'no: a job in the background'],
  ['f() { a; }', 'no: a function'],
  ['case a in b) c;; esac', 'no: a loop or a branch'],
  ['[[ a ]]', 'no: an expression that the shell evaluates'],
  ['((a))', 'no: an expression that the shell evaluates'],
  ['#!/bin/sh\na', 'no: a script'],
  ['a <<E\n$b\nE', EXPANSION],
  ['a <<E\n`b`\nE', EXPANSION],
  ['a <<E\nb', 'no: a text without its end'],
  ['A=(b)', 'no: an assignment to a list'],
  ['A+=b', 'no: an assignment to a list'],
  ['A[1]=b', 'no: an assignment to a list'],
  ['a {fd}> x', 'no: a redirection to a variable'],
  ['a > 1 b', 'no: a redirection'],
  ['a <& b', 'no: a redirection'],
  ['a >& "1"', 'a write:1'],
  [`a ${'b'.repeat(9998)}`, 'many'],
  [`a ${'b'.repeat(9999)}`, 'no: a very long command'],
  ['a\u00a0b', 'no: characters that cannot be seen'],
  ['a \ud800', 'no: characters that cannot be seen'],
];

const WORDS: Lines = [
  ['a "b c" \'d e\' f\\ g', 'a "b c" "d e" "f g"'],
  ['a ""', 'a ""'],
  ['a b"c"\'d\'', 'a bcd'],
  ['a ~ ~/x', 'a ~@home ~/x@home'],
  ['a "~/x" x~ b/~', 'a ~/x x~ b/~'],
  ['a ~b', 'no: somebody’s home folder'],
  ["a ~b'c'", 'no: somebody’s home folder'],
  ["a 'b'~c", 'a b~c'],
  ["a =b'c'", EXPANSION],
  ["a 'b'=c", 'a b=c'],
  ["a b$'c'", 'no: a special quotation'],
  ['a b$[c]', 'no: a calculation'],
  ['a "b$"c', 'a b$c'],
  ['a "b$""c"', 'a b$c'],
  ["a {b'c',d}", PATTERN],
  ["a 'b'{c,d}", 'a b{c,d}@b,c@b,d'],
  ['a b=~/x', 'no: a home folder'],
  ['a b:~/x', 'no: a home folder'],
  ['a *.ts', 'a *.ts@any,.ts'],
  ['a b?c[de]', 'a b?c[de]@b,one,c,one'],
  ['a "b"*', 'a b*@b,,any'],
  ['a ~/*', 'no: a pattern in a home folder'],
  ['a [^a]', 'a [^a]@one'],
  ['a [[:alpha:]]', PATTERN],
  ['a {b,c}', 'a {b,c}@b@c'],
  ['a {b,c}*{d,}', 'a {b,c}*{d,}@b,any,d@b,any,@c,any,d@c,any,'],
  ['a {b,{c,d}}', PATTERN],
  ['a {1..3}', PATTERN],
  ['a +(b)', PATTERN],
  ['a {} {b}', 'a {} {b}'],
  ['a [ ]', 'a [ ]'],
  ['a =b', EXPANSION],
  ['a b=c =', 'a b=c ='],
  ['a $', 'a $'],
  ['a b$', 'a b$'],
  ['a b$"c"', 'no: a special quotation'],
  ['a "b"$', 'a b$'],
  ['a b$/c', EXPANSION],
  ['a b$`c`', 'no: a command within the command'],
  ['a "b$`c`"', 'no: a command within the command'],
  ['a {b,c', PATTERN],
  ['a b},c', PATTERN],
  ['a "b$"', 'a b$'],
  ['a "b$ c"', 'a "b$ c"'],
  ['a "$b"', VARIABLE],
  ['a $b', VARIABLE],
  ['a ${b}', VARIABLE],
  ['a ${b:=c}', VARIABLE],
  ['a "x${b}y"', VARIABLE],
  ['a $?', 'a 0@whole'],
  ['a "$?"', 'a 0@whole'],
  ['a "x$?"', 'a x0@part'],
  ['a "$?x"', 'a 0x@part'],
  ['a $?*', 'no: a variable in a pattern'],
  ['a $(b)', 'no: a command within the command'],
  ['a "$(b)"', 'no: a command within the command'],
  ['a "`b`"', 'no: a command within the command'],
  ['a "$HOME"', VARIABLE],
  ['a `b`', 'no: a command within the command'],
  ['a <(b)', 'no: a process substitution'],
  ['a $((1+1))', 'no: a calculation'],
  ["a $'b'", 'no: a special quotation'],
  ['a "\\$b" \\$b \'$b\'', 'a $b $b $b'],
];

describe('the language of the shell, as far as it is understood', () => {
  for (const [what, lines] of [
    ['commands, and what joins them', GRAMMAR],
    ['words, and what the shell makes of them', WORDS],
  ] as const)
    it(`${what}: all else is named and not guessed at`, () => {
      for (const [line, expected] of lines) {
        const found = read(line);
        if (expected === 'many') assert.doesNotMatch(found, /^no/u, line.slice(0, 40));
        else assert.equal(found, expected, line.slice(0, 80));
      }
    });
});
