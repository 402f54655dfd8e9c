import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { textOf } from '../../src/domain/message.ts';
import { BackgroundWindow, KEY, isAlive, until } from '../support/background/window.ts';
import { headlessProgram } from '../support/headless/program.ts';
import { commandOf, Steps } from '../support/background/steps.ts';

const numbered = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, step) => `step-${step}`);

/** A window with a session whose second step is asked for, when it is told to leave. */
async function leaving(steps: Steps, window: BackgroundWindow): Promise<string> {
  steps.letGo(1);
  const id = await window.test.start('some lines');
  await until('the second step is asked for', () => steps.asked[1] === 1);
  await window.away.handOver(id);
  assert.equal(await window.away.of(id), 'leaving');
  return id;
}

/** A session that works in the background, at its third step. */
async function away(steps: Steps, window: BackgroundWindow): Promise<string> {
  const id = await leaving(steps, window);
  steps.letGo(2);
  await until('the third step is asked for', () => steps.asked[2] === 1);
  assert.equal(await window.away.of(id), 'working');
  return id;
}

/** The process asks with the key of its window, and nobody else can read it. */
async function keepsKey(steps: Steps, owner = 0): Promise<void> {
  assert.equal(steps.server.requests.at(-1)?.headers['x-api-key'], KEY);
  if (process.platform !== 'linux') return;
  for (const file of ['cmdline', 'environ'])
    assert.ok(!(await readFile(`/proc/${owner}/${file}`, 'latin1')).includes(KEY), file);
}

async function isNowhereIn(folder: string, secret: string): Promise<void> {
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const bytes = await readFile(path.join(entry.parentPath, entry.name), 'latin1');
    assert.ok(!bytes.includes(secret), entry.name);
  }
}

/** The messages of a session as the model must see them: each call has one result. */
async function callsAndResults(window: BackgroundWindow, id: string): Promise<void> {
  const parts = (await window.test.messages(id)).flatMap((message) => message.parts);
  const asked = parts.flatMap((part) => (part.type === 'tool_call' ? [part.id] : []));
  const answered = parts.flatMap((part) => (part.type === 'tool_result' ? [part.callId] : []));
  assert.deepEqual(answered, asked);
}

