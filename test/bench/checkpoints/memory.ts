// memory.ts WORKER STORAGE FOLDER: takes ten checkpoints of the folder and prints what that cost in memory, MB.
import { NodeWorkspaceSnapshots } from '../../../src/hosts/node/workspace-snapshots/node-workspace-snapshots.ts';

const [worker = '', folder = '', root = ''] = process.argv.slice(2);
/** MB. */
const now = (): number => process.memoryUsage.rss() / 1e6;
const before = now();
let peak = before;
// The work is done by another thread, so that this one is free to look.
const timer = setInterval(() => (peak = Math.max(peak, now())), 5);
const environment = {};
const snapshots = new NodeWorkspaceSnapshots({
  folder,
  name: 'memory',
  worker,
  without: [],
  environment,
});
for (let round = 0; round < 10; round += 1) await snapshots.take([root]);
clearInterval(timer);
const held = now();
snapshots.dispose();
console.log(JSON.stringify({ peak: peak - before, held: held - before }));
