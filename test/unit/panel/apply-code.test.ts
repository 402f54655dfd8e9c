import assert from 'node:assert/strict';
import type { BelayError } from '../../../src/domain/failure.ts';
import { hunksOf } from '../../../src/core/review/model/hunks.ts';
import { PathGuard } from '../../../src/core/permissions/path-guard.ts';
import { CodeApplier, type UnclearReplacement } from '../../../src/panel/code/apply-code.ts';
import { codePaths, leavesOut } from '../../../src/panel/code/code-target.ts';
import { findFiles } from '../../../src/panel/code/find-files.ts';
import { terminalText } from '../../../src/panel/code/terminal-text.ts';
import { ReviewWorkspace } from '../../support/review/workspace.ts';

const LONG = Array.from({ length: 20 }, (_, index) => `line ${index}`).join('\n') + '\n';

class Bench implements AsyncDisposable {
  readonly workspace: ReviewWorkspace;
  readonly asked: UnclearReplacement[] = [];
  readonly offered: (readonly string[])[] = [];
  readonly shown: string[] = [];
  chooses: string | undefined;
  answers: 'replace' | 'other' | undefined;
  readonly confirmed: string[] = [];
  confirms = false;
  readonly applier: CodeApplier;
  readonly guard: PathGuard;

  constructor(workspace: ReviewWorkspace) {
    this.workspace = workspace;
    const { files } = workspace;
    this.guard = new PathGuard({
      files,
      ownFolders: [],
      ignored: { ruleFor: async () => undefined, ruleForAny: async () => undefined },
    });
    let ids = 0;
    this.applier = new CodeApplier({
      files,
      guard: this.guard,
      roots: () => [workspace.root],
      ids: { next: () => `call-${(ids += 1)}` },
      person: {
        chooseFile: async (likely) => {
          this.offered.push(likely);
          return this.chooses;
        },
        confirmReplace: async (unclear) => {
          this.asked.push(unclear);
          return this.answers;
        },
        confirmProtected: async (shown) => {
          this.confirmed.push(shown);
          return this.confirms;
        },
        show: async (path) => void this.shown.push(path.slice(workspace.root.length + 1)),
      },
    });
  }

  static async open(files: Readonly<Record<string, string>> = {}): Promise<Bench> {
    return new Bench(await ReviewWorkspace.open(files));
  }

  async apply(text: string, info = 'ts', before = ''): Promise<void> {
    await this.applier.apply({ text, info, before, sessionId: 's', messageId: 'm' });
  }

  /** The pending text of a file; `undefined`: nothing of it is pending. */
  pending(name: string): string | undefined {
    const review = this.workspace.reviews.find(`${this.workspace.root}/${name}`);
    return review?.document.kind === 'text' ? review.document.lines.join('\n') : undefined;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.workspace[Symbol.asyncDispose]();
  }
}

const said = (pattern: RegExp) => (thrown: BelayError) => pattern.test(thrown.message);

