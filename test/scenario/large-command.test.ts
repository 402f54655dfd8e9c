import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { CommandGroup } from '../../src/core/review/commands/stored-groups.ts';
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

  const open = async (): Promise<string> => {
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
    const { sessionId } = await test.run('Go');
    return sessionId;
  };
  const listed = async (): Promise<CommandGroup> => {
    const { stored } = test.engine.groups ?? assert.fail();
    for (;;) {
      const [group] = stored.all;
      if (group !== undefined) return group;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
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

  it(`of ${FILES} each is on record and counted, and goes back when the group is undone`, async () => {
    const sessionId = await open();
    const { changes } = test.engine;
    assert.ok(changes !== undefined);
    const records = await changes.list(sessionId);
    assert.equal(records.length, 1, 'one call, one record');
    const changed = records.flatMap(({ folders }) => folders.flatMap((folder) => folder.changes));
    assert.equal(changed.length, FILES + 1);
    const { id, total } = await listed();
    assert.equal(total, FILES + 1);
    assert.equal((await test.engine.checkpoints?.storage.facts())?.calls, 1);
    const delay = monitorEventLoopDelay({ resolution: 5 });
    const began = performance.now();
    delay.enable();
    const previews = (await test.engine.groups?.preview(id)) ?? [];
    const previewed = performance.now();
    const failed = await test.engine.groups?.undo(id, previews);
    delay.disable();
    if (process.env['BELAY_LARGE_COMMAND_FILES'] !== undefined)
      process.stdout.write(
        `      ${FILES} files: preview ${Math.round(previewed - began)} ms, restore ${Math.round(performance.now() - previewed)} ms, longest block ${Math.round(delay.max / 1e6)} ms\n`,
      );
    assert.equal(previews.length, FILES + 1);
    assert.equal(left(), 1);
    assert.equal(readFileSync(path.join(test.workspace, 'kept.txt'), 'utf8'), 'as it was');
    assert.deepEqual([failed, test.engine.groups?.stored.all], [[], []]);
    assert.equal((await changes.list(sessionId)).length, 2, 'the undo is one record');
  });
});
