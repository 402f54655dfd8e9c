import assert from 'node:assert/strict';
import { understand, type Intent } from '../../../src/providers/demo/understand.ts';
import { fileText, pathOfReading, pathsInTree } from '../../../src/providers/demo/tree-text.ts';

describe('demo model: what it understands', () => {
  const table: readonly (readonly [string, Intent])[] = [
    ['explain this workspace', { kind: 'explain' }],
    ['Please explain the code', { kind: 'explain' }],
    ['What does this project do?', { kind: 'explain' }],
    ['find TODO', { kind: 'find', what: 'TODO' }],
    ['Search for "two words"', { kind: 'find', what: 'two words' }],
    ['where is the README?', { kind: 'find', what: 'the README' }],
    [
      'replace foo with bar in src/a.ts',
      { kind: 'replace', from: 'foo', to: 'bar', path: 'src/a.ts' },
    ],
    [
      'Replace "a with b" with `c in d` in "my file.txt"',
      { kind: 'replace', from: 'a with b', to: 'c in d', path: 'my file.txt' },
    ],
    [
      'change old by new in the file notes.md.',
      { kind: 'replace', from: 'old', to: 'new', path: 'notes.md' },
    ],
    ['replace "x" with "" in a.txt', { kind: 'replace', from: 'x', to: '', path: 'a.txt' }],
    ['replace "" with y in a.txt', { kind: 'unknown' }],
    ['create notes.md with Hello', { kind: 'create', path: 'notes.md', text: 'Hello' }],
    [
      'create a new file called a/b.txt with the text: "one\ntwo"',
      { kind: 'create', path: 'a/b.txt', text: 'one\ntwo' },
    ],
    [
      'make notes.md with find and run in it',
      { kind: 'create', path: 'notes.md', text: 'find and run in it' },
    ],
    ['create notes.md', { kind: 'unknown' }],
    ['run npm test', { kind: 'run', command: 'npm test' }],
    ['Run the command `ls -la`', { kind: 'run', command: 'ls -la' }],
    ['can you run echo "a" && echo b', { kind: 'run', command: 'echo "a" && echo b' }],
    ['guided tour', { kind: 'tour' }],
    ['Take me on a tour!', { kind: 'tour' }],
    ['help', { kind: 'help' }],
    ['hello', { kind: 'help' }],
    ['explain yourself', { kind: 'unknown' }],
    ['write a parser', { kind: 'unknown' }],
    ['', { kind: 'unknown' }],
  ];
  for (const [request, intent] of table) {
    it(JSON.stringify(request), () => assert.deepEqual(understand(request), intent));
  }

  it('is not slow on a long message', () => {
    assert.equal(understand(`replace ${'with in '.repeat(50_000)}`).kind, 'unknown');
  });
});

describe('demo model: what it reads out of results', () => {
  it('paths of a tree', () => {
    const tree =
      'The workspace (4 files)\nempty/ (empty or ignored)\nsrc/ (3)\n  deep/ (1)\n    a.ts\n  b.ts\n  c (old).ts\nREADME.md\n[12 more lines: list a folder below, or fewer levels]\n';
    assert.deepEqual(pathsInTree(tree), [
      'src/deep/a.ts',
      'src/b.ts',
      'src/c (old).ts',
      'README.md',
    ]);
  });

  it('text and path of a reading', () => {
    const reading = 'src/a.ts (3 lines)\none\n\nthree\n';
    assert.equal(fileText(reading), 'one\n\nthree');
    assert.equal(fileText('src/a.ts (lines 2-3 of 3)\n2\t\n3\tthree\n'), '\nthree');
    assert.equal(pathOfReading(reading), 'src/a.ts');
    assert.equal(
      pathOfReading('my (old) file.ts (lines 1-2000 of 3000)\n1\tx'),
      'my (old) file.ts',
    );
  });
});