describe('a code block that is applied', () => {
  it('becomes a pending change of the file it names, of this request, and is written', async () => {
    await using bench = await Bench.open({ 'src/a.ts': 'one\ntwo\nthree\n' });
    await bench.apply('one\n2\nthree', 'ts src/a.ts');
    assert.equal(bench.pending('src/a.ts'), 'one\n2\nthree\n');
    assert.deepEqual(bench.asked, []);
    assert.deepEqual(bench.shown, ['src/a.ts']);
    const path = `${bench.workspace.root}/src/a.ts`;
    assert.equal(Buffer.from(await bench.workspace.disk.read(path)).toString(), 'one\n2\nthree\n');
    const review = bench.workspace.reviews.find(path);
    assert.ok(review !== undefined);
    const [by] = hunksOf(review)[0]?.by ?? [];
    assert.deepEqual([by?.sessionId, by?.messageId, by?.tool], ['s', 'm', 'write_file']);
  });

  it('makes a new file, and a label in the first line is no part of it', async () => {
    await using bench = await Bench.open();
    await bench.apply('// src/new.ts\n\nexport {};', 'ts');
    assert.equal(bench.pending('src/new.ts'), 'export {};\n');
    await bench.apply('x', 'text', 'Create src/other.txt:');
    assert.equal(bench.pending('src/other.txt'), 'x\n');
  });

  it('changes a protected file only after a question', async () => {
    await using bench = await Bench.open();
    await bench.apply('{}', 'json .vscode/tasks.json');
    assert.equal(bench.pending('.vscode/tasks.json'), undefined);
    bench.confirms = true;
    await bench.apply('{}', 'json .vscode/tasks.json');
    assert.equal(bench.pending('.vscode/tasks.json'), '{}\n');
    assert.deepEqual(bench.confirmed, ['.vscode/tasks.json', '.vscode/tasks.json']);
  });

  it('replaces the rest of a file only after a yes', async () => {
    await using bench = await Bench.open({ 'a.ts': LONG });
    await bench.apply('just this', 'ts a.ts');
    assert.equal(bench.pending('a.ts'), undefined);
    assert.deepEqual(bench.asked, [{ shown: 'a.ts', lines: 20, blockLines: 1, leavesOut: false }]);
    bench.answers = 'replace';
    await bench.apply('just this', 'ts a.ts');
    assert.equal(bench.pending('a.ts'), 'just this\n');
  });

  it('asks where lines are left out, and takes another file', async () => {
    await using bench = await Bench.open({ 'a.ts': LONG });
    bench.answers = 'other';
    bench.chooses = 'b.ts';
    await bench.apply(`${LONG}// ... existing code ...`, 'ts a.ts');
    assert.equal(bench.asked[0]?.leavesOut, true);
    assert.deepEqual(bench.offered, [['a.ts']]);
    assert.equal(bench.pending('a.ts'), undefined);
    assert.match(bench.pending('b.ts') ?? '', /existing code/u);
  });

  it('goes to the nearest file before it that is there, else asks', async () => {
    await using bench = await Bench.open({ 'src/a.ts': 'one\n', 'src/b.ts': 'two\n' });
    bench.answers = 'replace';
    await bench.apply('three', 'ts', 'Like `src/b.ts:4`, change src/a.ts, e.g. node.js so: ');
    assert.equal(bench.pending('src/a.ts'), 'three\n');
    await bench.apply('four', 'ts', 'Nothing is named here.');
    assert.deepEqual(bench.offered, [[]]);
    assert.deepEqual(bench.shown, ['src/a.ts']);
  });

  it('keeps the ends of lines, and is built on what is pending already', async () => {
    await using bench = await Bench.open({ 'a.txt': 'one\r\ntwo\r\n' });
    await bench.apply('one\n2\n', 'text a.txt');
    await bench.apply('one\n2\n3\n', 'text a.txt');
    await assert.rejects(
      bench.apply('one\n2\n3\n', 'text a.txt'),
      said(/has this content already/u),
    );
    const path = `${bench.workspace.root}/a.txt`;
    assert.equal(
      Buffer.from(await bench.workspace.files.read(path)).toString(),
      'one\r\n2\r\n3\r\n',
    );
  });

  it('goes nowhere outside of the workspace, and into no repository', async () => {
    await using bench = await Bench.open();
    for (const path of ['/etc/belay.conf', '../out.ts', '.git/config']) {
      bench.chooses = path;
      await assert.rejects(bench.apply('x', 'text'), said(/was not applied/u), path);
    }
    assert.deepEqual(bench.workspace.reviews.pending, []);
  });

  it('applies a diff to the files it names, all of it or nothing', async () => {
    await using bench = await Bench.open({ 'a.ts': LONG, 'b.ts': 'b\n' });
    const diff = '--- a/a.ts\n+++ b/a.ts\n@@ -2,3 +2,3 @@\n line 1\n-line 2\n+LINE 2\n line 3\n';
    await assert.rejects(
      bench.apply(`${diff}--- a/b.ts\n+++ b/b.ts\n@@ -1 +1 @@\n-not there\n+c\n`, 'diff'),
      said(/does not fit b\.ts/u),
    );
    assert.deepEqual(bench.workspace.reviews.pending, []);
    await bench.apply(diff, 'diff');
    assert.equal(bench.pending('a.ts'), LONG.replace('line 2\n', 'LINE 2\n'));
    await bench.apply('@@ -1 +1 @@\n-b\n+c\n', 'diff', 'In `b.ts`:');
    assert.equal(bench.pending('b.ts'), 'c\n');
  });
});