describe('a run in the background', function () {
  this.timeout(60_000);

  before('the program is bundled', async function () {
    this.timeout(180_000);
    await headlessProgram();
  });

  it('goes on after its window has closed, is found again, and ends by itself; its key is in its requests alone', async () => {
    await using steps = await Steps.of(4);
    await using first = await BackgroundWindow.open({ server: steps.server });
    const id = await away(steps, first);
    assert.equal(first.test.ofType('agent_run.handed_over').length, 1);
    const owner = await first.owner(id);
    await keepsKey(steps, owner);
    await first.close();
    steps.letGo(3);
    await using next = await BackgroundWindow.open({ server: steps.server, after: first.test });
    await until('the fourth step is asked for', () => steps.asked[3] === 1);
    assert.equal(await next.away.of(id), 'working');
    assert.equal(await next.owner(id), owner);
    assert.equal(await next.test.engine.agent.handoffs.of(id), undefined);
    steps.letGo(Infinity);
    await until('the window was told', () => next.ended.length > 0);
    assert.equal(next.ended[0]?.run?.end?.reason, 'done');
    assert.equal(textOf((await next.test.messages(id)).at(-1) as never), 'All steps are done.');
    assert.deepEqual(await next.lines(), numbered(4));
    assert.deepEqual(steps.asked, [1, 1, 1, 1, 1]);
    await callsAndResults(next, id);
    await until('the process has ended', () => !isAlive(owner));
    await isNowhereIn(next.test.folder, KEY);
  });

  it('takes over in the middle of a step where the window closes before the step is done', async () => {
    await using steps = await Steps.of(3);
    await using first = await BackgroundWindow.open({ server: steps.server });
    const id = await leaving(steps, first);
    await first.close();
    await using next = await BackgroundWindow.open({ server: steps.server, after: first.test });
    // The answer that was cut off is asked for again; nothing of it had begun.
    await until('the second step is asked for again', () => steps.asked[1] === 2);
    assert.equal(await next.away.of(id), 'working');
    steps.letGo(Infinity);
    await until('the window was told', () => next.ended.length > 0);
    assert.deepEqual(await next.lines(), numbered(3));
  });

  it('is stopped by any window', async () => {
    await using steps = await Steps.of(3);
    await using first = await BackgroundWindow.open({ server: steps.server });
    const id = await away(steps, first);
    const owner = await first.owner(id);
    await using other = await BackgroundWindow.open({ server: steps.server, after: first.test });
    await other.away.stop(id);
    await until('the process has ended', () => !isAlive(owner));
    const [run] = await other.test.engine.store.runs.runs({ sessionId: id });
    assert.equal(run?.state, 'cancelled');
    assert.equal(await other.away.of(id), undefined);
    assert.deepEqual(await other.lines(), numbered(2));
    await callsAndResults(other, id);
  });

  it('comes back to a window after its step, with nothing done twice', async () => {
    await using steps = await Steps.of(4);
    await using window = await BackgroundWindow.open({ server: steps.server });
    const id = await away(steps, window);
    const owner = await window.owner(id);
    await window.away.takeBack(id);
    assert.equal(await window.away.of(id), 'returning');
    steps.letGo(3);
    await until('the window has it', async () => (await window.owner(id)) === process.pid);
    await until('the process has ended', () => !isAlive(owner));
    steps.letGo(Infinity);
    const end = await window.test.engine.agent.runs.settled(id);
    assert.equal(end?.reason, 'done');
    assert.deepEqual(await window.lines(), numbered(4));
    assert.deepEqual(steps.asked, [1, 1, 1, 1, 1]);
    assert.deepEqual(window.failed, []);
    assert.deepEqual(window.ended, [], 'what was taken back has not ended');
    await callsAndResults(window, id);
  });

  it('stays in its window where it is taken back before its step is done', async () => {
    await using steps = await Steps.of(3);
    await using window = await BackgroundWindow.open({ server: steps.server });
    const id = await leaving(steps, window);
    await window.away.takeBack(id);
    assert.equal(await window.away.of(id), undefined);
    steps.letGo(Infinity);
    assert.equal((await window.test.engine.agent.runs.settled(id))?.reason, 'done');
    assert.deepEqual(await window.lines(), numbered(3));
    assert.deepEqual(window.test.ofType('agent_run.handed_over'), []);
  });

  it('that is killed in the middle of a command is offered for resume, and does it once', async () => {
    // The second command in the background writes its line, and goes on for long.
    await using steps = await Steps.of(4, (step) => commandOf(step, step === 2 ? ' 0 60' : ''));
    await using window = await BackgroundWindow.open({ server: steps.server });
    const id = await away(steps, window);
    steps.letGo(3);
    await until('the third line is there', async () => (await window.lines()).length === 3);
    process.kill((await window.owner(id)) ?? 0, 'SIGKILL');
    await until('the window was told', () => window.ended.length > 0);
    const { agent } = window.test.engine;
    const handoff = await agent.handoffs.of(id);
    assert.deepEqual(
      handoff?.unknown.map(({ callId }) => callId),
      ['call-2'],
    );
    steps.letGo(Infinity);
    await agent.handoffs.resume(handoff?.run.id ?? '', { 'call-2': 'happened' });
    assert.equal((await agent.runs.settled(id))?.reason, 'done');
    assert.deepEqual(await window.lines(), numbered(4));
    await callsAndResults(window, id);
  });

  it('that must ask the person is held for them, and asks in the next window', async () => {
    const asking = commandOf(2, ' > asked.txt');
    await using steps = await Steps.of(4, (step) => (step === 2 ? asking : commandOf(step)));
    await using first = await BackgroundWindow.open({ server: steps.server });
    const id = await away(steps, first);
    const owner = await first.owner(id);
    steps.letGo(Infinity);
    await until('the process has ended', () => !isAlive(owner));
    await first.close();
    await using next = await BackgroundWindow.open({ server: steps.server, after: first.test });
    const { agent } = next.test.engine;
    await agent.handoffs.reconcile();
    const handoff = await agent.handoffs.of(id);
    assert.equal(handoff?.asksAgain, true);
    assert.deepEqual(handoff.unknown, []);
    await agent.handoffs.resume(handoff.run.id, {});
    assert.equal((await agent.runs.settled(id))?.reason, 'done');
    assert.deepEqual(
      next.test.human.approvals.map(({ callId }) => callId),
      ['call-2'],
    );
    assert.deepEqual(await next.lines(), ['step-0', 'step-1', 'step-2', 'step-3']);
  });

  it('has the mode of its session as it is when it leaves, not as it was when it was told to', async () => {
    await using steps = await Steps.of(3);
    await using window = await BackgroundWindow.open({ server: steps.server });
    const id = await leaving(steps, window);
    await window.test.engine.agent.sessions.setOptions(id, { mode: 'read' });
    steps.letGo(2);
    await until('the third step is asked for', () => steps.asked[2] === 1);
    steps.letGo(Infinity);
    await until('the window was told', () => window.ended.length > 0);
    assert.deepEqual(await window.lines(), numbered(1), 'refused here, and refused there');
  });

  it('goes on with what is queued behind it', async () => {
    await using steps = await Steps.of(3);
    await using window = await BackgroundWindow.open({ server: steps.server });
    const id = await leaving(steps, window);
    await window.test.engine.agent.send(id, { text: 'And then this' });
    steps.letGo(2);
    await until('the third step is asked for', () => steps.asked[2] === 1);
    steps.letGo(Infinity);
    await until('the window was told', () => window.ended.length > 0);
    // The window may be told of the first run before the second one begins.
    await until('what was queued is answered', async () => {
      const messages = await window.test.messages(id);
      const sent = messages.flatMap((one) => (one.origin === 'person' ? [textOf(one)] : []));
      return sent[1] === 'And then this' && messages.at(-1)?.role === 'assistant';
    });
  });

  it('ends in its window where its last answer comes before it leaves', async () => {
    await using steps = await Steps.of(1);
    await using window = await BackgroundWindow.open({ server: steps.server });
    const id = await leaving(steps, window);
    steps.letGo(Infinity);
    assert.equal((await window.test.engine.agent.runs.settled(id))?.reason, 'done');
    await until('it leaves no more', async () => (await window.away.of(id)) === undefined);
    assert.deepEqual(window.test.ofType('agent_run.handed_over'), []);
    assert.deepEqual(steps.asked, [1, 1]);
  });
});
