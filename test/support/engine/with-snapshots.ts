import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { NodeWorkspaceSnapshots } from '../../../src/hosts/node/workspace-snapshots/node-workspace-snapshots.ts';
import { TestEngine } from './test-engine.ts';
import type { TestEngineOptions } from './test-engine.ts';
import { workerFile } from '../worker-file.ts';

const worker = workerFile('hosts/node/workspace-snapshots/worker.ts');

/** An engine that keeps what the agent changes in the workspace. */
export async function withSnapshots(
  options: TestEngineOptions,
): Promise<AsyncDisposable & { readonly test: TestEngine }> {
  const storage = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'belay-restore-')));
  const snapshots = new NodeWorkspaceSnapshots({
    folder: path.join(storage, 'snapshots'),
    name: 'test',
    worker,
    without: [],
    environment: {},
  });
  const test = await TestEngine.open({ ...options, host: { snapshots, ...options.host } });
  return {
    test,
    [Symbol.asyncDispose]: async () => {
      await test[Symbol.asyncDispose]();
      snapshots.dispose();
      rmSync(storage, { recursive: true, force: true });
    },
  };
}
