import assert from 'node:assert/strict';
import { readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { withSnapshots } from '../support/engine/with-snapshots.ts';
import type { TestEngine } from '../support/engine/test-engine.ts';
import { call, calls, inOrder, say, type Turn } from '../support/model-server/turn.ts';

const LINES = 'one\ntwo\nthree\nfour\nfive\n';

describe('changes during several commands', function () {
  this.timeout(60_000);
  const opened: AsyncDisposable[] = [];
  afterEach(async () => {
    for (const one of opened.splice(0)) await one[Symbol.asyncDispose]();
  });

  const open = async (...script: readonly Turn[]): Promise<TestEngine> => {
    const kit = await withSnapshots({
      files: { 'a.txt': LINES, '.gitignore': '.*\n' },
      script: inOrder(...script),
      host: { reviewed: true },
    });
    opened.push(kit);
    return kit.test;
  };
  const runs = (command: string) => calls(call('run_command', { command }));
  const groupsOf = (test: TestEngine) => test.engine.groups ?? assert.fail();
  const listed = (test: TestEngine) =>
    groupsOf(test).stored.all.map(({ line, paths }) => [
      line,
      ...paths.map((at) => path.basename(at)),
    ]);
  const text = (test: TestEngine) => readFile(path.join(test.workspace, 'a.txt'), 'utf8');
  const until = async (is: () => boolean | Promise<boolean>): Promise<void> => {
    while (!(await is())) await new Promise((resolve) => setTimeout(resolve, 20));
  };
  const [FIRST, SECOND] = ['sed -i s/two/TWO/ a.txt', 'sed -i s/four/FOUR/ a.txt'];
  const twice = async (
    second = SECOND,
  ): Promise<{ readonly test: TestEngine; readonly sessionId: string }> => {
    const test = await open(runs(FIRST), say('One.'), runs(second), say('Two.'));
    const { sessionId } = await test.run('First.');
    await test.engine.agent.send(sessionId, { text: 'Second.' });
    await test.engine.agent.runs.settled(sessionId);
    await until(() => listed(test).length === 2);
    return { test, sessionId };
  };

  it('in one file are undone each by itself', async () => {
    const { test } = await twice();
    const groups = groupsOf(test);
    const [first] = groups.stored.all;
    await groups.undo(first!.id, await groups.preview(first!.id));
    assert.equal(await text(test), LINES.replace('four', 'FOUR'));
    assert.deepEqual(listed(test), [[SECOND, 'a.txt']]);
    const [second] = groups.stored.all;
    await groups.undo(second!.id, await groups.preview(second!.id));
    assert.equal(await text(test), LINES);
    assert.deepEqual(listed(test), []);
  });

  it('stay listed where a restore to a later message did not take them back', async () => {
    for (const [message, left] of [
      ['Second.', [[FIRST, 'a.txt']]],
      ['First.', []],
    ] as const) {
      const { test, sessionId } = await twice('sed -i s/TWO/2/ a.txt');
      const { restore } = test.engine;
      const targets = await restore.targets(sessionId);
      const target = targets.find((one) => JSON.stringify(one.message.parts).includes(message));
      assert.ok(target !== undefined);
      const previews = await restore.preview(target.records);
      await restore.restore({ target, what: 'files', previews });
      await until(() => listed(test).length === left.length);
      assert.deepEqual(listed(test), left);
    }
  });

  it('do not contain what the agent of another session writes with its tools meanwhile', async () => {
    const waiting = 'touch .up; until [ -e .go ]; do sleep 0.05; done; echo made > made.txt';
    const edit = call('write_file', { path: 'agent.txt', content: 'by the other agent\n' });
    const test = await open(runs(waiting), calls(edit), say('Written.'), say('Done.'));
    const running = test.run('Wait.');
    const at = (name: string): string => path.join(test.workspace, name);
    await until(async () =>
      stat(at('.up')).then(
        () => true,
        () => false,
      ),
    );
    await test.run('Write.');
    await writeFile(at('.go'), '');
    await running;
    await until(() => listed(test).length === 1);
    assert.deepEqual(listed(test), [[waiting, 'made.txt']]);
  });
});
