import assert from 'node:assert/strict';
import { firstPaintOf, readFirstPaint } from '../../../src/protocol/first-paint.ts';
import type { HostMessage } from '../../../src/protocol/envelope.ts';
import type { Snapshot } from '../../../src/protocol/snapshot.ts';
import { EarlyPage } from '../../../src/panel/early-page.ts';
import { begin, open, S, say, text } from './open-panel.ts';
import { settled } from './mirror.ts';
import { paintsOf } from './stage-memory.ts';
import type { Stage } from './stage.ts';

const VERSION = '1.0.0';
/** Characters of JSON. */
const LIMIT = 40_000;

/** A session with so many messages, each of this many characters. */
function talk(stage: Stage, messages: number, characters = 40): void {
  for (let index = 1; index <= messages; index += 1)
    stage.store(S, index % 2 === 0 ? 'assistant' : 'user', [
      text(`${index}: ${'word '.repeat(characters / 5)}`),
    ]);
}

const snapshotOf = async (prepare: (stage: Stage) => void): Promise<Snapshot> => {
  const { stage, mirror } = await open(prepare);
  stage.panel.dispose();
  assert.ok(mirror.snapshot !== undefined);
  return mirror.snapshot;
};

describe('what the panel is painted with first', () => {
  it('is the end of the conversation, whole messages of it', async () => {
    const paint = firstPaintOf(await snapshotOf((stage) => talk(stage, 30)));
    assert.deepEqual(
      paint?.session.messages.map(({ seq }) => seq),
      [21, 22, 23, 24, 25, 26, 27, 28, 29, 30],
    );
    assert.deepEqual(readFirstPaint({ mark: VERSION, paint }, VERSION), paint);
  });

  it('is the place where the person reads', async () => {
    const snapshot = await snapshotOf((stage) => {
      talk(stage, 30);
      const messageId = stage.messages.get(S)?.[4]?.id ?? '';
      stage.saved.set(S, { draft: '', scroll: { messageId, offset: 12 } });
    });
    const { session } = firstPaintOf(snapshot) ?? {};
    assert.deepEqual([session?.messages[0]?.seq, session?.saved.scroll?.offset], [5, 12]);
  });

  it('is small, however large things are', async () => {
    const snapshot = await snapshotOf((stage) => {
      for (let session = 0; session < 300; session += 1)
        stage.addSession({ id: `other-${session}`, title: 'A long title '.repeat(10) });
      talk(stage, 20, 200_000);
      const input = { path: 'a.ts', content: 'x'.repeat(100_000) };
      stage.store(S, 'assistant', [{ type: 'tool_call', id: 'c', name: 'write_file', input }]);
      stage.store(S, 'assistant', [text('The end of it.')]);
      stage.saved.set(S, { draft: 'y'.repeat(100_000), scroll: null });
    });
    const paint = firstPaintOf(snapshot);
    const size = JSON.stringify(paint).length;
    assert.ok(size < LIMIT, `${size}`);
    assert.match(JSON.stringify(paint?.session.messages.at(-1)), /The end of it/u);
    const alone = firstPaintOf(await snapshotOf((stage) => talk(stage, 1, 900_000)));
    assert.ok(JSON.stringify(alone).length < LIMIT);
    assert.match(JSON.stringify(alone?.session.messages), /word word/u);
  });

  it('has nothing that waits, runs or can be answered, and no answer that was being written', async () => {
    const { stage, mirror } = await open((made) => talk(made, 2));
    begin(stage);
    say(stage, 'half an ans');
    stage.ask({ sessionId: S, callId: 'c' });
    await settled();
    assert.ok(mirror.snapshot !== undefined);
    const { session, sessions } = firstPaintOf(mirror.snapshot) ?? {};
    assert.deepEqual(session?.approvals, []);
    assert.equal(session?.run.phase, 'idle');
    assert.equal(session?.messages.length, 2);
    assert.deepEqual(
      sessions?.rows.map(({ state }) => state),
      ['idle'],
    );
    mirror.detach();
  });

  it('is nothing of another version, and nothing where it is damaged', () => {
    for (const kept of [undefined, null, 7, 'paint', [], {}, { mark: VERSION }])
      assert.equal(readFirstPaint(kept, VERSION), undefined);
    assert.equal(readFirstPaint({ mark: '0.9.0', paint: { session: {} } }, VERSION), undefined);
    assert.equal(readFirstPaint({ mark: VERSION, paint: { session: {} } }, VERSION), undefined);
  });

  it('is kept at rest, not with each word, and once more at the end', async () => {
    const { clock, stage, mirror } = await open((made) => talk(made, 2));
    await clock.advance(1000);
    assert.equal(paintsOf(stage).length, 1);
    await clock.advance(60_000);
    assert.equal(paintsOf(stage).length, 1, 'nothing happened');
    begin(stage);
    for (let word = 0; word < 100; word += 1) {
      say(stage, 'word ');
      await clock.advance(100);
    }
    assert.equal(paintsOf(stage).length, 1, 'an answer grew');
    await mirror.request('saveViewState', { sessionId: S, draft: 'typed', scroll: null });
    stage.panel.dispose();
    assert.equal(paintsOf(stage).length, 2);
    assert.equal(paintsOf(stage).at(-1)?.session.saved.draft, 'typed');
  });

  it('is gone with its session', async () => {
    const { clock, stage, mirror } = await open((made) => talk(made, 2));
    await clock.advance(1000);
    assert.match(JSON.stringify(paintsOf(stage).at(-1)), /word word/u);
    await mirror.request('deleteSessions', { sessionIds: [S] });
    await clock.advance(1000);
    assert.doesNotMatch(JSON.stringify(paintsOf(stage).at(-1)), /word word/u);
  });
});

