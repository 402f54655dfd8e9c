import assert from 'node:assert/strict';
import {
  isPlainAwk,
  isPlainJq,
  isPlainSed,
} from '../../../src/core/permissions/command/scripts.ts';

type Judged = readonly (readonly [script: string, isPlain: boolean])[];

const SED: Judged = [
  ['', true],
  ['p', true],
  ['1,20p; $d', true],
  ['/a/,/b/p', true],
  ['/a/,+3!d', true],
  ['s/a/b/gpi', true],
  ['s|a|b|2', true],
  ['y/abc/xyz/', true],
  [String.raw`s/\(a\)/\1/`, true],
  ['s/[[:space:]]*$//', true],
  [String.raw`s/.*"v": "\([^"]*\)".*/\1/p`, true],
  ['/^[A-Z]/,/[0-9]$/p', true],
  ['s,[^/]*$,,', true],
  ['s/[/]w x/b/', false],
  ['s,[,],w x,', false],
  ['s/[/x/;w out;s/]/y/', false],
  [String.raw`s/[\]/w out/;s/]/y/`, false],
  ['s/[[:space:]/x/;w out;s/]/y/', false],
  ['s/[[.a.]/]w x/', false],
  ['/[/w x;/]/p', false],
  ['p\nd', true],
  ['s/a/b/e', false],
  ['s/a/b/w x', false],
  ['w x', false],
  ['r x', false],
  ['1e ls', false],
  ['p x', false],
  ['p; w x', false],
  ['s/a/b', false],
  [String.raw`s/a/\cx/`, false],
  [`s/a/${'b'.repeat(1996)}/`, false],
  [`s/a/${'b'.repeat(1995)}/`, true],
];

const AWK: Judged = [
  ['', true],
  ['{ print $1 }', true],
  ['$1 > 3 { print }', true],
  ['$1 > 3 || $2 { s += $1 } END { print s }', true],
  ['/a|b/ { print }', true],
  ['{ print > "x" }', false],
  ['{ print $1 | "sh" }', false],
  ['{ if ($1 > 3) print $1; x = $2 > 4 }', false],
  ['BEGIN { system("x") }', false],
  ['BEGIN { getline }', false],
  ['BEGIN { print ENVIRON["A"] }', false],
  ['function f() { }', false],
  [`# ${'x'.repeat(1998)}`, true],
  [`# ${'x'.repeat(1999)}`, false],
];

const JQ: Judged = [
  ['.a.env', true],
  ['."env"', true],
  ['env', false],
  ['$ENV.PATH', false],
  ['.. | env', false],
  ['import "a" as b; .', false],
  ['"x" | $__loc__', false],
  [`.${'x'.repeat(1999)}`, true],
  [`.${'x'.repeat(2000)}`, false],
];

describe('programs in a language of their own', () => {
  for (const [name, isPlain, judged] of [
    ['sed prints, deletes and replaces', isPlainSed, SED],
    ['awk computes and prints', isPlainAwk, AWK],
    ['jq looks at its input', isPlainJq, JQ],
  ] as const)
    it(`${name}, or it is asked about`, () => {
      for (const [script, expected] of judged) assert.equal(isPlain(script), expected, script);
    });
});
