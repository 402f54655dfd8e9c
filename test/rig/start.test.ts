import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { commandLine, ProcessTree } from './processes.ts';

describe('npm start', function () {
  this.timeout(120_000);
  if (process.platform === 'win32') return;

  let started: ProcessTree | undefined;
  afterEach(() => started?.stop());

  async function start(): Promise<{ tree: ProcessTree; output: () => string }> {
    let output = '';
    const tree = new ProcessTree('npm', ['start', '--', '--no-open', '--browser'], {
      env: { ...process.env, ANTHROPIC_API_KEY: undefined },
    });
    started = tree;
    for (const stream of [tree.child.stdout, tree.child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => (output += text));
    }
    while (!output.includes('Ctrl-C ends it.')) {
      assert.equal(tree.child.exitCode, null, `npm start ended early:\n${output}`);
      await delay(100);
    }
    return { tree, output: () => output };
  }

  /** Nothing is left, at three looks in a row: a process has no environment to be found by while it starts a program. */
  async function allGone(tree: ProcessTree): Promise<void> {
    let left: number[] = [];
    for (let looks = 0, empty = 0; looks < 150 && empty < 3; looks += 1) {
      left = tree.living();
      empty = left.length === 0 ? empty + 1 : 0;
      await delay(100);
    }
    assert.deepEqual(
      left.map((pid) => commandLine(pid)),
      [],
    );
  }

  it('serves VS Code with Belay, says which model answers, and leaves nothing after Ctrl-C', async () => {
    const { tree, output } = await start();
    assert.match(output(), /demo model/);
    const [address] = /http:\/\/127\.0\.0\.1:\d+\/\?tkn=\w+/.exec(output()) ?? assert.fail();
    const unknown = await fetch(address.replace(/tkn=.*/, 'tkn=0'));
    assert.equal(unknown.status, 403, 'a stranger must not get in');
    const known = await fetch(address, { redirect: 'manual' });
    assert.equal(known.status, 302);
    const workspace = /Workspace: (\S+)/.exec(output())?.[1] ?? assert.fail();
    assert.ok(existsSync(workspace));
    process.kill(-(tree.child.pid ?? assert.fail()), 'SIGINT'); // what a terminal does
    await once(tree.child, 'exit');
    await allGone(tree);
    assert.ok(!existsSync(workspace), 'the copy of the sample must go');
  });

  it('ends when npm alone is asked to end', async () => {
    const { tree } = await start();
    tree.child.kill('SIGTERM');
    await allGone(tree);
  });
});