describe('the page before its host is there', () => {
  it('keeps what is asked in its order, and the host does it once', async () => {
    const { stage } = await open((made) => {
      talk(made, 2);
      made.addSession({ id: 'painted', title: 'Painted' });
    });
    const listeners = new Set<(raw: unknown) => void>();
    const posted: HostMessage[] = [];
    const early = new EarlyPage(line(listeners, posted), undefined);
    const send = (raw: unknown): void => listeners.forEach((listener) => listener(raw));
    send({ type: 'ready' });
    send({ type: 'request', id: 1, name: 'send', params: message('painted', 'Early') });
    send({ type: 'request', id: 2, name: 'send', params: message('painted', 'And more') });
    stage.panel.line.attach(early);
    await settled();
    assert.deepEqual(
      stage.calls.filter((call) => call.startsWith('send')),
      ['send queue Early', 'send queue And more'],
    );
    assert.deepEqual(
      posted.flatMap((one) => (one.type === 'reply' ? [one.id] : [])),
      [1, 2],
    );
    assert.equal(stage.panel.session.view.id, 'painted', 'what is asked there is answered there');
    stage.panel.dispose();
  });

  it('says that there will be no host, and gives back what was sent', () => {
    const listeners = new Set<(raw: unknown) => void>();
    const posted: HostMessage[] = [];
    const early = new EarlyPage(line(listeners, posted), undefined);
    const send = (raw: unknown): void => listeners.forEach((listener) => listener(raw));
    send({ type: 'ready' });
    send({ type: 'request', id: 1, name: 'send', params: message(null, 'Early') });
    early.fail();
    send({ type: 'request', id: 2, name: 'send', params: message(null, 'Late') });
    const [first, ...others] = posted;
    assert.ok(first?.type === 'snapshot');
    assert.match(first.snapshot.session.error ?? '', /could not start/u);
    assert.deepEqual(
      others.map((one) => one.type === 'refusal' && one.id),
      [1, 2],
    );
  });
});

const message = (sessionId: string | null, said: string) => ({
  sessionId,
  text: said,
  attachments: [],
  how: 'queue' as const,
});

const line = (listeners: Set<(raw: unknown) => void>, posted: HostMessage[]) => ({
  visible: true,
  post: (raw: unknown) => void posted.push(raw as HostMessage),
  onMessage: (listener: (raw: unknown) => void) => {
    listeners.add(listener);
    return { dispose: () => listeners.delete(listener) };
  },
  onVisibility: () => ({ dispose: () => undefined }),
});
