import assert from 'node:assert/strict';
import { PendingWork } from '../../support/pending-work.ts';
import { open, S } from './open-panel.ts';

describe('the diff behind the button of a card', () => {
  it('is that of what is pending; of what is decided, the one that its card keeps', async () => {
    let made: PendingWork | undefined;
    const { mirror, stage } = await open((on) => {
      made = new PendingWork(on.clock);
      on.reviews = made.reviews;
      on.roots = [made.folder];
    });
    using work = made ?? assert.fail();
    await work.edit('b.ts', ['3\n', 'three\n'], { callId: 'c2' });
    const path = work.at('b.ts');
    const display = { kind: 'edit', path: 'b.ts', diff: '@@ -1,1 +1,1 @@\n-3\n+three' };
    const result = {
      callId: 'c2',
      name: 'edit_file',
      state: 'done',
      content: [],
      display,
    } as const;
    const { seq } = stage.store(S, 'tool', [{ type: 'tool_result', ...result }]);
    const at = { sessionId: S, seq };
    await mirror.request('openDiff', { callId: 'c2', at });
    assert.deepEqual(stage.calls, [`openDiff ${path}`]);
    await work.reviews.decisions.keep({ path });
    stage.calls.length = 0;
    await mirror.request('openDiff', { callId: 'c2', at });
    assert.deepEqual(stage.calls, ['openEdits c2 b.ts']);
    await assert.rejects(mirror.request('openDiff', { callId: 'c3', at }), /on record/u);
    stage.panel.dispose();
  });
});
