import assert from 'node:assert/strict';
import { type Crash, crash } from '../support/engine/other-window.ts';
import { inOrder, say } from '../support/model-server/turn.ts';
import { edits, reads, runs } from './model.ts';
import { openUser, type User } from './user.ts';
import { until } from './waiting.ts';

const LINES = 'one\ntwo\nthree\n';

/** A window that was killed while its command ran: the command had written its line. */
const killedInCommand = (): Promise<Crash> =>
  crash({
    script: inOrder(runs('echo once >> out.txt; test $(wc -l < out.txt) -gt 1 || sleep 20')),
    until: (_window, { lines }) => until(async () => (await lines('out.txt')).length === 1),
  });

/** A new window on what the killed one left, with its session on screen. */
async function openAfter(killed: Crash, ...model: readonly ReturnType<typeof say>[]) {
  const settings = { 'advanced.toolTimeoutSeconds': 1 };
  const user: User = await openUser({ after: killed, model, mode: 'auto', settings });
  await user.openSession('write the lines');
  return user;
}

describe('after a window was killed', function () {
  this.timeout(60_000);

  const killed: Crash[] = [];
  before(async () => {
    killed.push(...(await Promise.all(Array.from({ length: 3 }, killedInCommand))));
  });
  after(async () => Promise.all(killed.map(async (one) => one[Symbol.asyncDispose]())));
  const next = (): Crash => killed.shift() ?? assert.fail();

  it('edits that were written are still pending, and are undone as before', async () => {
    const model = [reads('a.txt'), edits('a.txt', ['two', 'TWO']), runs('echo x > mark; sleep 20')];
    const window = await crash({
      files: { 'a.txt': LINES },
      reviewed: true,
      script: inOrder(...model),
      until: (_window, { lines }) => until(async () => (await lines('mark')).length === 1),
    });
    await using user = await openAfter(window, say('not asked'));
    await user.seesPending({ 'a.txt': 1 });
    assert.equal(await user.text('a.txt'), LINES.replace('two', 'TWO'));
    await user.undoFile('a.txt');
    assert.equal(await user.text('a.txt'), LINES);
  });

  it('nothing goes on by itself, and a command that may have run is not repeated', async () => {
    await using user = await openAfter(next(), say('not asked'));
    await user.seesInterruptedRun();
    assert.equal(user.modelWasSent(), '');
    assert.equal(await user.text('out.txt'), 'once\n');
  });

  it('I say that a command happened: it does not run again, and the agent is told', async () => {
    await using user = await openAfter(next(), say('Then I go on.'));
    await user.resume('happened');
    await user.sees(/Then I go on\./u);
    assert.equal(await user.text('out.txt'), 'once\n');
    assert.match(user.modelWasSent(), /happened/u);
  });

  it('I let a command run again: it runs once more', async () => {
    await using user = await openAfter(next(), say('Then I go on.'));
    await user.resume('run_again');
    await user.allow();
    await user.sees(/Then I go on\./u);
    assert.equal(await user.text('out.txt'), 'once\nonce\n');
  });
});
