import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { setImmediate } from 'node:timers/promises';
import { ReadState } from '../../../src/tools/editing/read-state.ts';
import { MapValues } from '../../support/map-values.ts';
import { WorkspaceRig } from '../../contract/tool/workspace-rig.ts';
import { textOf } from '../tool-call/rig.ts';

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

describe('read_file', function () {
  this.timeout(60_000);

  let workspace: WorkspaceRig;

  beforeEach(async () => {
    workspace = await WorkspaceRig.open();
  });

  afterEach(async () => {
    await workspace.close();
  });

  const read = (
    ...files: readonly {
      readonly path: string;
      readonly start_line?: number;
      readonly end_line?: number;
    }[]
  ): Promise<string> => workspace.text('read_file', { files });

  it('gives a whole file as it is and a part with line numbers, and says how many lines there are', async () => {
    await workspace.write('a.ts', 'one\ntwo\nthree\n');
    assert.equal(await read({ path: 'a.ts' }), 'a.ts (3 lines)\none\ntwo\nthree\n');
    assert.equal(
      await read({ path: 'a.ts', start_line: 2, end_line: 2 }),
      'a.ts (lines 2-2 of 3)\n2\ttwo\n[a.ts goes on: ask for start_line 3.]\n',
    );
    assert.equal(await read({ path: 'a.ts', start_line: 3 }), 'a.ts (lines 3-3 of 3)\n3\tthree\n');
  });

  it('tells how long a cut line is, also of one that is not read to its end', async () => {
    await workspace.write('long.txt', `${'x'.repeat(5000)}\n`);
    assert.match(await read({ path: 'long.txt' }), /x… \[the line has 5000 characters\]\n/u);
    await workspace.write('longer.txt', `${'x'.repeat(5_000_000)}\ny\n`);
    const text = await read({ path: 'longer.txt', start_line: 1, end_line: 1 });
    assert.match(text, /x… \[the line has more than 1048576 characters\]\n/u);
  });

  it('a link to what is not there is not offered in place of itself', async () => {
    await symlink('nowhere', workspace.at('dangling'));
    const { result } = await workspace.call('read_file', { files: [{ path: 'dangling' }] });
    const told = result.content.map((one) => (one.type === 'text' ? one.text : '')).join('');
    assert.equal(told, 'dangling is a link, and what it leads to does not exist.');
  });

  it('gives several files and ranges in one call, in order', async () => {
    await workspace.write('a.ts', 'a1\na2\n');
    await workspace.write('b.ts', 'b1\nb2\n');
    const text = await read(
      { path: 'b.ts' },
      { path: 'a.ts', start_line: 2 },
      { path: 'b.ts', start_line: 1, end_line: 1 },
    );
    assert.deepEqual(text.match(/[ab]\d$/gmu), ['b1', 'b2', 'a2', 'b1']);
  });

  it('one of several that cannot be read does not keep the others back', async () => {
    await workspace.write('a.ts', 'a1\n');
    const outcome = await workspace.call('read_file', {
      files: [{ path: 'missing.ts' }, { path: 'a.ts' }],
    });
    assert.equal(outcome.result.state, 'done');
    assert.match(textOf(outcome), /^missing\.ts does not exist\..*a\.ts \(1 lines\)/su);
    assert.deepEqual(outcome.result.display, {
      kind: 'read',
      files: [
        {
          path: 'missing.ts',
          problem: {
            text: '{0} does not exist. {1}',
            values: ['missing.ts', { text: 'find_files looks for it by name.', values: [] }],
          },
        },
        { path: 'a.ts', from: 1, to: 1, lines: 1 },
      ],
    });
  });

  it('fails when none of several can be read', async () => {
    assert.match(
      await workspace.failure('read_file', { files: [{ path: 'x' }, { path: 'y' }] }),
      /x does not exist.*y does not exist/su,
    );
  });

  it('names files that may have been meant', async () => {
    await workspace.write('src/UserService.ts', '');
    await workspace.write('src/user-view.ts', '');
    assert.match(
      await workspace.failure('read_file', { path: 'src/userservice.ts' }),
      /Did you mean src\/UserService\.ts\?/u,
    );
    assert.match(
      await workspace.failure('read_file', { path: 'src/user-view.js' }),
      /Did you mean src\/user-view\.ts\?/u,
    );
  });

  it('understands how other products call the arguments', async () => {
    await workspace.write('a.ts', 'a1\n');
    for (const input of [
      { path: 'a.ts' },
      { file_path: 'a.ts' },
      { filePath: 'a.ts' },
      { files: { path: 'a.ts' } },
      { files: '[{"path":"a.ts"}]' },
      { path: 'a.ts', start_line: '1', end_line: null },
    ]) {
      assert.match(await workspace.text('read_file', input), /a1/u);
    }
  });

  it('says of an empty file and of lines behind the end what they are', async () => {
    await workspace.write('empty', '');
    await workspace.write('short', 'x\n');
    assert.equal(await read({ path: 'empty' }), 'empty is empty.');
    assert.equal(
      await read({ path: 'short', start_line: 5 }),
      'short has 1 lines; there is no line 5.',
    );
    assert.match(
      await workspace.failure('read_file', { path: 'short', start_line: 5, end_line: 2 }),
      /end_line is before start_line/u,
    );
  });

  it('gives 2,000 lines of a longer file, and says where to go on', async () => {
    await workspace.write(
      'long',
      Array.from({ length: 2500 }, (_, index) => `l${index + 1}`).join('\n'),
    );
    const outcome = await workspace.call('read_file', { path: 'long' });
    const [file] = (
      outcome.result.display as unknown as {
        files: readonly { from: number; to: number; lines: number }[];
      }
    ).files;
    assert.deepEqual([file?.from, file?.to, file?.lines], [1, 2000, 2500]);
    assert.match(textOf(outcome), /ask for start_line 2001/u);
  });

  it('reads a range of a file of 50 MB without having it in memory', async () => {
    const line = `${'x'.repeat(99)}\n`;
    await workspace.write('big.log', line.repeat(500_000) + 'the last line');
    workspace.files.read = async () => assert.fail('It was read whole.');
    const text = await read({ path: 'big.log', start_line: 500_001 });
    assert.equal(text, 'big.log (lines 500001-500001 of 500001)\n500001\tthe last line\n');
    const start = await workspace.call('read_file', {
      path: 'big.log',
      start_line: 1,
      end_line: 2,
    });
    assert.match(textOf(start), /^big\.log \(lines 1-2 of 500001\)\n1\txxx/u);
    assert.match(
      await read({ path: 'big.log', start_line: 600_000 }),
      /has 500001 lines; there is no line 600000/u,
    );
  });

  it('finds the same lines in a large file as in a small one', async () => {
    // Lines around the chunk of 1 MB, with characters of several bytes.
    const lines = Array.from(
      { length: 120_000 },
      (_, index) => `${index}: grün 😀 ${'é'.repeat(index % 40)}`,
    );
    await workspace.write('large.txt', lines.join('\r\n'));
    const text = await read({ path: 'large.txt', start_line: 90_000, end_line: 90_005 });
    assert.equal(text.split('\n')[1], `90000\t${lines[89_999]}`);
    assert.equal(text.split('\n')[6], `90005\t${lines[90_004]}`);
    for (let start = 1; start < 120_000; start += 7919) {
      assert.equal(
        (await read({ path: 'large.txt', start_line: start, end_line: start })).split('\n')[1],
        `${start}\t${lines[start - 1]}`,
      );
    }
  });

  it('counts the lines of a large file whose last line has an end', async () => {
    await workspace.write('large.txt', 'a line of text\n'.repeat(400_000));
    assert.match(
      await read({ path: 'large.txt', start_line: 400_000 }),
      /\(lines 400000-400000 of 400000\)/u,
    );
  });

  it('shortens long lines and says so', async () => {
    await workspace.write('min.js', `${'x'.repeat(5000)}\n`);
    const outcome = await workspace.call('read_file', { path: 'min.js' });
    assert.match(textOf(outcome), /\[the line has 5000 characters\]/u);
  });

  it('reads UTF-8 with BOM, UTF-16 and Latin-1', async () => {
    await workspace.write('bom.txt', '\ufeffgrün\n');
    await workspace.write('le.txt', Buffer.from('\ufeffgrün\n', 'utf16le'));
    await workspace.write('be.txt', Buffer.from('\ufeffgrün\n', 'utf16le').swap16());
    await workspace.write('latin.txt', Buffer.from('grün\n', 'latin1'));
    for (const path of ['bom.txt', 'le.txt', 'be.txt', 'latin.txt']) {
      const guess = path === 'latin.txt' ? 'read as windows-1252 (guessed), ' : '';
      assert.equal(await read({ path }), `${path} (${guess}1 lines)\ngrün\n`);
    }
  });

  it('shows images', async () => {
    await workspace.write('dot.png', PNG);
    const outcome = await workspace.call('read_file', { path: 'dot.png' });
    assert.deepEqual(outcome.result.content, [
      { type: 'text', text: `dot.png (image/png, ${PNG.length} bytes)` },
      { type: 'binary', mediaType: 'image/png', data: PNG.toString('base64'), name: 'dot.png' },
    ]);
  });

  it('shows as many images as a request can hold, and refuses larger ones', async () => {
    const large = Buffer.concat([PNG, Buffer.alloc(3_500_000)]);
    for (const name of ['1', '2', '3', '4']) await workspace.write(`${name}.png`, large);
    await workspace.write('huge.png', Buffer.concat([PNG, Buffer.alloc(10_000_000)]));
    const { result } = await workspace.call('read_file', {
      files: ['1', '2', '3', '4'].map((name) => ({ path: `${name}.png` })),
    });
    assert.equal(result.content.filter(({ type }) => type === 'binary').length, 3);
    assert.match(textOf({ result }), /4\.png is one image too many for one call/u);
    assert.match(
      await workspace.failure('read_file', { path: 'huge.png' }),
      /too large to be shown \(at most 10000000\)/u,
    );
  });

  it('does not show binary files, folders and pipes as text', async () => {
    await workspace.write('program', Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0, 0, 1]));
    await mkdir(workspace.at('folder'));
    execFileSync('mkfifo', [workspace.at('pipe')]);
    assert.match(
      await workspace.failure('read_file', { path: 'program' }),
      /is a binary file of 7 bytes.*A command can inspect it/u,
    );
    assert.match(
      await workspace.failure('read_file', { path: 'folder' }),
      /is a folder: use list_files\./u,
    );
    assert.match(await workspace.failure('read_file', { path: 'pipe' }), /not a regular file/u);
  });

  it('reads names with blanks, quotes, line feeds and emoji, and through links', async () => {
    for (const name of ['a b.txt', `it's "x".txt`, 'line\nfeed.txt', '😀.txt', '-n']) {
      await workspace.write(name, 'found\n');
      assert.match(await read({ path: name }), /\nfound/u);
    }
    await symlink(workspace.at('a b.txt'), workspace.at('link'));
    await symlink('loop', workspace.at('loop'));
    assert.match(await read({ path: 'link' }), /\nfound/u);
    assert.match(await workspace.failure('read_file', { path: 'loop' }), /leads back to itself/u);
  });

  it('security 7: what is invisible in a file is shown', async () => {
    await workspace.write('odd.ts', 'if (a\u202e) {\u200b}\n');
    assert.match(await read({ path: 'odd.ts' }), /if \(a<U\+202E>\) \{<U\+200B>\}/u);
  });

  it('A9: names the files it read, for links', async () => {
    await workspace.write('a.ts', 'a1\na2\n');
    const { result } = await workspace.call('read_file', {
      files: [{ path: 'a.ts' }, { path: 'a.ts', start_line: 2 }],
    });
    assert.deepEqual(result.files, [
      { path: workspace.at('a.ts') },
      { path: workspace.at('a.ts'), line: 2 },
    ]);
  });

  it('security 4: asks before it reads outside the workspace', async () => {
    workspace.mode = 'edit';
    workspace.rig.answers.push({ allowed: false });
    const outcome = await workspace.call('read_file', { path: '../elsewhere.txt' });
    assert.equal(outcome.result.state, 'denied');
    assert.match(workspace.rig.questions[0]?.reason ?? '', /^Reads outside the workspace: /u);
  });

  it('finds a file in each of several workspace folders by the name of the folder', async () => {
    const other = await WorkspaceRig.open({ 'b.ts': 'b1\n' });
    try {
      workspace.rig.roots = [workspace.folder, other.folder];
      const name = other.folder.split('/').at(-1) ?? '';
      assert.match(
        await read({ path: `${name}/b.ts` }),
        new RegExp(`^${name}/b\\.ts \\(1 lines\\)`, 'u'),
      );
    } finally {
      await other.close();
    }
  });

  it('reads 50 files in one call, and 200 calls at once', async () => {
    await Promise.all(
      Array.from({ length: 50 }, (_, index) => writeFile(workspace.at(`f${index}`), `${index}\n`)),
    );
    const files = Array.from({ length: 50 }, (_, index) => ({ path: `f${index}` }));
    const outcomes = await Promise.all(
      Array.from({ length: 200 }, (_, index) =>
        workspace.call('read_file', { files: [files[index % 50]!] }),
      ),
    );
    assert.ok(
      outcomes.every(
        ({ result }, index) =>
          result.state === 'done' && textOf({ result }).includes(`\n${index % 50}`),
      ),
    );
    const { result } = await workspace.call('read_file', { files });
    assert.equal((result.display as unknown as { files: readonly unknown[] }).files.length, 50);
  });

  it('files that a session read longest ago have to be read again when they are very many', async () => {
    const values = new MapValues();
    let at = 0;
    const state = new ReadState(values, { now: () => (at += 1) });
    const moment = { stat: { size: 1, modifiedAt: 1 } };
    for (let number = 1; number <= 2100; number += 1) state.note('s', `/${number}`, moment);
    await setImmediate();
    assert.equal((await values.list('read/', 's')).length, 2000);
    assert.equal(await state.of('s', '/100', moment), 'unread');
    assert.equal(await state.of('s', '/101', moment), 'current');
  });
});
