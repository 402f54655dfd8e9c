import assert from 'node:assert/strict';
import fc from 'fast-check';
import { changedText } from '../../../src/tools/language/changed-text.ts';
import { newProblems } from '../../../src/core/review/evidence/new-problems.ts';
import { addressOf } from '../../../src/tools/language/symbols/symbol-address.ts';
import type { Problem } from '../../../src/core/ports/editor/language.ts';

const TEXT = [
  'import { total } from "./sum";', // 1
  'const order = { total: 3 };', // 2
  'function totals() {}', // 3
  'const x = order.total + other.total;', // 4
  '', // 5
  'export const $rate_ü = total(order);', // 6
  'total(a);', // 7
  'x + y + x;', // 8
].join('\n');

const found = (asked: string, line?: number) => addressOf(TEXT, asked, line);

describe('a symbol named by its text and its line', () => {
  it('is found where it stands, by the column of its name', () => {
    const { kind, ...rest } = found('total', 6) as { kind: string };
    assert.equal(kind, 'found');
    assert.deepEqual(rest, { line: 6, column: 24, name: 'total', moved: false, onLine: 1 });
  });

  it('is never a part of a longer name', () => {
    assert.deepEqual(found('rate', 6), { kind: 'missing', name: 'rate', lines: [] });
    assert.equal(found('$rate_ü', 6).kind, 'found');
    assert.deepEqual(found('tot', 3), { kind: 'missing', name: 'tot', lines: [] });
  });

  it('is the last name of what was written before it', () => {
    const second = found('other.total', 4);
    assert.deepEqual(
      [second.kind, second.kind === 'found' && second.column],
      ['found', TEXT.split('\n')[3]!.indexOf('other.total') + 'other.'.length + 1],
    );
    const spoken = found('Order.totals', 3);
    assert.equal(spoken.kind === 'found' && spoken.name, 'totals');
  });

  it('may be written with its arguments or in backticks', () => {
    for (const asked of [
      'total(order)',
      'total()',
      '`total`',
      ' total ',
      'total<Order>',
      'total: number',
    ]) {
      const address = found(asked, 6);
      assert.deepEqual([address.kind, address.name], ['found', 'total'], asked);
    }
  });

  it('is taken first on its line when it stands there several times, and that is told', () => {
    const address = found('x', 8);
    assert.deepEqual(address.kind === 'found' && [address.column, address.onLine], [1, 2]);
  });

  it('is found near a line that is slightly wrong, and that is told', () => {
    const address = found('totals', 5);
    assert.deepEqual(address, {
      kind: 'found',
      line: 3,
      column: 10,
      name: 'totals',
      moved: true,
      onLine: 1,
    });
  });

  it('is not guessed when two lines are equally near', () => {
    assert.deepEqual(addressOf('a\n\na', 'a', 2), { kind: 'ambiguous', name: 'a', lines: [1, 3] });
  });

  it('is not taken from far away; where it is instead is told', () => {
    const far = `${'\n'.repeat(50)}a\n`;
    assert.deepEqual(addressOf(far, 'a', 3), { kind: 'missing', name: 'a', lines: [51] });
    assert.equal(addressOf(far, 'a', 45).kind, 'found');
  });

  it('needs no line when it stands on one only', () => {
    assert.equal(found('$rate_ü').kind, 'found');
    assert.deepEqual(found('total'), { kind: 'ambiguous', name: 'total', lines: [1, 2, 4, 6, 7] });
    assert.deepEqual(found('nothing'), { kind: 'missing', name: 'nothing', lines: [] });
  });

  it('is found on lines that end with CR LF, and survives any text', () => {
    assert.deepEqual(addressOf('a\r\nb\r\nc', 'c', 3), {
      kind: 'found',
      line: 3,
      column: 1,
      name: 'c',
      moved: false,
      onLine: 1,
    });
    fc.assert(
      fc.property(
        fc.string(),
        fc.string(),
        fc.option(fc.nat(), { nil: undefined }),
        (text, asked, line) => {
          const address = addressOf(text, asked, line);
          if (address.kind !== 'found') return;
          const content = text.split(/\r\n|\r|\n/u)[address.line - 1] ?? '';
          assert.ok(content.slice(address.column - 1).startsWith(address.name));
        },
      ),
    );
  });
});

describe('changes of a text by lines and columns', () => {
  it('are made all at once, in whatever order they come', () => {
    const at = (line: number, column: number, length: number, text: string) => ({
      line,
      column,
      endLine: line,
      endColumn: column + length,
      text,
    });
    const changes = [at(2, 1, 1, 'B'), at(1, 1, 1, 'A'), at(1, 2, 0, '!'), at(1, 2, 0, '?')];
    assert.equal(changedText('a\r\nb', changes), 'A!?\r\nB');
    assert.equal(changedText('ab', [at(1, 1, 2, 'x'), at(1, 2, 1, 'y')]), undefined);
    assert.equal(
      changedText('a', [{ line: 1, column: 1, endLine: 9, endColumn: 1, text: '' }]),
      '',
    );
    assert.equal(changedText('', [at(1, 1, 0, 'new')]), 'new');
  });
});

describe('problems that are new', () => {
  const problem = (line: number, message: string): Problem => ({
    path: '/a',
    line,
    column: 1,
    severity: 'error',
    source: 'ts',
    code: '1',
    message,
  });

  it('are those that say something else, or say it once more, wherever the lines went', () => {
    const before = [problem(1, 'x'), problem(5, 'y')];
    assert.deepEqual(newProblems(before, [problem(11, 'x'), problem(15, 'y')]), []);
    assert.deepEqual(newProblems(before, [problem(2, 'x'), problem(40, 'x')]), [problem(40, 'x')]);
    assert.deepEqual(newProblems([], [problem(1, 'x')]), [problem(1, 'x')]);
    assert.deepEqual(newProblems(before, []), []);
  });
});
