import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { Lexer, type Token } from 'marked';
import { FilesThere } from '../../../webview/markdown/files-there.ts';
import { linePlaces } from '../../../webview/markdown/line-places.ts';
import { mayBeFile } from '../../../webview/markdown/links.ts';

/** The lines that a text names: as they are written, and where they lead. */
function found(text: string): readonly string[] {
  const [block] = new Lexer({ gfm: true }).lex(text);
  const tokens: Token[] = (block as { tokens?: Token[] } | undefined)?.tokens ?? [];
  return [...linePlaces(tokens)].flatMap(([token, places]) =>
    places.map(
      ({ from, to, target }) =>
        `${(token as { text: string }).text.slice(from, to)} → ${target.path}:${target.line}`,
    ),
  );
}

describe('lines that an answer names', () => {
  it('lead to the file that the same sentence names', () => {
    const texts: readonly (readonly [text: string, ...places: string[]])[] = [
      ['See lines 10–16 of src/a.ts.', 'lines 10–16 → src/a.ts:10'],
      ['In `src/a.ts`, line 7 is wrong.', 'line 7 → src/a.ts:7'],
      ['`src/a.ts` (L10-L16)', 'L10-L16 → src/a.ts:10'],
      ['**Lines 3 to 5** of [a](src/a.ts)', 'Lines 3 to 5 → src/a.ts:3'],
      ['Lines 1-2 of a.ts and line 9 in `b/c.ts`.', 'Lines 1-2 → a.ts:1', 'line 9 → b/c.ts:9'],
      ['Die Zeilen 4 bis 8 in src/a.ts', 'Zeilen 4 bis 8 → src/a.ts:4'],
      ['src/a.ts 的第 10-16 行', '第 10-16 行 → src/a.ts:10'],
    ];
    for (const [text, ...places] of texts) assert.deepEqual(found(text), places, text);
  });

  it('lead nowhere without a file in the sentence, in code and in links', () => {
    for (const text of [
      'Look at src/a.ts. Lines 10–16 are wrong.',
      'The file has 16 lines of code in 3 files.',
      '`lines 10-16 of src/a.ts`',
      '[lines 10-16](https://example.com) of src/a.ts',
      'lines 10–16 of ../../etc/a.conf',
      'airlines 10 and src/a.ts',
    ])
      assert.deepEqual(found(text), [], text);
  });

  it('are looked for in a time that grows with the text only', () => {
    const started = process.cpuUsage();
    for (const hostile of ['line 1 '.repeat(200_000), `${'a.ts '.repeat(1900)}line 1`])
      found(hostile);
    assert.ok(process.cpuUsage(started).user < 3_000_000);
  });
});

describe('files that answers name', () => {
  it('are asked for together, each once, and again when they were not there', async () => {
    const asked: (readonly string[])[] = [];
    const there = new FilesThere(async (paths) => {
      asked.push(paths);
      return paths.map((path) => path === 'a.ts');
    });
    for (const path of ['a.ts', 'b.ts', 'a.ts']) there.want(path);
    assert.equal(there.has('a.ts').value, false);
    await delay(120);
    assert.deepEqual(asked, [['a.ts', 'b.ts']]);
    assert.equal(there.has('a.ts').value, true);
    assert.equal(there.has('b.ts').value, false);
    there.want('a.ts');
    there.want('b.ts');
    await delay(120);
    assert.equal(asked.length, 1);
  });

  it('are only what has the shape of a path', () => {
    for (const path of ['src/a.ts', 'a.ts', '.env', 'src/panel', '/w/src/a.ts', 'größe/x.rs'])
      assert.ok(mayBeFile(path), path);
    for (const path of [
      'a',
      '../a.ts',
      'f(x).y;',
      '//host/a.ts',
      'https://a.b/c',
      '$HOME/a.ts',
      '*.ts',
    ])
      assert.ok(!mayBeFile(path), path);
  });
});
