import assert from 'node:assert/strict';
import { mkdir, symlink, unlink } from 'node:fs/promises';
import path from 'node:path';
import { WorkspaceRig } from '../../contract/tool/workspace-rig.ts';

describe('list_files, find_files and search_text', () => {
  let workspace: WorkspaceRig;

  before(async () => {
    workspace = await WorkspaceRig.open({
      '.gitignore': 'out/\n',
      'README.md': '# Title\n\nAlpha beta Gamma\n',
      'src/main.ts': 'import { alpha } from "./alpha.ts";\nalpha();\n',
      'src/alpha.ts':
        'export function alpha() {\n  return 1;\n}\n\n// nothing\n// nothing\n\nconst x = alpha;\n',
      'src/deep/er/leaf.ts': '',
      'out/bundle.js': 'alpha\n',
    });
    await mkdir(workspace.at('empty'));
    await symlink('.', workspace.at('src/loop'));
  });

  after(async () => {
    await workspace.close();
  });

  describe('list_files', () => {
    it('shows a tree with counts, folders first, without what is ignored', async () => {
      assert.equal(
        await workspace.text('list_files', {}),
        [
          'The workspace (5 files)',
          'empty/ (empty or ignored)',
          'out/ (empty or ignored)',
          'src/ (3)',
          '  deep/ (1)',
          '    er/ (1)',
          '      leaf.ts',
          '  alpha.ts',
          '  main.ts',
          '.gitignore',
          'README.md',
          '',
        ].join('\n'),
      );
    });

    it('goes as deep as asked for', async () => {
      assert.equal(
        await workspace.text('list_files', { path: 'src', depth: 1 }),
        'src (3 files)\ndeep/ (1)\nalpha.ts\nmain.ts\n',
      );
    });

    it('shows fewer levels of a large tree rather than a part of all', async () => {
      const large = await WorkspaceRig.open(
        Object.fromEntries(
          Array.from({ length: 600 }, (_, index) => [`d${index % 60}/f${index}.ts`, '']),
        ),
      );
      try {
        const text = await large.text('list_files', {});
        assert.equal(text.match(/^d\d+\/ \(10\)$/gmu)?.length, 60);
        assert.doesNotMatch(text, /f1\.ts/u);
        const all = await large.call('list_files', { depth: 2 });
        assert.match(JSON.stringify(all.result.content), /more lines: list a folder below/u);
      } finally {
        await large.close();
      }
    });

    it('shows nothing of what .belayignore names, not even that it is there', async () => {
      await workspace.write('.belayignore', 'src/deep\nempty/\n*.md\n');
      try {
        const text = await workspace.text('list_files', {});
        assert.doesNotMatch(text, /deep|empty\/|README/u);
        assert.match(text, /^ {2}alpha\.ts$/mu);
      } finally {
        await unlink(workspace.at('.belayignore'));
      }
    });

    it('lists an ignored folder that is named, and counts ignored ones in other folders', async () => {
      const other = await WorkspaceRig.open({
        '.gitignore': 'dist/\n',
        'packages/a/main.ts': '',
        'packages/a/dist/main.js': '',
      });
      try {
        const path = 'packages/a/dist';
        assert.equal(
          await other.text('list_files', { path }),
          'packages/a/dist (1 files)\nmain.js\n',
        );
        assert.match(
          await other.text('list_files', { path: 'packages' }),
          /main\.ts\n\[not searched: 1 ignored folder, for example packages\/a\/dist;/u,
        );
      } finally {
        await other.close();
      }
    });

    it('says that a file is none', async () => {
      assert.match(
        await workspace.failure('list_files', { path: 'README.md' }),
        /is a file, not a folder\. Use read_file/u,
      );
    });
  });

  describe('find_files', () => {
    it('finds by glob and by part of a name', async () => {
      assert.equal(
        await workspace.text('find_files', { pattern: '**/*.ts' }),
        'src/alpha.ts\nsrc/deep/er/leaf.ts\nsrc/main.ts',
      );
      assert.equal(await workspace.text('find_files', { pattern: 'leaf' }), 'src/deep/er/leaf.ts');
      assert.equal(
        await workspace.text('find_files', { pattern: '*.ts', path: 'src/deep' }),
        'src/deep/er/leaf.ts',
      );
    });

    it('says when there are more, and when there are none', async () => {
      assert.match(
        await workspace.text('find_files', { pattern: '*.ts', limit: 1 }),
        /^src\/alpha\.ts\n\[only the first 1: narrow the pattern\]$/u,
      );
      assert.match(
        await workspace.text('find_files', { pattern: 'zzz' }),
        /^No file matches "zzz"\. Try/u,
      );
    });

    it('A9: names the files, for links', async () => {
      const { result } = await workspace.call('find_files', { pattern: 'leaf.ts' });
      assert.deepEqual(result.files, [{ path: workspace.at('src/deep/er/leaf.ts') }]);
      assert.deepEqual(result.display, {
        kind: 'files',
        pattern: 'leaf.ts',
        count: 1,
        complete: true,
      });
    });
  });

  describe('search_text', () => {
    it('gives matches by file, with line numbers', async () => {
      assert.equal(
        await workspace.text('search_text', { pattern: 'alpha\\b', include: ['*.ts'] }),
        '4 matches in 2 files\nsrc/alpha.ts\n1:export function alpha() {\n8:const x = alpha;\n\nsrc/main.ts\n1:import { alpha } from "./alpha.ts";\n2:alpha();',
      );
    });

    it('minds capitals when the pattern has them, or when told', async () => {
      assert.match(
        await workspace.text('search_text', { pattern: 'Alpha' }),
        /^1 matches in 1 files\nREADME\.md\n3:Alpha beta Gamma$/u,
      );
      assert.match(
        await workspace.text('search_text', { pattern: 'alpha', path: 'README.md' }),
        /3:Alpha beta/u,
      );
      assert.match(
        await workspace.text('search_text', {
          pattern: 'alpha',
          case_sensitive: true,
          path: 'README.md',
        }),
        /^No match/u,
      );
      const text = await workspace.text('search_text', {
        pattern: String.raw`\Wgamma`,
        path: 'README.md',
      });
      assert.match(text, /3:Alpha beta/u);
    });

    it('gives lines around, each once, with gaps marked', async () => {
      assert.equal(
        await workspace.text('search_text', { pattern: 'alpha', path: 'src/alpha.ts', context: 1 }),
        '2 matches in 1 files\nsrc/alpha.ts\n1:export function alpha() {\n2-  return 1;\n--\n7-\n8:const x = alpha;',
      );
    });

    it('says when there are more, and when there are none', async () => {
      assert.match(
        await workspace.text('search_text', { pattern: 'alpha', limit: 2 }),
        /\[only the first 2 matches: narrow the pattern, or name a folder\]$/u,
      );
      assert.equal(
        await workspace.text('search_text', { pattern: 'absent', include: ['*.md'] }),
        'No match for "absent" in *.md.\n[not searched: 1 ignored folder, for example out; to search what is ignored, name its path]',
      );
    });

    it('takes one glob for a list of them', async () => {
      assert.match(
        await workspace.text('search_text', { pattern: 'alpha', include: '*.md' }),
        /README\.md/u,
      );
    });

    it('says what is wrong with a pattern', async () => {
      assert.match(
        await workspace.failure('search_text', { pattern: 'alpha(' }),
        /not a regular expression.*"regex": false/su,
      );
      assert.match(
        await workspace.text('search_text', { pattern: 'alpha(', regex: false }),
        /export function alpha\(/u,
      );
    });

    it('gives the files with how many lines match, when asked', async () => {
      assert.equal(
        await workspace.text('search_text', { pattern: 'alpha', counts: true }),
        '5 lines match in 3 files\nREADME.md: 1\nsrc/alpha.ts: 2\nsrc/main.ts: 2',
      );
      assert.match(
        await workspace.text('search_text', { pattern: 'alpha', counts: true, limit: 1 }),
        /^1 lines match in 1 files\nREADME.md: 1\n\[only the first 1 files/u,
      );
    });

    it('understands what other products call things', async () => {
      assert.equal(
        await workspace.text('search_text', {
          query: 'ALPHA',
          '-i': true,
          '-n': true,
          type: 'md',
          output_mode: 'files_with_matches',
          head_limit: 5,
        }),
        '1 lines match in 1 files\nREADME.md: 1',
      );
      assert.match(
        await workspace.text('search_text', { pattern: 'Alpha', type: 'ts' }),
        /^No match for "Alpha" in \*\.\{ts,tsx,mts,cts\}\.$/mu,
      );
    });

    it('A9: links to the lines', async () => {
      const { result } = await workspace.call('search_text', { pattern: 'return 1' });
      assert.deepEqual(result.files, [{ path: workspace.at('src/alpha.ts'), line: 2 }]);
      assert.deepEqual(result.display, {
        kind: 'matches',
        pattern: 'return 1',
        matches: 1,
        files: 1,
        complete: true,
      });
    });
  });

  describe('several workspace folders', () => {
    let other: WorkspaceRig;
    let names: readonly [string, string];

    before(async () => {
      other = await WorkspaceRig.open({ 'src/beta.ts': 'const alpha = 2;\n' });
      workspace.rig.roots = [workspace.folder, other.folder];
      names = [path.basename(workspace.folder), path.basename(other.folder)];
    });

    after(async () => {
      workspace.rig.roots = [workspace.folder];
      await other.close();
    });

    it('are all looked into when none is named', async () => {
      const [first, second] = names;
      assert.equal(
        await workspace.text('find_files', { pattern: 'src/*.ts' }),
        [`${first}/src/alpha.ts`, `${first}/src/main.ts`, `${second}/src/beta.ts`].join('\n'),
      );
      const found = await workspace.text('search_text', { pattern: 'const .* = ' });
      assert.match(found, /^2 matches in 2 files/u);
      assert.ok(found.includes(`${second}/src/beta.ts\n1:const alpha = 2;`));
      const tree = await workspace.text('list_files', { depth: 1 });
      assert.ok(tree.includes(`${first} (5 files)`) && tree.includes(`${second} (1 files)`), tree);
    });

    it('share one limit', async () => {
      assert.match(
        await workspace.text('find_files', { pattern: '*.ts', limit: 3 }),
        /\[only the first 3/u,
      );
      assert.match(
        await workspace.text('search_text', { pattern: 'alpha', limit: 5 }),
        /\[only the first 5/u,
      );
    });

    it('are named one by one', async () => {
      assert.equal(
        await workspace.text('find_files', { pattern: '*.ts', path: names[1] }),
        `${names[1]}/src/beta.ts`,
      );
    });
  });

  it('names what it finds in a workspace behind a link as the person knows it', async () => {
    const link = `${workspace.folder}-link`;
    await symlink(workspace.folder, link);
    workspace.rig.roots = [link];
    try {
      assert.equal(await workspace.text('find_files', { pattern: 'leaf' }), 'src/deep/er/leaf.ts');
      const { result } = await workspace.call('search_text', { pattern: 'return 1' });
      assert.deepEqual(result.files, [{ path: `${link}/src/alpha.ts`, line: 2 }]);
      assert.match(
        await workspace.text('list_files', { path: 'src', depth: 1 }),
        /^src \(3 files\)/u,
      );
    } finally {
      workspace.rig.roots = [workspace.folder];
      await unlink(link);
    }
  });
});
