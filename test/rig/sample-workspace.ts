import { cp, mkdir, mkdtemp, symlink } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { root } from './processes.ts';

/** A fresh copy of the sample workspace in a temporary folder, which the caller removes. */
export async function copySampleWorkspace(): Promise<string> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'belay-workspace-'));
  await cp(path.join(root, 'test/fixtures/sample-workspace'), folder, { recursive: true });
  return folder;
}

/**
 * Installs the sample's one dependency, as `npm install` would: the Node that reads TypeScript, which is here
 * already. So its scripts run on it whatever Node the machine has.
 */
export async function installNode(sample: string): Promise<void> {
  const bin = path.join(sample, 'node_modules/.bin');
  await mkdir(bin, { recursive: true });
  await symlink(path.join(root, 'node_modules/node/bin/node'), path.join(bin, 'node'));
}
