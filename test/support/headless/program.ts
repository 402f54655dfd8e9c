import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { buildHosts, hostEntries } from '../../../esbuild.mjs';

const built = new Map<string, Promise<string>>();

/**
 * The headless host, bundled from the present sources as it is shipped; built once a process, into a
 * folder that goes with the process. `entry`: another program of the tests around the same host.
 */
export async function headlessProgram(entry: string = hostEntries.headless): Promise<string> {
  let program = built.get(entry);
  if (program === undefined) {
    program = build(entry);
    built.set(entry, program);
  }
  return program;
}

async function build(entry: string): Promise<string> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'belay-program-'));
  chmodSync(folder, 0o755); // some tests run it as another user
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  await buildHosts(folder, { host: entry, 'store-worker': hostEntries['store-worker'] });
  return path.join(folder, 'host.cjs');
}
