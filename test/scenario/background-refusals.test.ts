import assert from 'node:assert/strict';
import { readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { NodeWeb } from '../../src/hosts/node/web/node-web.ts';
import { FoundModels } from '../../src/providers/found/found-models.ts';
import {
  BackgroundWindow,
  type BackgroundWindowOptions,
  isAlive,
  until,
} from '../support/background/window.ts';
import { commandOf, Steps } from '../support/background/steps.ts';
import { headlessProgram } from '../support/headless/program.ts';
import { FakeEditorModels } from '../support/fake-editor-models.ts';
import { taskOf } from '../support/model-server/delegated.ts';
import { startModelServer } from '../support/model-server/server.ts';
import { call, calls, say } from '../support/model-server/turn.ts';

/** A window whose session is at its second step. */
async function atWork(
  steps: Steps,
  options: Partial<BackgroundWindowOptions> = {},
): Promise<{ readonly window: BackgroundWindow; readonly id: string }> {
  steps.letGo(1);
  const window = await BackgroundWindow.open({ server: steps.server, ...options });
  const id = await window.test.start('some lines');
  await until('the second step is asked for', () => steps.asked[1] === 1);
  return { window, id };
}

/** It is refused with a sentence, and the run goes on in its window as if nobody had asked. */
async function isRefused(
  steps: Steps,
  { window, id }: { readonly window: BackgroundWindow; readonly id: string },
  sentence: RegExp,
): Promise<void> {
  await assert.rejects(window.away.handOver(id), sentence);
  assert.equal(await window.away.of(id), undefined);
  assert.equal(await window.owner(id), process.pid);
  steps.letGo(Infinity);
  const end = await window.test.engine.agent.runs.settled(id);
  assert.equal(end?.reason, 'done');
  assert.deepEqual(await window.lines(), ['step-0', 'step-1', 'step-2']);
  assert.deepEqual(steps.asked, [1, 1, 1, 1]);
  assert.deepEqual(window.test.ofType('agent_run.handed_over'), []);
  assert.deepEqual([window.failed, window.ended], [[], []]);
}

describe('what cannot go on in the background is refused, and goes on in its window', function () {
  this.timeout(60_000);

  before('the program is bundled', async function () {
    this.timeout(180_000);
    await headlessProgram();
  });

  for (const [what, options, sentence] of [
    ['a workspace that is not trusted', { workspace: { trusted: false } }, /not trusted: nothing/u],
    ['a window without a folder', { workspace: { roots: [] } }, /No folder is open/u],
    [
      'a process that refuses the order',
      { workspace: { roots: ['/not-there'] } },
      /The folder \/not-there is not there\./u,
    ],
    [
      'a program that is not there',
      { program: '/not-there/headless.cjs' },
      /The process in the background did not start\./u,
    ],
  ] as const)
    it(what, async () => {
      await using steps = await Steps.of(3);
      const given = await atWork(steps, options);
      await using window = given.window;
      await isRefused(steps, { ...given, window }, sentence);
    });

  it('a program that says something else, which is ended', async () => {
    const program = path.join(os.tmpdir(), `belay-other-${process.pid}.cjs`);
    const mark = `${program}.pid`;
    const text = `require('fs').writeFileSync(${JSON.stringify(mark)},String(process.pid));`;
    await writeFile(program, `${text}console.log("Hello");setInterval(() => {}, 1e6)`);
    await using steps = await Steps.of(3);
    const given = await atWork(steps, { program });
    await using window = given.window;
    await isRefused(steps, { ...given, window }, /The process in the background did not start\./u);
    const pid = Number(await readFile(mark, 'utf8'));
    await until('it has ended', () => !isAlive(pid));
    await Promise.all([rm(program), rm(mark)]);
  });

  it('a model of VS Code', async () => {
    const found = new FoundModels({ editor: new FakeEditorModels(), origins: {} });
    await using steps = await Steps.of(3);
    const given = await atWork(steps, {
      host: { found },
    });
    await using window = given.window;
    await found.look();
    const { catalog, agent } = window.test.engine;
    const isTheirs = ({ id }: { readonly id: string }): boolean =>
      window.test.engine.names.addressOf(id).instance.wire === 'vscode-lm';
    const model = catalog.models.find(isTheirs)?.id ?? '';
    await agent.sessions.setOptions(given.id, { model });
    await isRefused(steps, { ...given, window }, /The model of this session is one of VS Code/u);
  });

  it('a command of the session in the background', async () => {
    const server = calls(
      call('run_command', { command: 'sh add.sh waits 60', run_in_background: true }, 'call-0'),
    );
    await using steps = await Steps.of(3, (step) => (step === 0 ? server : commandOf(step)));
    const given = await atWork(steps);
    await using window = given.window;
    await assert.rejects(window.away.handOver(given.id), /A command of this session runs in/u);
    assert.equal(await window.away.of(given.id), undefined);
    assert.equal(await window.owner(given.id), process.pid);
    const { background } = window.test.engine.commands;
    assert.equal(background?.list().filter(({ running }) => running).length, 1);
  });
});

describe('what waits for the person, or is not there, does not leave', function () {
  this.timeout(60_000);

  it('a run that waits for a yes, of its own or of its sub-agent', async () => {
    for (const isTheirs of [false, true]) {
      const asking = calls(call('fetch_url', { url: 'https://example.org/' }, 'call-0'));
      const delegating = calls(call('agent', { title: 'Make', task: 'TASK make' }, 'call-a'));
      const server = await startModelServer({
        script: (request) => (isTheirs && taskOf(request) === '' ? delegating : asking),
      });
      await using window = await BackgroundWindow.open({
        server,
        asksHere: true,
        host: { web: new NodeWeb() },
      });
      const id = await window.test.start('some lines');
      await until('it asks', () => window.desk.pending().length === 1);
      const [asked] = window.desk.pending();
      assert.equal(asked?.question.sessionId === id, !isTheirs);
      await assert.rejects(window.away.handOver(id), /This run waits for you: answer first/u);
      assert.equal(await window.away.of(id), undefined);
      assert.equal(window.desk.pending().length, 1, 'it still asks');
      assert.equal(await window.owner(id), process.pid);
      window.test.engine.agent.runs.cancel(id);
      await window.test.engine.agent.runs.settled(id);
      await server.close();
    }
  });

  it('a session in which nothing runs', async () => {
    const server = await startModelServer({ script: () => say('Done.') });
    await using window = await BackgroundWindow.open({ server });
    const { sessionId } = await window.test.run('go');
    for (const id of [sessionId, 'not-there'])
      await assert.rejects(window.away.handOver(id), /No run is on in this session/u);
    await assert.rejects(window.away.takeBack(sessionId), /Nothing works on this session/u);
    await window.away.stop(sessionId);
    assert.equal(await window.away.of(sessionId), undefined);
    const [run] = await window.test.engine.store.runs.runs({ sessionId });
    assert.equal(run?.end?.reason, 'done');
    await server.close();
  });

  it('a session that is in the background already, in any window', async () => {
    await using steps = await Steps.of(3);
    const { window, id } = await atWork(steps);
    await using first = window;
    await first.away.handOver(id);
    await first.away.handOver(id);
    steps.letGo(2);
    await until('it works there', async () => (await first.away.of(id)) === 'working');
    await using other = await BackgroundWindow.open({ server: steps.server, after: first.test });
    for (const one of [first, other])
      await assert.rejects(one.away.handOver(id), /This session works in the background already/u);
    assert.equal(await first.away.of(id), 'working');
    steps.letGo(Infinity);
    await until('it is done', () => other.ended.length === 1);
    assert.deepEqual(steps.asked, [1, 1, 1, 1]);
  });
});
