import assert from 'node:assert/strict';
import { textOf } from '../../src/domain/message.ts';
import { TestEngine } from '../support/engine/test-engine.ts';
import { fail, say } from '../support/model-server/turn.ts';
import type { Script, Turn, WireRequest } from '../support/model-server/turn.ts';

const isSummary = (request: WireRequest): boolean =>
  JSON.stringify(request.system).includes('You summarize the record');
const ordinary = (test: TestEngine): readonly WireRequest[] =>
  test.server.requests.map((request) => request.body).filter((body) => !isSummary(body));
const summaries = (test: TestEngine): readonly WireRequest[] =>
  test.server.requests.map((request) => request.body).filter(isSummary);
const scripted =
  (summary: Turn): Script =>
  (request, n) =>
    isSummary(request) ? summary : say(`Answer ${n}: ${'long '.repeat(300)}`);

/** A session of some exchanges that is not busy. */
async function talked(test: TestEngine, exchanges = 5): Promise<string> {
  const { sessionId } = await test.run('Message 1.');
  for (let n = 2; n <= exchanges; n += 1) await exchange(test, sessionId, `Message ${n}.`);
  return sessionId;
}

async function exchange(test: TestEngine, sessionId: string, text: string): Promise<void> {
  await test.engine.agent.send(sessionId, { text });
  assert.equal((await test.engine.agent.runs.settled(sessionId))?.reason, 'done');
}

const sent = (test: TestEngine): string => JSON.stringify(ordinary(test).at(-1)?.messages);

