import assert from 'node:assert/strict';
import { count } from '../../../src/domain/text/language.ts';
import { ago, amount, duration, elapsed, money, size } from '../../../webview/texts/words.ts';
import { splitRows } from '../../../src/protocol/diff-lines.ts';
import { parseDiff } from '../../../webview/views/elements/diff-lines.tsx';

describe('words of the panel', () => {
  it('say times briefly', () => {
    assert.deepEqual([0, 340, 1240, 9990, 12_400, 125_000, 3_725_000].map(duration), [
      '0 ms',
      '340 ms',
      '1.2 s',
      '9.9 s',
      '12 s',
      '2:05 min',
      '1:02 h',
    ]);
    assert.deepEqual([-5, 900, 4200, 61_000].map(elapsed), ['0 s', '0 s', '4 s', '1:01 min']);
  });

  it('say amounts briefly', () => {
    assert.deepEqual([0, 999, 1200, 9999, 31_400, 999_499, 999_500, 2_340_000].map(amount), [
      '0',
      '999',
      '1.2k',
      '10.0k',
      '31k',
      '999k',
      '1.0M',
      '2.3M',
    ]);
    assert.deepEqual([0, 0.0004, 0.042, 0.1, 3.1].map(money), [
      '$0.00',
      '<$0.001',
      '$0.042',
      '$0.10',
      '$3.10',
    ]);
    assert.deepEqual([512, 12_300, 3_400_000].map(size), ['512 B', '12 kB', '3.4 MB']);
    assert.equal(count(1, 'message'), '1 message');
    assert.equal(count(2, 'message'), '2 messages');
  });

  it('say how long ago something was', () => {
    const now = Date.UTC(2026, 10, 21, 12);
    const minute = 60_000;
    assert.deepEqual(
      [0, 5 * minute, 180 * minute, 30 * 60 * minute, 12 * 24 * 60 * minute].map((past) =>
        ago(now - past, now),
      ),
      ['now', '5 min', '3 hr', 'yesterday', '12 days'],
    );
  });

  it('read a unified diff with the line numbers of each side', () => {
    const lines = parseDiff('@@ -3,2 +3,3 @@\n a\n-b\n+c\n+d\n@@ -20 +21 @@\n-x\n+y');
    assert.deepEqual(
      lines.map(({ kind, text, line }) => `${line} ${kind} ${text}`.trim()),
      [
        '3 context a',
        '4 removed b',
        '4 added c',
        '5 added d',
        'null gap',
        '20 removed x',
        '21 added y',
      ],
    );
  });

  it('say in a unified diff when the newline at the end is what changed', () => {
    const end = '\\ No newline at end of file';
    const ends = (diff: string): readonly string[] =>
      parseDiff(diff).flatMap(({ kind, end: isEnd }) => (isEnd ? [kind] : []));
    assert.deepEqual(ends(`@@ -1 +1 @@\n-a\n${end}\n+a`), ['removed']);
    assert.deepEqual(ends(`@@ -1 +1 @@\n-a\n+b\n${end}`), ['added']);
    assert.deepEqual(ends(`@@ -1 +1 @@\n-a\n${end}\n+b\n${end}`), []);
    assert.deepEqual(ends(`@@ -0,0 +1 @@\n+a\n${end}`), []);
  });

  it('mark the words that a removed line and the one that replaces it do not share', () => {
    const marked = (...texts: readonly string[]): readonly string[] =>
      splitRows(parseDiff(`@@ -1 +1 @@\n${texts.join('\n')}`)).map((pieces) =>
        pieces.map(({ text, changed }) => (changed ? `[${text}]` : text)).join(''),
      );
    assert.deepEqual(marked('-until = now() + lease;', '+until = now() + lease * 1000;'), [
      'until = now() + lease[];',
      'until = now() + lease[ * 1000];',
    ]);
    assert.deepEqual(marked('-const a = read(x);', '+// first', '+const b = read(y);'), [
      'const [a] = read([x]);',
      '// first',
      'const [b] = read([y]);',
    ]);
    assert.deepEqual(marked('-one two three', '+entirely other words'), [
      'one two three',
      'entirely other words',
    ]);
  });
});
