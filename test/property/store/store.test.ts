import assert from 'node:assert/strict';
import fc from 'fast-check';
import { BelayError } from '../../../src/domain/failure.ts';
import type { Store } from '../../../src/store/store.ts';
import { open, temporaryFolder } from '../../contract/store/support.ts';
import {
  actions,
  emptyModel,
  plan,
  remove,
  restarted,
  type Action,
  type Model,
} from './store-model.ts';
import { runs } from '../../support/seed.ts';

const RUNS = runs(12);

describe('property: the store', () => {
  it('remembers exactly what a plain model remembers, whatever is written, refused, deleted, reopened', async function () {
    this.timeout(0);
    await fc.assert(
      fc.asyncProperty(actions, async (drawn) => {
        const folder = temporaryFolder();
        let store = await open(folder.path);
        let model = emptyModel();
        try {
          for (const action of drawn) {
            if (action.kind === 'reopen') {
              await store.close();
              store = await open(folder.path);
              restarted(model);
            } else {
              model = await perform(store, model, action);
            }
          }
          await compare(store, model);
          await store.close();
          store = await open(folder.path);
          restarted(model);
          await compare(store, model);
          assert.deepEqual(store.problems, []);
        } finally {
          await store.close();
          folder.remove();
        }
      }),
      { numRuns: RUNS },
    );
  });
});

async function perform(
  store: Store,
  before: Model,
  action: Exclude<Action, { kind: 'reopen' }>,
): Promise<Model> {
  if (action.kind === 'delete') {
    remove(before, `s${action.id}`);
    await store.transcripts.deleteSession(`s${action.id}`);
    return before;
  }
  let model = before;
  const outcomes: Promise<void>[] = [];
  for (const steps of action.kind === 'batch' ? [action.steps] : action.batches) {
    const { writes, after } = plan(model, steps);
    const committed = store.recorder.commit(writes);
    outcomes.push(after === undefined ? assert.rejects(committed, BelayError) : committed);
    model = after ?? model;
  }
  await Promise.all(outcomes);
  return model;
}

async function compare(store: Store, model: Model): Promise<void> {
  const sessions = await store.transcripts.sessions();
  assert.deepEqual(new Set(sessions.map((one) => one.id)), new Set(model.sessions.keys()));
  for (const found of sessions) {
    const expected = model.sessions.get(found.id);
    assert.ok(expected);
    assert.equal(found.title, expected.title);
    assert.equal(found.parentId, expected.parent);
    assert.equal(found.cost, expected.cost);
    assert.equal(found.messageCount, expected.texts.length);
    const messages = await store.transcripts.messages({ sessionId: found.id });
    assert.deepEqual(
      messages.map((one) => one.parts),
      expected.texts.map((text) => [{ type: 'text', text }]),
    );
    const calls = await store.runs.ledger({ sessionId: found.id });
    assert.deepEqual(new Map(calls.map((one) => [one.callId, one.state])), expected.calls);
    const values = await store.values.list('', found.id);
    for (const { key, value } of values)
      assert.deepEqual(value, model.values.get(`${found.id}/${key}`));
    const names = [...model.values.keys()].filter((name) => name.startsWith(`${found.id}/`));
    assert.equal(values.length, names.length);
    const queued = (await store.runs.queued(found.id)).map((one) => [
      one.id,
      one.position,
      one.text,
    ]);
    const waiting = [...model.queued].filter(([, one]) => one.sessionId === found.id);
    assert.deepEqual(
      new Set(queued.map((one) => JSON.stringify(one))),
      new Set(waiting.map(([id, one]) => JSON.stringify([id, one.position, one.text]))),
    );
    const positions = queued.map((one) => Number(one[1]));
    assert.deepEqual(
      positions,
      positions.toSorted((left, right) => left - right),
    );
  }
  assert.equal((await store.usage.total(0)).cost, model.spent);
  for (const { key, value } of await store.values.list('')) {
    assert.deepEqual(value, model.values.get(`/${key}`));
  }
}