describe('stories of summaries on demand', function () {
  this.timeout(60_000);

  it('B11: /compact with an instruction summarizes with the small model, and the next request is shorter', async () => {
    await using test = await TestEngine.open({ script: scripted(say('## Goal\nTalk about it.')) });
    const sessionId = await talked(test);
    const before = sent(test).length;
    await test.engine.agent.compaction.summarize(sessionId, 'Keep every file name.');
    const [request] = summaries(test);
    assert.match(request?.model ?? '', /haiku/u);
    assert.match(JSON.stringify(request), /Keep every file name\./u);
    assert.deepEqual(
      test.ofType('summarize.progress').map(({ done }) => done),
      [false, true],
    );
    const [event] = test.ofType('agent.compaction.run');
    assert.equal(event?.reason, 'requested');
    assert.ok(event.tokensAfter < event.tokensBefore);
    const transcript = await test.messages(sessionId);
    assert.equal(transcript.filter(({ role }) => role === 'assistant').length, 5, 'all is there');
    await exchange(test, sessionId, 'And now?');
    assert.ok(sent(test).length < before, 'shorter');
    assert.match(sent(test), /Talk about it\./u);
    assert.doesNotMatch(sent(test), /Answer 2:/u);
    assert.match(sent(test), /Message 1\.[^]*Message 5\./u);
  });

  it('C3: a compaction that is taken back changes nothing any more, after a restart neither', async () => {
    const first = await TestEngine.open({ script: scripted(say('## Goal\nTalk about it.')) });
    const sessionId = await talked(first);
    await first.engine.agent.compaction.summarize(sessionId);
    const [made] = await first.engine.store.transcripts.compactions(sessionId);
    assert.match(made?.summary ?? '', /Talk about it\./u, 'it can be read');
    await first.engine.agent.compaction.undo(sessionId, made?.id ?? '');
    await exchange(first, sessionId, 'And now?');
    assert.match(sent(first), /Answer 2:/u);
    assert.doesNotMatch(sent(first), /Talk about it\./u);
    await first.close();
    await using test = await TestEngine.open({ script: scripted(say('x')), after: first });
    await exchange(test, sessionId, 'And after a restart?');
    assert.match(sent(test), /Answer 2:/u);
  });

  it('B11: says before it pays that the conversation is below the named target already', async () => {
    await using test = await TestEngine.open({ script: scripted(say('## Goal\nPaid.')) });
    const sessionId = await talked(test);
    await assert.rejects(
      test.engine.agent.compaction.summarize(sessionId, 'to 150k keep the names'),
      /already fits.*150,000/u,
    );
    assert.equal(summaries(test).length, 0);
  });

  it('B11: refused while the session is busy, with what to do', async () => {
    await using test = await TestEngine.open({ script: () => say('late', { delayMs: 60_000 }) });
    const sessionId = await test.start('Hello.');
    await test.event('model.request');
    await assert.rejects(test.engine.agent.compaction.summarize(sessionId), { code: 'busy' });
    test.engine.agent.runs.cancel(sessionId);
    await test.engine.agent.runs.settled(sessionId);
  });

  it('B11: canceled, it changes nothing; messages sent meanwhile go on after it', async () => {
    await using test = await TestEngine.open({
      script: scripted({ ...say('## Goal\nLate.'), delayMs: 60_000 }),
    });
    const sessionId = await talked(test);
    const summarizing = test.engine.agent.compaction.summarize(sessionId);
    while (summaries(test).length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    assert.equal(test.engine.agent.runs.isBusy(sessionId), true);
    await test.engine.agent.send(sessionId, { text: 'Sent meanwhile.' });
    test.engine.agent.runs.cancel(sessionId);
    await assert.rejects(summarizing, { code: 'canceled' });
    assert.equal(test.ofType('summarize.progress').at(-1)?.failure?.code, 'canceled');
    assert.deepEqual(await test.engine.store.transcripts.compactions(sessionId), []);
    while (test.engine.agent.runs.isBusy(sessionId)) {
      await test.engine.agent.runs.settled(sessionId);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    assert.match(sent(test), /Sent meanwhile\./u);
    assert.match(sent(test), /Answer 2:/u);
  });

  it('C3: when the summary call fails older messages are cut by rule, and it is said', async () => {
    await using test = await TestEngine.open({
      script: scripted(fail(400, 'invalid_request_error', 'no')),
    });
    const sessionId = await talked(test);
    await test.engine.agent.compaction.summarize(sessionId);
    assert.equal(test.ofType('agent.compaction.run')[0]?.strategy, 'truncate');
    assert.match(
      test.ofType('warning')[0]?.message ?? '',
      /shortened by rule instead of summarized[^]*kept/u,
    );
    await exchange(test, sessionId, 'And now?');
    assert.match(sent(test), /Message 2\./u, 'what the person asked for stays');
  });

  it('B11: with nothing to summarize it says so', async () => {
    await using test = await TestEngine.open({ script: scripted(say('## Goal\nx')) });
    const { sessionId } = await test.run('Hello.');
    await assert.rejects(test.engine.agent.compaction.summarize(sessionId), { code: 'invalid' });
    assert.equal(summaries(test).length, 0);
    assert.equal((await test.messages(sessionId)).map(textOf).filter((text) => text).length, 3);
  });

  it('C3: compacted twice, the second summary builds on the first', async () => {
    await using test = await TestEngine.open({ script: scripted(say('## Goal\nTalk about it.')) });
    const sessionId = await talked(test);
    await test.engine.agent.compaction.summarize(sessionId);
    await exchange(test, sessionId, 'Message 6.');
    await exchange(test, sessionId, 'Message 7.');
    await test.engine.agent.compaction.summarize(sessionId);
    assert.match(JSON.stringify(summaries(test)[1]), /Talk about it\./u);
    const made = await test.engine.store.transcripts.compactions(sessionId);
    assert.equal(made.length, 2);
    await test.engine.agent.compaction.undo(sessionId, made[1]?.id ?? '');
    await exchange(test, sessionId, 'And now?');
    assert.match(sent(test), /Talk about it\.[^]*Message 6\./u, 'the first one holds again');
  });

  it('D2: /compact goes down to the target that is named, or says what it came to', async () => {
    await using test = await TestEngine.open({ script: scripted(say('## Goal\nTalk about it.')) });
    const sessionId = await talked(test, 8);
    await test.engine.agent.compaction.summarize(sessionId, '1 tokens');
    const [tight] = test.ofType('agent.compaction.run');
    assert.match(
      test.ofType('warning').at(-1)?.message ?? '',
      new RegExp(`has ${tight?.tokensAfter.toLocaleString('en')} tokens, not 1: .*taken back`, 'u'),
    );
    await test.engine.agent.compaction.undo(sessionId, tight?.compactionId ?? '');
    await test.engine.agent.compaction.summarize(sessionId);
    const loose = test.ofType('agent.compaction.run').at(-1);
    await test.engine.agent.compaction.undo(sessionId, loose?.compactionId ?? '');
    assert.ok((loose?.tokensAfter ?? 0) > (tight?.tokensAfter ?? 0));
    const between = Math.floor(((loose?.tokensAfter ?? 0) + (tight?.tokensAfter ?? 0)) / 2);
    await test.engine.agent.compaction.summarize(sessionId, `${between} tokens Keep the names.`);
    const named = test.ofType('agent.compaction.run').at(-1);
    assert.ok((named?.tokensAfter ?? Infinity) <= between, `${named?.tokensAfter} > ${between}`);
    assert.match(JSON.stringify(summaries(test).at(-1)), /Keep the names\./u);
    await assert.rejects(test.engine.agent.compaction.summarize(sessionId, '900%'), {
      code: 'invalid',
    });
  });
});
