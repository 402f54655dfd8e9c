// restore-and-die.ts FOLDER SESSION WHAT DIE STORE SNAPSHOTS: goes back to before the second request of a session and kills itself
// at its nth message to the threads that write (before it, or while the thread works on it); prints how many there are.
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { NodeWorkspaceSnapshots } from '../../src/hosts/node/workspace-snapshots/node-workspace-snapshots.ts';
import type { RestoreWhat } from '../../src/core/restore/restore-values.ts';
import { TestEngine } from '../support/engine/test-engine.ts';
import { say } from '../support/model-server/turn.ts';

const [folder = '', sessionId = '', what = '', die = '0', store = '', worker = ''] =
  process.argv.slice(2);
/** Every second one dies before the message, the others so many milliseconds after it. */
const [killAt, later] = [
  Math.ceil(Number(die) / 2),
  Number(die) % 2 === 0 ? 1 + (Number(die) % 4) : 0,
];

const snapshots = new NodeWorkspaceSnapshots({
  folder: path.join(folder, 'snapshots'),
  name: `child-${process.pid}`,
  worker,
  without: [],
  environment: {},
});
const { engine } = await TestEngine.open({
  script: () => say('not asked'),
  after: { folder },
  host: { snapshots, storeWorker: pathToFileURL(store) },
});
const target = (await engine.restore.targets(sessionId))[0];
if (target === undefined) throw new Error('There is nothing to go back to.');
const previews = what === 'conversation' ? [] : await engine.restore.preview(target.records);

let messages = 0;
const post = Reflect.get(Worker.prototype, 'postMessage') as (...args: unknown[]) => void;
Worker.prototype.postMessage = function (this: Worker, ...args: unknown[]): void {
  messages += 1;
  const isLast = messages === killAt;
  if (isLast && later === 0) process.kill(process.pid, 'SIGKILL');
  post.apply(this, args);
  if (!isLast) return;
  const until = performance.now() + later;
  while (performance.now() < until);
  process.kill(process.pid, 'SIGKILL');
};
await engine.restore.restore({ target, what: what as RestoreWhat, previews });
process.stdout.write(`${messages}\n`, () => process.exit(0));
