import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { textOf, toolResultsOf } from '../../src/domain/message.ts';
import { BackgroundWindow, isAlive, until } from '../support/background/window.ts';
import { ProcessWindow } from '../support/background/process-window.ts';
import { Steps } from '../support/background/steps.ts';
import { Tunnel } from '../support/tunnel.ts';
import { headlessProgram } from '../support/headless/program.ts';
import { call, calls } from '../support/model-server/turn.ts';

const LINES = ['step-0', 'step-1', 'step-2', 'step-3'];

/** A session that works in the background, at its third of four steps, and two windows that see it. */
async function away(steps: Steps) {
  steps.letGo(1);
  const first = await BackgroundWindow.open({ server: steps.server });
  const id = await first.test.start('some lines');
  await until('the second step is asked for', () => steps.asked[1] === 1);
  await first.away.handOver(id);
  steps.letGo(2);
  await until('the third step is asked for', () => steps.asked[2] === 1);
  const other = await BackgroundWindow.open({ server: steps.server, after: first.test });
  await until('the other window sees it', async () => (await other.away.of(id)) === 'working');
  return { first, other, id, owner: await first.owner(id) };
}

const stateOf = async ({ test }: BackgroundWindow, sessionId: string) =>
  (await test.engine.store.runs.runs({ sessionId })).at(-1)?.state;

