import assert from 'node:assert/strict';
import { readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { capture } from './processes.ts';
import { copySampleWorkspace, installNode } from './sample-workspace.ts';

describe('the sample workspace', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await copySampleWorkspace();
    await installNode(folder);
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  /** As it is on a machine whose own Node is an old one, or none. */
  const npmTest = async () =>
    capture('npm', ['test'], { cwd: folder, env: { ...process.env, FORCE_COLOR: '0' } });

  it('runs all of its tests; one of them fails', async () => {
    const { code, output } = await npmTest();
    assert.match(output, /tests 7\b/u);
    assert.match(output, /pass 6\b/u);
    assert.notEqual(code, 0);
  }).timeout(30_000);

  it('fails where there is no test', async () => {
    const tests = path.join(folder, 'test');
    for (const name of await readdir(tests))
      if (name.endsWith('.test.ts')) await rm(path.join(tests, name));
    assert.notEqual((await npmTest()).code, 0);
  }).timeout(30_000);
});
