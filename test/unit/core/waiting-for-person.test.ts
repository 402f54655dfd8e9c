import assert from 'node:assert/strict';
import type { AbandonedRuns } from '../../../src/core/run/recovery/abandoned-runs.ts';
import type { ActiveRuns } from '../../../src/core/run/active-runs.ts';
import type { AgentParts } from '../../../src/core/run/agent-parts.ts';
import { Dispatcher } from '../../../src/core/run/dispatcher.ts';
import { RunTurns } from '../../../src/core/run/run-turns.ts';
import type { Lanes } from '../../../src/core/run/session/lanes.ts';
import { asksPerson } from '../../../src/providers/instance.ts';
import { EDITOR_INSTANCE } from '../../../src/providers/found/found-models.ts';

describe('what was queued when its process died', () => {
  it('waits for the person where a call of its model may ask them something; the rest goes', async () => {
    const taken: string[] = [];
    const no = async (): Promise<boolean> => Promise.resolve(false);
    const parts = {
      asksPerson: (model: string) => model.startsWith(EDITOR_INSTANCE),
      sessions: {
        isHeld: no,
        optionsOf: (id: string) => ({ model: id === 'asks' ? 'editor/copilot/x' : 'claude' }),
      },
    } as unknown as AgentParts;
    const queue = {
      waiting: () => ['asks', 'other'],
      list: () => [{}],
      pause: () => undefined,
      takeNext: (id: string) => void taken.push(id),
    } as unknown as Lanes;
    const turns = new RunTurns(
      () => 0,
      () => 8,
    );
    const lease = { isElsewhere: no };
    const runs = { isBusy: () => false, lease, turns } as unknown as ActiveRuns;
    const left = { run: async () => Promise.resolve(undefined) } as unknown as AbandonedRuns;
    const dispatcher = new Dispatcher(parts, runs, queue, left);
    await dispatcher.resumeQueues();
    assert.deepEqual(taken, ['other']);
    // The person acts: it goes.
    await dispatcher.resumeQueue('asks');
    assert.deepEqual(taken, ['other', 'asks']);
  });

  it('only models of the editor may ask', () => {
    const one = { id: 'a', name: 'a', baseUrl: '', models: [] } as const;
    assert.deepEqual(
      (['vscode-lm', 'messages', 'chat', 'demo'] as const).map((wire) =>
        asksPerson({ ...one, wire }),
      ),
      [true, false, false, false],
    );
  });
});