describe('a run in the background that several want something of', function () {
  this.timeout(60_000);

  before('the program is bundled', async function () {
    this.timeout(180_000);
    await headlessProgram();
  });

  it('taken back by two windows at once it goes on in one, once, and none says that it failed or ended', async () => {
    await using steps = await Steps.of(4);
    const { first, other: third, id, owner } = await away(steps);
    await using window = first;
    await using _third = third;
    const open = async () => ProcessWindow.open(window.test, steps.server.url);
    await using one = await open();
    await using other = await open();
    await Promise.all([one.takeBack(id), other.takeBack(id)]);
    steps.letGo(3);
    await until('the process has ended', () => !isAlive(owner));
    await until('the fourth step is asked for', () => steps.asked[3] === 1);
    await until('both know', async () =>
      [await one.seen(id), await other.seen(id)].every(({ state }) => state === undefined),
    );
    const isOwner = (await window.owner(id)) === one.pid;
    const [winner, loser] = isOwner ? [one, other] : [other, one];
    assert.equal(await window.owner(id), winner.pid);
    assert.equal((await loser.seen(id)).busy, false);
    assert.deepEqual([window.ended, third.ended, (await loser.seen(id)).ended], [[], [], []]);
    steps.letGo(Infinity);
    await winner.settled(id);
    assert.equal(await stateOf(window, id), 'completed');
    assert.deepEqual(await window.lines(), LINES);
    assert.deepEqual(steps.asked, [1, 1, 1, 1, 1]);
    const failed = [window.failed, (await one.seen(id)).failed, (await other.seen(id)).failed];
    assert.deepEqual(failed, [[], [], []]);
  });

  for (const order of ['stop first', 'take back first'] as const)
    it(`stopped and taken back at once (${order}) it is stopped, and does not come back`, async () => {
      await using steps = await Steps.of(4);
      const { first, other, id, owner } = await away(steps);
      await using _first = first;
      await using _other = other;
      const wishes = [first.away.stop(id), other.away.takeBack(id)];
      if (order === 'take back first') {
        await other.away.takeBack(id);
        wishes.push(first.away.stop(id));
      }
      await Promise.all(wishes);
      await until('the process has ended', () => !isAlive(owner));
      await until('it does not come back', async () => (await other.away.of(id)) === undefined);
      steps.letGo(Infinity);
      assert.equal(await stateOf(first, id), 'cancelled');
      assert.deepEqual(await first.lines(), LINES.slice(0, 2));
      assert.equal(await first.owner(id), undefined);
      assert.equal(other.test.engine.agent.runs.isBusy(id), false);
    });

  it('that is killed on its way back is told by the window that wished it, and waits for the person', async () => {
    await using steps = await Steps.of(4);
    const { first, other, id, owner } = await away(steps);
    await using _first = first;
    await using _other = other;
    await first.away.takeBack(id);
    process.kill(owner ?? 0, 'SIGKILL');
    // Its answer was cut off, and nothing of it had begun: it is asked for again.
    await until('the window has it', () => first.test.engine.agent.runs.isBusy(id));
    steps.letGo(Infinity);
    assert.equal((await first.test.engine.agent.runs.settled(id))?.reason, 'done');
    assert.deepEqual(await first.lines(), LINES);
  });

  it('is stopped also while it is between its window and its process', async () => {
    await using steps = await Steps.of(4);
    steps.letGo(1);
    await using window = await BackgroundWindow.open({ server: steps.server });
    const id = await window.test.start('some lines');
    await until('the second step is asked for', () => steps.asked[1] === 1);
    const leaving = window.away.handOver(id);
    steps.letGo(2);
    const { runs } = window.test.engine.agent;
    await until('its run has stopped here', () => !runs.isBusy(id));
    await window.away.stop(id);
    await leaving;
    await until('it is stopped', async () => (await stateOf(window, id)) === 'cancelled');
    await until('nobody has it', async () => (await window.owner(id)) === undefined);
    steps.letGo(Infinity);
    assert.deepEqual(await window.lines(), LINES.slice(0, 2));
  });

  it('is neither deleted nor written to meanwhile; archived and renamed it goes on', async () => {
    await using steps = await Steps.of(4);
    const { first, other, id } = await away(steps);
    await using _first = first;
    await using _other = other;
    const { agent, store } = other.test.engine;
    await assert.rejects(agent.removal.setAside(id), /take it back from the background/u);
    await assert.rejects(agent.removal.delete(id), /take it back from the background/u);
    await assert.rejects(agent.send(id, { text: 'more' }), /take it back from the background/u);
    await agent.sessions.rename(id, 'Another name');
    steps.letGo(Infinity);
    await until('it is done', () => other.ended.length === 1);
    assert.deepEqual(await first.lines(), LINES);
    assert.equal((await store.transcripts.session(id))?.title, 'Another name');
    await until('it can be deleted', async () => (await other.owner(id)) === undefined);
    await agent.removal.delete(id);
    assert.equal(await store.transcripts.session(id), undefined);
  });

  it('has the mode that a window chooses meanwhile from its next call on', async () => {
    await using steps = await Steps.of(4);
    const { first, other, id } = await away(steps);
    await using _first = first;
    await using _other = other;
    await other.test.engine.agent.sessions.setOptions(id, { mode: 'read' });
    // The process looks as often as a window does.
    await delay(1500);
    steps.letGo(Infinity);
    await until('it is done', () => first.ended.length === 1);
    assert.deepEqual(await first.lines(), LINES.slice(0, 2));
  });

  it('edits on both ways what its agent had read before, and is refused what was changed since then', async () => {
    const edit = (name: string, from: string, to: string) =>
      call('edit_file', { path: name, edits: [{ old_string: from, new_string: to }] });
    const turns = [
      call('read_file', { files: ['a', 'b', 'c'].map((name) => ({ path: `${name}.txt` })) }),
      edit('a.txt', 'zero', 'one'),
      edit('a.txt', 'one', 'two'),
      edit('c.txt', 'zero', 'lost'),
      // In this time the process hears that it is taken back.
      call('run_command', { command: 'sh add.sh waited 3' }),
      edit('a.txt', 'two', 'three'),
      edit('b.txt', 'zero', 'one'),
    ];
    await using steps = await Steps.of(turns.length, (step) => calls(turns[step] ?? assert.fail()));
    await using window = await BackgroundWindow.open({ server: steps.server });
    const at = (name: string): string => path.join(window.test.workspace, name);
    for (const name of ['a.txt', 'b.txt', 'c.txt']) await writeFile(at(name), 'zero\n');
    steps.letGo(1);
    const id = await window.test.start('some edits');
    await until('the second step is asked for', () => steps.asked[1] === 1);
    await window.away.handOver(id);
    steps.letGo(2);
    await until('the third step is asked for', () => steps.asked[2] === 1);
    await writeFile(at('c.txt'), 'zero of another program\n');
    steps.letGo(4);
    await until('the fifth step is asked for', () => steps.asked[4] === 1);
    await window.away.takeBack(id);
    steps.letGo(5);
    await until('the window has it', async () => (await window.owner(id)) === process.pid);
    steps.letGo(Infinity);
    assert.equal((await window.test.engine.agent.runs.settled(id))?.reason, 'done');
    const files = await Promise.all(['a.txt', 'b.txt', 'c.txt'].map((name) => window.lines(name)));
    assert.deepEqual(files, [['three'], ['one'], ['zero of another program']]);
    const results = (await window.test.messages(id))
      .flatMap(toolResultsOf)
      .map(({ content }) => textOf({ parts: content }));
    assert.deepEqual(
      results.flatMap(
        (text) => /c\.txt has changed since you read it|had changed/u.exec(text) ?? [],
      ),
      ['c.txt has changed since you read it'],
    );
  });

  it('takes along what the person said yes to', async () => {
    await using steps = await Steps.of(3);
    steps.letGo(1);
    await using window = await BackgroundWindow.open({
      server: steps.server,
      settings: { 'permissions.rules': [] },
      asksHere: true,
    });
    const { permissions, agent } = window.test.engine;
    const { id } = await agent.sessions.create();
    const yeses = {
      rules: [{ effect: 'allow', command: 'sh add.sh *' }],
      files: ['/w/package.json'],
      contacted: ['https://example.org:443'],
      believed: ['https://example.org:443'],
      allEdits: true,
    } as const;
    permissions.takeYeses(id, yeses);
    assert.deepEqual(await permissions.yeses(id), yeses);
    await agent.send(id, { text: 'some lines' });
    await until('the second step is asked for', () => steps.asked[1] === 1);
    await window.away.handOver(id);
    steps.letGo(Infinity);
    await until('it is done', () => window.ended.length === 1);
    assert.deepEqual(await window.lines(), LINES.slice(0, 3), 'nothing was asked');
  });

  it('asks its model through the proxy of its window, and what is excepted without it', async () => {
    for (const without of [[], ['model.invalid']]) {
      await using steps = await Steps.of(2);
      await using proxy = await Tunnel.to(steps.server.url);
      steps.letGo(1);
      await using window = await BackgroundWindow.open({
        server: steps.server,
        proxy: { url: proxy.url, without },
        settings: { 'advanced.modelRetries': 1 },
      });
      const id = await window.test.start('some lines');
      await until('the second step is asked for', () => steps.asked[1] === 1);
      window.settings['model.baseUrl'] = 'http://model.invalid';
      await window.away.handOver(id);
      steps.letGo(Infinity);
      await until('it has ended', () => window.ended.length === 1);
      const [ended] = window.ended;
      assert.equal(ended?.run?.state, without.length === 0 ? 'completed' : 'failed');
      assert.equal(proxy.asked.length > 0, without.length === 0);
      assert.ok(proxy.asked.every((one) => one === 'model.invalid:80'));
    }
  });
});
