import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { TestEngine } from '../support/engine/test-engine.ts';
import { call, calls, say } from '../support/model-server/turn.ts';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** Bytes in use after a full collection. */
function heap(): number {
  collect();
  collect();
  return process.memoryUsage().heapUsed;
}

const RUNS = 1000;
/** Runs before the first measurement: caches are full by then. */
const WARM = 200;

describe('a thousand runs in one process', () => {
  it('B14: leave no active request, listener, timer or handle behind, and the heap stays flat', async function () {
    this.timeout(300_000);
    const script = (request: { readonly messages: readonly unknown[] }) =>
      JSON.stringify(request.messages.at(-1)).includes('tool_result')
        ? say('ok')
        : calls(call('list_files', {}));
    await using test = await TestEngine.open({ script, files: { 'a.txt': 'a' } });
    const { agent, broker } = test.engine;
    const subscribers = broker.size;
    const handles = (): string[] =>
      process
        .getActiveResourcesInfo()
        .filter((kind) => kind !== 'Immediate')
        .toSorted();
    let before = { heap: 0, handles: [] as string[] };
    for (let count = 0; count < RUNS; count += 1) {
      const { sessionId, end } = await test.run(`run ${count}`);
      assert.equal(end?.reason, 'done');
      await agent.removal.delete(sessionId);
      test.events.length = 0;
      (test.server.requests as unknown[]).length = 0;
      (test.server.all as unknown[]).length = 0;
      if (count === WARM) before = { heap: heap(), handles: handles() };
    }
    assert.equal(agent.runs.all().length, 0);
    assert.equal(broker.size, subscribers);
    assert.equal(getEventListeners(process, 'exit').length < 10, true);
    const after = { heap: heap(), handles: handles() };
    assert.ok(
      after.handles.length <= before.handles.length + 2,
      `handles: ${before.handles.join()} → ${after.handles.join()}`,
    );
    const grown = (after.heap - before.heap) / (RUNS - WARM);
    assert.ok(grown < 8000, `the heap grew by ${Math.round(grown)} bytes a run`);
  });
});
