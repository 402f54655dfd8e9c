import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { textOf } from '../../src/domain/message.ts';
import { TestEngine } from '../support/engine/test-engine.ts';
import { say } from '../support/model-server/turn.ts';
import { createRandom } from '../support/seed.ts';

const PROMPT = 'Look whether the build is green.';
/** Operations from one that is tried to the next. */
const STRIDE = 4;
const program = fileURLToPath(new URL('doom/doomed-window.ts', import.meta.url));

/** A workspace with a follow-up that is due; gives its folder and session. */
async function withOneDue() {
  const test = await TestEngine.open({ script: () => say('Built.') });
  const { sessionId } = await test.run('Build it');
  const { followUps, ids } = test.engine.store;
  const id = ids.next('followup');
  await followUps.add({ id, sessionId, prompt: PROMPT, dueAt: Date.now(), createdAt: Date.now() });
  await test.close();
  return { test, sessionId };
}

/** A window that sends it, and dies at a durable operation; `false`: it came to its end before. */
async function dies(folder: string, at: number, moment: string): Promise<boolean> {
  const env = { ...process.env, BELAY_DOOM_AT: String(at), BELAY_DOOM_MOMENT: moment };
  const [code, signal] = (await once(fork(program, [folder], { env }), 'exit')) as unknown[];
  assert.ok(signal === 'SIGKILL' || code === 0, `${String(code)} ${String(signal)}`);
  return signal === 'SIGKILL';
}

describe('a follow-up whose window dies', () => {
  it('A15 C8: at any durable operation, before or after it: it comes into its session once', async function () {
    this.timeout(180_000);
    const random = createRandom();
    let at = Math.floor(random() * STRIDE) - STRIDE;
    for (let isDead = true; isDead;) {
      at += STRIDE;
      const moment = random() < 0.5 ? 'before' : 'after';
      const { test: before, sessionId } = await withOneDue();
      isDead = await dies(before.folder, at + 1, moment);
      await using test = await TestEngine.open({
        script: () => say('Green.'),
        after: before,
        host: { staysOpen: true },
      });
      const { agent, store } = test.engine;
      await agent.start();
      const handoff = await agent.handoffs.of(sessionId);
      if (handoff !== undefined) await agent.handoffs.resume(handoff.run.id, {});
      const runsOf = async () => store.runs.runs({ sessionId });
      while ((await runsOf()).filter(({ state }) => state === 'completed').length < 2)
        await new Promise((resolve) => setTimeout(resolve, 20));
      const where = `${moment} operation ${at + 1}`;
      const messages = await test.messages(sessionId);
      const sent = messages.filter(({ origin }) => origin === 'followup').map(textOf);
      assert.deepEqual(sent, [PROMPT], where);
      assert.equal((await runsOf()).length, 2, where);
      assert.deepEqual(await store.followUps.all(), [], where);
      assert.deepEqual(agent.queue.list(sessionId), [], where);
    }
    assert.ok(at > 8, `only ${at} operations`);
  });
});
