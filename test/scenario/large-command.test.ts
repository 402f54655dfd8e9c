import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { NodeWorkspaceSnapshots } from '../../src/hosts/node/workspace-snapshots/node-workspace-snapshots.ts';
import { TestEngine } from '../support/engine/test-engine.ts';
import { call, calls, inOrder, say } from '../support/model-server/turn.ts';
import { workerFile } from '../support/worker-file.ts';

const worker = workerFile('hosts/node/workspace-snapshots/worker.ts');

/** As many make a record that no single value of the store holds. */
const FILES = Number(process.env['BELAY_LARGE_COMMAND_FILES'] ?? 5000);

const MAKE = `node -e "
  const fs = require('fs');
  for (let i = 0; i < ${FILES}; i += 1) {
    const folder = 'packages/a-package-with-a-name/generated/folder-' + (i % 50);
    fs.mkdirSync(folder, { recursive: true });
    fs.writeFileSync(folder + '/a-file-with-a-rather-long-name-' + i + '.txt', 'content ' + i);
  }
  fs.writeFileSync('kept.txt', 'changed');"`;

describe('a command that changes thousands of files', function () {
  this.timeout(600_000);

  let test: TestEngine;
  let snapshots: NodeWorkspaceSnapshots;
  let storage: string;

  const open = async (values?: { readonly fails: boolean }): Promise<string> => {
    storage = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'belay-large-')));
    snapshots = new NodeWorkspaceSnapshots({
      folder: path.join(storage, 'snapshots'),
      name: 'test',
      worker,
      without: [],
      environment: {},
    });
    test = await TestEngine.open({
      files: { 'kept.txt': 'as it was' },
      settings: { 'permissions.mode': 'auto' },
      host: { snapshots, reviewed: true },
      script: inOrder(calls(call('run_command', { command: MAKE })), say('Done.')),
    });
    if (values?.fails === true) {
      const { changes } = test.engine;
      assert.ok(changes !== undefined);
      const record = changes.record.bind(changes);
      changes.record = (sessionId, one) =>
        one.folders.length > 0
          ? Promise.reject(new Error('The disk is full.'))
          : record(sessionId, one);
    }
    const { sessionId } = await test.run('Go');
    return sessionId;
  };
  const noted = async (): Promise<number> => {
    const total = (): number => test.engine.reviews?.records.unlisted.all[0]?.total ?? 0;
    while (total() === 0) await new Promise((resolve) => setTimeout(resolve, 20));
    return total();
  };
  const left = (): number => {
    const entries = readdirSync(test.workspace, { recursive: true, withFileTypes: true });
    return entries.filter((entry) => entry.isFile()).length;
  };
  afterEach(async () => {
    await test[Symbol.asyncDispose]();
    snapshots.dispose();
    rmSync(storage, { recursive: true, force: true });
  });

  it(`of ${FILES} each is on record, is pending or named as not listed, and goes back`, async () => {
    const sessionId = await open();
    const { changes } = test.engine;
    assert.ok(changes !== undefined);
    const records = await changes.list(sessionId);
    assert.equal(records.length, 1, 'one call, one record');
    const changed = records.flatMap(({ folders }) => folders.flatMap((folder) => folder.changes));
    assert.equal(changed.length, FILES + 1);
    const notListed = await noted();
    assert.equal((test.engine.reviews?.pending.length ?? 0) + notListed, FILES + 1);
    assert.equal((await test.engine.checkpoints?.storage.facts())?.calls, 1);
    const delay = monitorEventLoopDelay({ resolution: 5 });
    const began = performance.now();
    delay.enable();
    const previews = await changes.preview(records);
    const previewed = performance.now();
    const back = await changes.restore(sessionId, previews);
    delay.disable();
    if (process.env['BELAY_LARGE_COMMAND_FILES'] !== undefined)
      process.stdout.write(
        `      ${FILES} files: preview ${Math.round(previewed - began)} ms, restore ${Math.round(performance.now() - previewed)} ms, longest block ${Math.round(delay.max / 1e6)} ms\n`,
      );
    assert.equal(previews.length, FILES + 1);
    assert.equal(left(), 1);
    assert.equal(readFileSync(path.join(test.workspace, 'kept.txt'), 'utf8'), 'as it was');
    // The restore is on record as a whole, too.
    assert.equal((await changes.preview([back])).length, FILES + 1);
    assert.equal((await changes.list(sessionId)).length, 2);
  });

  it('is reviewed although its record cannot be written, and it is on record that there is none', async () => {
    const sessionId = await open({ fails: true });
    const notListed = await noted();
    assert.equal((test.engine.reviews?.pending.length ?? 0) + notListed, FILES + 1);
    const [record] = (await test.engine.changes?.list(sessionId)) ?? [];
    assert.deepEqual(record?.unkept, [realpathSync(test.workspace)]);
    assert.equal(record.uncertain, true);
  });
});
