import assert from 'node:assert/strict';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { ProcessTree } from './processes.ts';

describe('a process tree', () => {
  it('ends with its descendants, also those that lead their own session or ignore the request', async function () {
    if (process.platform === 'win32') this.skip();
    const script = `
      const { spawn } = require('node:child_process');
      spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { detached: true, stdio: 'ignore' });
      spawn(process.execPath, ['-e', 'process.on("SIGTERM", () => {}); setInterval(() => {}, 1000)'], { stdio: 'ignore' });
      setTimeout(() => console.log('ready'), 300);
      setInterval(() => {}, 1000);`;
    const tree = new ProcessTree(process.execPath, ['-e', script]);
    assert.ok(tree.child.stdout);
    await once(tree.child.stdout, 'data');
    assert.equal(tree.living().length, 3);
    await tree.stop(500);
    assert.deepEqual(tree.living(), []);
  });

  it('finds what a dead parent left behind', async function () {
    if (process.platform !== 'linux') this.skip();
    const script = `
      const { spawn } = require('node:child_process');
      spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { detached: true, stdio: 'ignore' }).unref();`;
    const tree = new ProcessTree(process.execPath, ['-e', script]);
    await once(tree.child, 'exit');
    await delay(100);
    assert.equal(tree.living().length, 1);
    await tree.stop();
    assert.deepEqual(tree.living(), []);
  });
});
