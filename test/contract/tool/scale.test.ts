import assert from 'node:assert/strict';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { open, truncate } from 'node:fs/promises';
import { textOf } from '../../unit/tool-call/rig.ts';
import { WorkspaceRig } from './workspace-rig.ts';

/** Where making 100,000 files takes seconds rather than half a minute, on systems that have it. */
const MEMORY = existsSync('/dev/shm') ? '/dev/shm' : undefined;

describe('tools on what is large', function () {
  this.timeout(180_000);

  let workspace: WorkspaceRig;

  beforeEach(async () => {
    workspace = await WorkspaceRig.open();
    workspace.settings.set('advanced.maxToolResultChars', 40_000);
  });

  afterEach(async () => {
    await workspace.close();
  });

  it('200 reads at once all succeed, each with its own content', async () => {
    const names = Array.from({ length: 200 }, (_, index) => `f${index}.txt`);
    for (const [index, name] of names.entries()) await workspace.write(name, `content ${index}\n`);
    const texts = await Promise.all(
      names.map((path) => workspace.text('read_file', { files: [{ path }] })),
    );
    for (const [index, text] of texts.entries())
      assert.equal(text, `f${index}.txt (1 lines)\ncontent ${index}\n`);
  });

  it('a range of a file of 1 GB is read in parts of 1 MB', async () => {
    const handle = await open(workspace.at('big.log'), 'w');
    await handle.write('first\nsecond\n');
    await handle.close();
    // The rest is one line of NUL characters, which takes no room on the disk.
    await truncate(workspace.at('big.log'), 1024 * 1024 * 1024);
    let largest = 0;
    const { files } = workspace;
    const readPart = files.readPart.bind(files);
    files.readPart = async (file, offset, length) => {
      largest = Math.max(largest, length);
      return readPart(file, offset, length);
    };
    files.read = async () => assert.fail('It was read whole.');
    const refused = await workspace.failure('read_file', { files: [{ path: 'big.log' }] });
    assert.match(refused, /binary file of 1073741824 bytes/u);
    const text = await open(workspace.at('text.log'), 'w');
    await text.write('first lines of text\n'.repeat(1000));
    await text.close();
    await truncate(workspace.at('text.log'), 1024 * 1024 * 1024);
    const read = await workspace.text('read_file', {
      files: [{ path: 'text.log', start_line: 2, end_line: 3 }],
    });
    assert.match(
      read,
      /^text\.log \(lines 2-3 of many\)\n2\tfirst lines of text\n3\tfirst lines of text\n\[text\.log goes on: ask for start_line 4\.\]\n$/u,
    );
    assert.ok(largest <= 1024 * 1024, `${largest} bytes at once`);
  });

  it('a tree of 100,000 files is listed, searched by name, and bounded', async () => {
    await workspace.close();
    workspace = await WorkspaceRig.open({}, {}, MEMORY);
    workspace.settings.set('advanced.maxToolResultChars', 40_000);
    // The guard takes all of /dev for devices.
    workspace.rig.decide = async () => ({ verdict: 'allow', judged: new Map() });
    for (let folder = 0; folder < 1000; folder += 1) {
      const at = workspace.at(`d${folder % 40}/e${folder}`);
      mkdirSync(at, { recursive: true });
      for (let file = 0; file < 100; file += 1) writeFileSync(`${at}/f${file}.ts`, '');
    }
    writeFileSync(workspace.at('d7/e7/needle.ts'), '');
    const listed = await workspace.call('list_files', {});
    assert.equal(listed.result.state, 'done', textOf(listed));
    assert.match(textOf(listed), /^The workspace \(100000\+ files\)\nd0\/ \(\d+\)/u);
    assert.ok(textOf(listed).split('\n').length < 500);
    const found = await workspace.text('find_files', { pattern: 'nedle', limit: 5 });
    assert.match(found, /^d7\/e7\/needle\.ts/u);
    const many = await workspace.text('find_files', { pattern: 'f5.ts', limit: 10 });
    assert.match(many, /only the first 10/u);
  });
});
