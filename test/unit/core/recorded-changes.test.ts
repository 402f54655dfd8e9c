import assert from 'node:assert/strict';
import { AgentChanges } from '../../../src/core/agent-changes.ts';
import type { WorkspaceSnapshots } from '../../../src/core/ports/workspace-snapshots.ts';
import { recordedChanges } from '../../../src/core/tool-call/recorded-changes.ts';
import { textResult } from '../../../src/core/tool-call/tool-call.ts';
import type { Tool, ToolCallRequest } from '../../../src/core/tool-call/tool-call.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { MapValues } from '../../support/map-values.ts';
import { silentLog } from '../../support/memory-recorder.ts';

describe('a call whose snapshots take long', () => {
  it('waits one second for them, before and after together', async () => {
    const clock = new FakeClock();
    const snapshots = { take: () => new Promise(() => undefined) } as unknown as WorkspaceSnapshots;
    const values = new MapValues();
    const changes = new AgentChanges({ snapshots, values, now: () => clock.now() });
    const part = { type: 'tool_call', id: 'c', name: 'run_command', input: {} } as const;
    const request = {
      part,
      tool: { name: 'run_command', sideEffects: true, permission: 'execute' } as Tool,
      context: { sessionId: 's', roots: ['/workspace'] },
    } as unknown as ToolCallRequest;
    let ran = 0;
    const call = recordedChanges({
      changes,
      snapshots,
      files: { realpath: async (path) => path },
      clock,
      log: silentLog,
    })(async () => {
      ran += 1;
      await clock.sleep(5000);
      return { result: textResult(part, 'done', 'done') };
    });
    const done = call(request);
    await clock.advance(999);
    assert.equal(ran, 0, 'it waits for the snapshot before it');
    await clock.advance(1);
    assert.equal(ran, 1);
    await clock.advance(5000);
    assert.deepEqual((await done).result.content, [{ type: 'text', text: 'done' }]);
    assert.equal(clock.monotonic(), 6000, 'nothing was waited for afterwards');
  });
});
