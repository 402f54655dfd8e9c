import { cp, mkdtemp } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { root } from './processes.ts';

/** A fresh copy of the sample workspace in a temporary folder, which the caller removes. */
export async function copySampleWorkspace(): Promise<string> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'belay-workspace-'));
  await cp(path.join(root, 'test/fixtures/sample-workspace'), folder, { recursive: true });
  return folder;
}
