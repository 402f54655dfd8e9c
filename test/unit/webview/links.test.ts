import assert from 'node:assert/strict';
import { decodeEntities } from '../../../webview/markdown/entities.ts';
import { knownFile, linkTarget } from '../../../webview/markdown/links.ts';

describe('links in answers', () => {
  it('open web pages by http and https', () => {
    assert.deepEqual(linkTarget('https://example.com/a?b#c'), {
      kind: 'web',
      url: 'https://example.com/a?b#c',
    });
    assert.deepEqual(linkTarget('HTTP://example.com'), { kind: 'web', url: 'HTTP://example.com' });
  });

  it('open files with their line', () => {
    assert.deepEqual(linkTarget('src/a.ts'), { kind: 'file', path: 'src/a.ts' });
    assert.deepEqual(linkTarget('./src/a.ts:12'), { kind: 'file', path: './src/a.ts', line: 12 });
    assert.deepEqual(linkTarget('src/a.ts#L12-L20'), { kind: 'file', path: 'src/a.ts', line: 12 });
    assert.deepEqual(linkTarget('a.ts:12:5'), { kind: 'file', path: 'a.ts', line: 12 });
    assert.deepEqual(linkTarget('/work/my%20file.md'), { kind: 'file', path: '/work/my file.md' });
    assert.deepEqual(linkTarget('C:\\work\\a.ts'), { kind: 'file', path: 'C:\\work\\a.ts' });
  });

  it('security 6: do nothing with any other scheme, however it is hidden', () => {
    const inert = [
      'javascript:alert(1)',
      'JavaScript:alert(1)',
      ' javascript:alert(1)',
      'java\tscript:alert(1)',
      'java\nscript:alert(1)',
      'javascript%3Aalert(1)',
      '\u0001javascript:alert(1)',
      'command:workbench.action.terminal.sendSequence',
      'vscode://extension/install',
      'vscode-insiders:x',
      'data:text/html,<script>1</script>',
      'file:///etc/passwd',
      'blob:https://x',
      'vbscript:x',
      'mailto:a@b',
      '//evil.example/a',
      '#anchor',
      '',
      'https://exa\u202Emple.com',
      'https://a b',
    ];
    for (const href of inert) assert.equal(linkTarget(href), null, JSON.stringify(href));
  });

  it('A9: inline code is a link when a tool has named the file', () => {
    const files = new Set(['src/core/loop.ts', 'README.md']);
    assert.deepEqual(knownFile('src/core/loop.ts:7', files), {
      kind: 'file',
      path: 'src/core/loop.ts',
      line: 7,
    });
    assert.deepEqual(knownFile('core/loop.ts', files), { kind: 'file', path: 'src/core/loop.ts' });
    assert.deepEqual(knownFile('./README.md', files), { kind: 'file', path: 'README.md' });
    assert.equal(knownFile('loop.ts', files), null);
    assert.equal(knownFile('array.map', files), null);
    assert.equal(knownFile('src/other.ts', files), null);
  });
});

describe('character references', () => {
  it('become characters, never markup', () => {
    assert.equal(decodeEntities('a &amp; b &lt;i&gt; &#39;x&#x27; &hellip;'), "a & b <i> 'x' …");
    assert.equal(
      decodeEntities('&unknown; &#0; &#xD800; &#x110000; &;'),
      '&unknown; &#0; &#xD800; &#x110000; &;',
    );
    assert.equal(decodeEntities('&constructor; &toString;'), '&constructor; &toString;');
  });
});
