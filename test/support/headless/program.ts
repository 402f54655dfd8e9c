import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { buildHosts, hostEntries } from '../../../esbuild.mjs';

/** The headless host as it is shipped, and programs of the tests around it. */
const PROGRAMS = {
  host: hostEntries.headless,
  doomed: 'test/chaos/doom/doomed-host.ts',
} as const;

let folder: Promise<string> | undefined;

/**
 * A program bundled from the present sources; built once a process, all from the same sources, into a
 * folder that goes with the process.
 */
export async function headlessProgram(name: keyof typeof PROGRAMS = 'host'): Promise<string> {
  folder ??= build();
  return path.join(await folder, `${name}.cjs`);
}

async function build(): Promise<string> {
  const made = mkdtempSync(path.join(os.tmpdir(), 'belay-program-'));
  chmodSync(made, 0o755); // some tests run it as another user
  process.once('exit', () => rmSync(made, { recursive: true, force: true }));
  const { 'store-worker': store, 'line-worker': lines, 'snapshot-worker': snapshots } = hostEntries;
  await buildHosts(made, {
    ...PROGRAMS,
    'store-worker': store,
    'line-worker': lines,
    'snapshot-worker': snapshots,
  });
  return made;
}
