import assert from 'node:assert/strict';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { costOf } from '../../src/core/model-call/cost.ts';
import { createCatalog } from '../../src/providers/catalog/catalog.ts';
import { open } from '../contract/store/support.ts';
import { HeadlessPlace } from '../support/headless/place.ts';
import { say } from '../support/model-server/turn.ts';

const MODEL = 'claude-haiku-4-5';
const INPUT = {
  input_tokens: 1000,
  cache_read_input_tokens: 2000,
  cache_creation_input_tokens: 3000,
};
/** The output that is reported with the first event is one token. */
const KILLED = {
  inputTokens: 1000,
  outputTokens: 1,
  cacheReadTokens: 2000,
  cacheWriteTokens: 3000,
};
const CAPS = (['run', 'session', 'day', 'month'] as const).flatMap((period) =>
  (['tokens', 'cost'] as const).map((unit) => ({ period, unit, limit: 1 })),
);

/** Rows of the token log, as another process sees them on disk. */
function rowsIn(place: HeadlessPlace): number {
  try {
    const database = new DatabaseSync(path.join(place.data, 'belay.db'), { readOnly: true });
    const [row] = database.prepare('SELECT count(*) AS rows FROM usage').all();
    database.close();
    return Number(row?.['rows']);
  } catch {
    return 0; // it is not there yet
  }
}

describe('a model call that is killed in the middle of its answer', function () {
  this.timeout(60_000);

  it('counts what it was paid for in the usage and in every budget, once, and no further request exceeds the cap', async () => {
    await using place = await HeadlessPlace.make((_request, n) =>
      n === 1
        ? { ...say('It goes on.'), usage: INPUT, cut: { how: 'hang', at: { events: 3 } } }
        : say('Done.', { usage: { ...INPUT, output_tokens: 50 } }),
    );
    const person = path.join(place.folder, 'person');
    const counted = async () => {
      const store = await open(place.data, { person: { folder: person, name: 'workspace' } });
      const [session] = await store.transcripts.sessions();
      const sessionId = session?.id ?? '';
      const [run] = await store.runs.runs({ sessionId });
      const uses = await store.person.uses(CAPS, { sessionId, runId: run?.id ?? '' });
      const records = await store.usage.records(sessionId);
      await store.close();
      return { session, records, uses: uses.map(({ used }) => Number(used.toFixed(9))) };
    };
    const more = `--model ${MODEL} --person ${person}`;
    const host = await place.start(`--prompt work ${more}`);
    while (rowsIn(place) === 0) await delay(10);
    host.kill();
    assert.ok((await host.ended).killed);

    const killed = await counted();
    const { prices } = createCatalog({ offered: ['anthropic'] }).lookup(MODEL);
    assert.ok(prices);
    const cost = costOf(KILLED, prices);
    assert.deepEqual(
      killed.records.map((record) => [record.usage, record.cost]),
      [[KILLED, cost]],
    );
    assert.deepEqual(
      killed.uses,
      Array.from({ length: 4 }, () => [6001, Number(cost.toFixed(9))]).flat(),
    );

    const capped = await place.run(`--resume --set budget.tokensPerSession=6100 ${more}`);
    assert.match(capped.stderr, /6,001 tokens/u);
    assert.equal(place.server.requests.length, 1, 'nothing was sent');

    const resumed = await place.run(`--resume ${more}`);
    assert.equal(resumed.stdout, 'Done.\n', resumed.stderr);
    const { records, session, uses } = await counted();
    assert.equal(records.length, 2);
    assert.deepEqual([session?.inputTokens, session?.outputTokens], [12_000, 51]);
    assert.deepEqual(
      uses.filter((_use, index) => index % 2 === 0),
      [12_051, 12_051, 12_051, 12_051],
    );
  });
});
