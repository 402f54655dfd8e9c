import assert from 'node:assert/strict';
import { plainText } from '../../../webview/markdown/plain-text.ts';
import { pathsIn } from '../../../webview/markdown/paths.ts';

const found = (text: string): unknown[] =>
  pathsIn(text).flatMap(({ text: shown, target }) =>
    target === undefined ? [] : [[shown, target.path, target.line]],
  );

describe('paths with a line in plain text', () => {
  it('are found in every form that answers name places in', () => {
    const forms: readonly (readonly [text: string, ...place: unknown[]])[] = [
      ['See src/route.ts:24.', 'src/route.ts:24', 'src/route.ts', 24],
      ['(src/route.ts:24-30)', 'src/route.ts:24-30', 'src/route.ts', 24],
      ['at src/route.ts:24:5, then', 'src/route.ts:24:5', 'src/route.ts', 24],
      ['in ./a/b-c/größe.test.tsx:7!', './a/b-c/größe.test.tsx:7', './a/b-c/größe.test.tsx', 7],
      ['a .github/x.yml:3: here', '.github/x.yml:3', '.github/x.yml', 3],
      ['only route.ts:24', 'route.ts:24', 'route.ts', 24],
    ];
    for (const [text, ...place] of forms) assert.deepEqual(found(text), [place], text);
    assert.equal(
      pathsIn('a src/a.ts:1 and src/b.ts:2.')
        .map((piece) => piece.text)
        .join(''),
      'a src/a.ts:1 and src/b.ts:2.',
    );
  });

  it('are never something else', () => {
    const others = [
      'at 10:30 or 1.2:3',
      'https://example.com/a.js:24',
      'command:belay.clear.all:1',
      'file:///etc/passwd.txt:1',
      'javascript:alert.x:1',
      '/etc/hosts.txt:1',
      '../../outside/a.ts:1',
      'src/../../a.ts:1',
      '~/.ssh/config.d:1',
      'C:/a.ts:1',
      'C:\\work\\a.ts:1',
      'user@host.com/x.ts:abc',
      'src/route.ts',
      'std::vector:1',
    ];
    for (const text of others) assert.deepEqual(found(text), [], text);
  });

  it('are looked for in a time that grows with the text only', () => {
    for (const hostile of [
      'a.'.repeat(200_000),
      'a/'.repeat(200_000),
      `${'a'.repeat(400_000)}:1`,
    ]) {
      const started = process.cpuUsage();
      assert.deepEqual(found(`${hostile} x:1`), []);
      assert.ok(process.cpuUsage(started).user < 2_000_000);
    }
  });
});

describe('an answer as it is read aloud', () => {
  it('has no marks', () => {
    const text = plainText(
      '# Plan\n\nUse **pace**, `run()` and [the rule](https://example.com).\n\n- one\n- *two*\n\n```ts\nconst a = 1;\n```\n',
      400,
    );
    assert.equal(text, 'Plan Use pace, run() and the rule. one. two. (ts code).');
  });

  it('ends after so many characters', () => {
    assert.equal(plainText('word '.repeat(500), 20), 'word word word word…');
  });
});