describe('the file of a code block', () => {
  const named = (info: string, text = ''): string | undefined =>
    codePaths({ text, info, before: '' }).named;

  it('stands in its info string or its first line', () => {
    const infos: readonly (readonly [info: string, path: string | undefined])[] = [
      ['ts', undefined],
      ['c++', undefined],
      ['ts src/a.ts', 'src/a.ts'],
      ['ts title="src/a b.ts"', 'b.ts'],
      ['ts:src/a.ts', 'src/a.ts'],
      ['12:20:src/a.ts', 'src/a.ts'],
      ['js {filename=lib/x.js}', 'lib/x.js'],
      ['src/a.ts', 'src/a.ts'],
      ['ts ../out.ts', undefined],
    ];
    for (const [info, path] of infos) assert.equal(named(info), path, info);
    for (const line of [
      '// src/a.ts',
      '# src/a.ts',
      '<!-- src/a.ts -->',
      '/* src/a.ts */',
      '-- File: src/a.ts',
      '// filepath: src/a.ts',
      '; src/a.ts',
    ])
      assert.equal(named('ts', `${line}\nx`), 'src/a.ts', line);
    for (const line of ['// see src/a.ts', 'const a = 1;', '# Title', '#!/bin/sh'])
      assert.equal(named('', `${line}\nx`), undefined, line);
  });

  it('a block that leaves lines out says so', () => {
    for (const line of [
      '// ...',
      '# ... rest of the file',
      '  // … existing code …',
      '<!-- rest of the page -->',
      '...',
      '/* existing code */',
    ])
      assert.ok(leavesOut(`a\n${line}\nb`), line);
    for (const line of ['call(...args);', '// the restaurant', 'a = [...b]'])
      assert.ok(!leavesOut(`a\n${line}\nb`), line);
  });
});

describe('a code block in a terminal', () => {
  it('is one line without its end, and never what a terminal would obey', () => {
    assert.equal(terminalText('npm test\n'), 'npm test');
    assert.equal(terminalText('$ npm ci\n$ npm test\n'), 'npm ci\nnpm test');
    assert.equal(terminalText('if a; then\n\tb\nfi'), 'if a; then\n    b\nfi');
    for (const hostile of ['a\u001b[201~\nb', 'a\rb', 'a\u0003', 'a\u0085b'])
      assert.throws(() => terminalText(hostile), said(/control characters/u));
  });
});

describe('files that an answer names', () => {
  it('are found where they are, and nothing outside is looked at', async () => {
    await using bench = await Bench.open({ 'src/a.ts': 'x' });
    const looked: string[] = [];
    const { files, root } = bench.workspace;
    const found = await findFiles(
      [
        'src/a.ts',
        'src/b.ts',
        `${root}/src/a.ts`,
        'src',
        '../x.ts',
        '/etc/passwd',
        '//host/share/a.ts',
        '\\\\host\\share\\a.ts',
      ],
      {
        roots: () => [root],
        files: {
          stat: async (path) => {
            looked.push(path);
            return files.stat(path);
          },
        },
        guard: bench.guard,
      },
    );
    assert.deepEqual(found, [true, false, true, true, false, false, false, false]);
    assert.ok(
      looked.every((path) => path.startsWith(root)),
      looked.join(' '),
    );
  });
});
