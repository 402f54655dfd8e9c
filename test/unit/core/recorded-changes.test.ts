import assert from 'node:assert/strict';
import { AgentChanges } from '../../../src/core/restore/agent-changes.ts';
import type {
  LeafRecord,
  WorkspaceSnapshots,
} from '../../../src/core/ports/files/workspace-snapshots.ts';
import { withRecordedChanges } from '../../../src/core/tool-call/wrappers/recorded-changes.ts';
import { textResult } from '../../../src/core/tool-call/tool-call.ts';
import type { Tool, ToolCall, ToolCallRequest } from '../../../src/core/tool-call/tool-call.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { MapValues } from '../../support/map-values.ts';
import { silentLog } from '../../support/memory-recorder.ts';

const part = { type: 'tool_call', id: 'c', name: 'x', input: {} } as const;
const COMMAND = { name: 'run_command', sideEffects: true, permission: 'execute' } as Tool;
const EDIT: Pick<Tool, 'name' | 'sideEffects' | 'permission' | 'touches'> = {
  name: 'edit_file',
  sideEffects: true,
  permission: 'edit',
  touches: () => [{ path: '/workspace/a.txt', access: 'write' }],
};
const never = (): Promise<never> => new Promise(() => undefined);
const file = (hash: string): LeafRecord => ({ kind: 'file', hash, size: 1, mode: 0o644 });

describe('a call whose snapshots take long', () => {
  let clock: FakeClock;
  let changes: AgentChanges;
  let ran: number;

  beforeEach(() => {
    clock = new FakeClock();
    ran = 0;
  });

  function recorded(
    given: Partial<WorkspaceSnapshots>,
    work: () => Promise<unknown> | void = () => undefined,
    ready?: () => Promise<void>,
  ): ToolCall {
    const snapshots = given as WorkspaceSnapshots;
    changes = new AgentChanges({ snapshots, values: new MapValues(), now: () => clock.now() });
    const parts = { changes, snapshots, clock, log: silentLog, files: { realpath: asIs } };
    return withRecordedChanges(ready === undefined ? parts : { ...parts, ready })(async () => {
      ran += 1;
      await work();
      return { result: textResult(part, 'done', 'done') };
    });
  }
  const asIs = async (path: string): Promise<string> => path;
  const request = (tool: object, turn?: number): ToolCallRequest =>
    ({
      part,
      tool,
      context: { sessionId: 's', runId: 'r', roots: ['/workspace'], turn },
    }) as unknown as ToolCallRequest;

  it('waits one second for them, before and after together', async () => {
    const call = recorded({ take: never }, () => clock.sleep(5000));
    const done = call(request(COMMAND));
    await clock.advance(999);
    assert.equal(ran, 0, 'it waits for the snapshot before it');
    await clock.advance(1);
    assert.equal(ran, 1);
    await clock.advance(5000);
    assert.deepEqual((await done).result.content, [{ type: 'text', text: 'done' }]);
    assert.equal(clock.monotonic(), 6000, 'nothing was waited for afterwards');
  });

  it('shares that second with the other calls of its turn, and with the checkpoint before the request', async () => {
    const call = recorded({ take: never }, undefined, () => clock.sleep(300));
    const first = call(request(COMMAND, 1));
    await clock.advance(1000);
    await first;
    const second = call(request(COMMAND, 1));
    await clock.advance(0);
    assert.equal(ran, 2, 'the second call of the turn waits no more');
    await second;
    const next = call(request(COMMAND, 2));
    await clock.advance(999);
    assert.equal(ran, 2, 'the next turn has a second of its own');
    await clock.advance(1);
    await next;
    assert.equal(ran, 3);
  });

  it('of an edit too; it is on record all the same, as what it touches is kept as it was', async () => {
    const [late, hashes] = [Promise.withResolvers<void>(), ['before', 'after']];
    const keep = async () => {
      const hash = hashes.shift() ?? '';
      await late.promise;
      return [file(hash)];
    };
    const done = recorded({ keep })(request(EDIT));
    await clock.advance(999);
    assert.equal(ran, 0);
    await clock.advance(1);
    await done;
    assert.equal(ran, 1);
    late.resolve();
    await clock.advance(0);
    const [record, ...more] = await changes.list('s');
    assert.deepEqual(more, []);
    assert.deepEqual([record?.uncertain, record?.unkept], [false, []]);
    const change = { path: 'a.txt', before: file('before'), after: file('after') };
    assert.deepEqual(record?.folders, [{ root: '/workspace', changes: [change] }]);
  });

  it('of what turns out too late to be a folder it is on record that it was not kept', async () => {
    const late = Promise.withResolvers<void>();
    const keep = async () => {
      await late.promise;
      return [undefined];
    };
    const done = recorded({ keep })(request(EDIT));
    await clock.advance(1000);
    await done;
    late.resolve();
    await clock.advance(0);
    const [record] = await changes.list('s');
    assert.deepEqual([record?.uncertain, record?.unkept], [true, ['/workspace/a.txt']]);
  });

  it('of several calls are on record in the order of the calls, and a list of them waits for those that are late', async () => {
    const late = Promise.withResolvers<void>();
    let kept = 0;
    const keep = async () => {
      kept += 1;
      const hash = String(kept);
      if (kept <= 2) await late.promise;
      return [file(hash)];
    };
    const call = recorded({ keep });
    const both = [call({ ...request(EDIT, 1), part: { ...part, id: 'first' } })];
    await clock.advance(1000);
    both.push(call({ ...request(EDIT, 1), part: { ...part, id: 'second' } }));
    await clock.advance(0);
    await Promise.all(both);
    const listed = changes.list('s');
    late.resolve();
    assert.deepEqual(
      (await listed).map(({ callId }) => callId),
      ['first', 'second'],
    );
  });

  for (const [what, tool, unkept] of [
    ['an edit', EDIT, '/workspace/a.txt'],
    ['a command', COMMAND, '/workspace'],
  ] as const)
    it(`that fail stop no call; of ${what} it is on record that it cannot be taken back`, async () => {
      const fails = () => Promise.reject(new Error('no disk'));
      const { result } = await recorded({ take: fails, keep: fails })(request(tool));
      assert.equal(result.state, 'done');
      const [record] = await changes.list('s');
      assert.deepEqual([record?.uncertain, record?.unkept], [true, [unkept]]);
    });
});
