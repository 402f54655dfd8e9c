import assert from 'node:assert/strict';
import { EMPTY_REVIEW } from '../../../src/protocol/review-view.ts';
import { EMPTY_SESSION, type Snapshot } from '../../../src/protocol/snapshot.ts';
import { Bridge, type StateMessage } from '../../../webview/host/bridge.ts';
import { Refusal } from '../../../webview/host/pending-requests.ts';

const snapshot: Snapshot = {
  app: {
    hasKey: true,
    offeredKey: null,
    trusted: true,
    hasWorkspace: true,
    lostKey: null,
    serverProblems: [],
  },
  models: [],
  sessions: { rows: [], total: 0, error: null, deleted: null },
  session: EMPTY_SESSION,
  review: EMPTY_REVIEW,
};

function open(): { bridge: Bridge; sent: unknown[]; shown: StateMessage[]; paint: () => void } {
  const sent: unknown[] = [];
  const shown: StateMessage[] = [];
  const frames: (() => void)[] = [];
  const bridge = new Bridge(
    { post: (message) => sent.push(message) },
    (message) => shown.push(message),
    (run) => frames.push(run),
  );
  return { bridge, sent, shown, paint: () => frames.splice(0).forEach((run) => run()) };
}

const changes = (seq: number) => ({ type: 'changes', seq, now: 0, changes: [] });

describe('the bridge of the panel', () => {
  it('acknowledges a batch when it is on screen, not before', () => {
    const { bridge, sent, shown, paint } = open();
    bridge.receive({ type: 'snapshot', seq: 4, now: 0, snapshot });
    bridge.receive(changes(5));
    assert.equal(shown.length, 2);
    assert.deepEqual(sent, []);
    paint();
    assert.deepEqual(sent, [
      { type: 'ack', seq: 4 },
      { type: 'ack', seq: 5 },
    ]);
  });

  it('asks for a snapshot when a number is missing, and shows nothing in between', () => {
    const { bridge, sent, shown } = open();
    bridge.receive({ type: 'snapshot', seq: 4, now: 0, snapshot });
    bridge.receive(changes(6));
    bridge.receive(changes(7));
    assert.equal(shown.length, 1);
    assert.deepEqual(sent, [{ type: 'ready' }]);
    bridge.receive({ type: 'snapshot', seq: 8, now: 0, snapshot });
    bridge.receive(changes(9));
    assert.equal(shown.length, 3);
  });

  it('asks for a snapshot when a batch comes twice or late, and shows neither', () => {
    for (const late of [5, 4]) {
      const { bridge, sent, shown } = open();
      bridge.receive({ type: 'snapshot', seq: 4, now: 0, snapshot });
      bridge.receive(changes(5));
      sent.length = 0;
      bridge.receive(changes(late));
      bridge.receive(changes(6));
      assert.equal(shown.length, 2);
      assert.deepEqual(sent, [{ type: 'ready' }]);
    }
  });

  it('settles a request once, and knows none of another', async () => {
    const { bridge } = open();
    const asked = bridge.request('copy', { text: 'a' });
    bridge.receive({ type: 'reply', id: 9, value: 'forged' });
    bridge.receive({ type: 'reply', id: 1, value: 'first' });
    bridge.receive({ type: 'reply', id: 1, value: 'second' });
    assert.equal(await asked, 'first');
  });

  it('shows no changes before the first snapshot', () => {
    const { bridge, shown } = open();
    bridge.receive(changes(1));
    assert.deepEqual(shown, []);
  });

  it('gives each reply to its request, in any order', async () => {
    const { bridge, sent } = open();
    const first = bridge.request('copy', { text: 'a' });
    const second = bridge.request('tryDemo', {});
    bridge.receive({ type: 'reply', id: 2, value: null });
    bridge.receive({
      type: 'refusal',
      id: 1,
      failure: { code: 'unexpected', message: 'No clipboard.' },
    });
    assert.equal(await second, null);
    await assert.rejects(
      first,
      (error) => error instanceof Refusal && error.message === 'No clipboard.',
    );
    assert.deepEqual(sent[0], { type: 'request', id: 1, name: 'copy', params: { text: 'a' } });
  });

  it('ignores what is not the host’s', () => {
    const { bridge, sent, shown } = open();
    for (const raw of ['x', null, { type: 'changes' }, { type: 'webpackOk' }, changes(1)])
      bridge.receive(raw);
    assert.deepEqual([sent, shown], [[], []]);
  });
});
