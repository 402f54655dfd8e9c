import assert from 'node:assert/strict';
import type { BelayPage } from './belay-page.ts';
import { crashRounds } from './crash-rounds.ts';
import { useSharedPermissiveWindow } from './window.ts';

/** An answer is being written, a command runs, the model is awaited; more rounds are `npm run bench -- host-kills`. */
const MOMENTS = 3;

describe('the extension host dies in the middle of a run', () => {
  let belay: BelayPage;

  useSharedPermissiveWindow((page) => {
    belay = page;
  });

  it('C8 C9: each time, the panel is back with the whole conversation, the handoff is right, Resume goes on', async () => {
    const rounds = await crashRounds(belay, MOMENTS);
    assert.equal(rounds.length, MOMENTS);
    const history = JSON.stringify(belay.turns.at(-1)?.messages);
    for (let round = 1; round <= MOMENTS; round += 1)
      assert.ok(history.includes(`Round ${round}: `), `round ${round} is not in the history`);
  });
});
