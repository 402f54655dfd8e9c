// A process that restores, or recovers, and kills itself before its nth change of anything on disk.
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import path from 'node:path';
import { ObjectStore } from '../../../../src/hosts/node/workspace-snapshots/object-store.ts';
import { Owners } from '../../../../src/hosts/node/workspace-snapshots/owners.ts';
import { Restores } from '../../../../src/hosts/node/workspace-snapshots/restore.ts';
import { stepsBetween } from './states.ts';

const [work = '', storage = '', folder = '', name = '', killAt = '0'] = process.argv.slice(2);

/** Every way in which the code under test changes something on disk. */
const CHANGES = [
  'writeSync',
  'writeFileSync',
  'renameSync',
  'unlinkSync',
  'rmSync',
  'rmdirSync',
  'mkdirSync',
  'symlinkSync',
  'fsyncSync',
  'fchmodSync',
  'ftruncateSync',
] as const;

let changes = 0;
const die = (): never => {
  process.kill(process.pid, 'SIGKILL');
  for (;;);
};
const owners = new Owners(storage, name);
await owners.announce();
for (const method of CHANGES) {
  const real = fs[method] as (...args: unknown[]) => unknown;
  const counted = (...args: unknown[]): unknown => {
    changes += 1;
    if (changes !== Number(killAt)) return real(...args);
    // Half of what was to be written may be there.
    const [descriptor, bytes] = args;
    if (method === 'writeSync' && bytes instanceof Uint8Array)
      real(descriptor, bytes, 0, Math.floor(bytes.length / 2));
    if (method === 'writeFileSync' && typeof bytes === 'string')
      real(descriptor, bytes.slice(0, bytes.length / 2));
    return die();
  };
  Object.assign(fs, { [method]: counted });
}
syncBuiltinESMExports();

const restores = new Restores(new ObjectStore(storage, name), storage, owners);
if (work === 'restore') {
  const folders = ['one', 'two'].map((one) => ({
    root: path.join(folder, one),
    steps: stepsBetween(path.join(folder, one), path.join(folder, 'before', one)),
  }));
  restores.restore(folders, { sessionId: 's' });
  restores.recorded({ sessionId: 's' });
} else {
  for (const { about } of await restores.recover()) restores.recorded(about);
}
process.stdout.write(String(changes));
