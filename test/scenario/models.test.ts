import assert from 'node:assert/strict';
import { textOf } from '../../src/domain/message.ts';
import { TestEngine } from '../support/engine/test-engine.ts';
import { fail, say } from '../support/model-server/turn.ts';
import type { Turn, WireRequest } from '../support/model-server/turn.ts';

const bodies = (test: TestEngine): readonly WireRequest[] =>
  test.server.requests.map((request) => request.body);
const isTitle = (request: WireRequest): boolean =>
  JSON.stringify(request.system).includes('You write the title');
const MODEL = 'claude-sonnet-4-5';
const NEXT = 'claude-haiku-4-5';

describe('stories of several models', function () {
  this.timeout(60_000);

  for (const [what, dead, asked] of [
    ['overloaded to the end', fail(529, 'overloaded_error', 'Overloaded'), 3],
    ['unknown', fail(404, 'not_found_error', `model: ${MODEL}`), 1],
    ['refusing', { content: [], stopReason: 'refusal' }, 1],
  ] as const satisfies readonly (readonly [string, Turn, number])[]) {
    it(`A11: when the model is ${what} the next of the chain answers, and usage and message name it`, async () => {
      await using test = await TestEngine.open({
        script: ({ model }) => (model === MODEL ? dead : say('From the second.')),
        settings: { 'model.fallbacks': [NEXT], 'advanced.modelRetries': 2 },
      });
      const { sessionId, end } = await test.run('Hello.');
      assert.equal(end?.reason, 'done', JSON.stringify(end));
      assert.equal(bodies(test).filter(({ model }) => model === MODEL).length, asked);
      const answer = (await test.messages(sessionId)).at(-1);
      assert.equal(answer?.model, NEXT);
      assert.equal(textOf(answer), 'From the second.');
      const [fallback] = test.ofType('model.fallback');
      assert.deepEqual([fallback?.from, fallback?.to], [MODEL, NEXT]);
      assert.equal(test.ofType('model.usage').at(-1)?.model, NEXT);
      const total = await test.engine.store.usage.total(0);
      assert.ok(total.tokens > 0);
    });
  }

  it('A11: without another model the failure stands, and the session goes on later', async () => {
    let dead = true;
    await using test = await TestEngine.open({
      script: () => (dead ? fail(529, 'overloaded_error', 'Overloaded') : say('Good again.')),
      settings: { 'model.fallbacks': [NEXT], 'advanced.modelRetries': 1 },
    });
    const { sessionId, end } = await test.run('Hello.');
    assert.equal(end?.failure?.code, 'overloaded');
    assert.equal(end.canContinue, true);
    dead = false;
    await test.engine.agent.continueRun(sessionId);
    assert.equal((await test.engine.agent.runs.settled(sessionId))?.reason, 'done');
  });

  it('B2: titles and summaries each have their own model, and all go through the chain', async () => {
    const isSummary = (request: WireRequest): boolean =>
      JSON.stringify(request.system).includes('You summarize the record');
    await using test = await TestEngine.open({
      script: (request) => {
        if (isTitle(request)) return say('A title');
        if (isSummary(request))
          return request.model === 'claude-opus-4-5'
            ? fail(404, 'not_found_error', 'model: claude-opus-4-5')
            : say('## Goal\nTalk.');
        return say('word '.repeat(3000));
      },
      settings: {
        'model.smallModel': 'claude-sonnet-4-5',
        'model.titleModel': 'claude-haiku-4-5',
        'model.summaryModel': 'claude-opus-4-5',
        'model.fallbacks': [NEXT],
        'advanced.keepMessages': 2,
        'model.contextLimit': 40_000,
      },
      host: { titlesByModel: true },
    });
    const { sessionId } = await test.run('Talk.');
    for (let n = 0; n < 8; n += 1) {
      await test.engine.agent.send(sessionId, { text: `Go on ${n}.` });
      await test.engine.agent.runs.settled(sessionId);
    }
    const asked = (of: (request: WireRequest) => boolean): readonly string[] => [
      ...new Set(
        bodies(test)
          .filter(of)
          .map(({ model }) => model),
      ),
    ];
    assert.deepEqual(asked(isTitle), ['claude-haiku-4-5']);
    assert.deepEqual(asked(isSummary), ['claude-opus-4-5', NEXT]);
    assert.deepEqual(
      asked((one) => !isTitle(one) && !isSummary(one)),
      [MODEL],
    );
  });

  it('B10: the title is made by the small model beside the first turn, and never delays it', async () => {
    await using test = await TestEngine.open({
      script: (request) =>
        isTitle(request) ? { ...say('A fine title'), delayMs: 1500 } : say('Done.'),
      host: { titlesByModel: true },
    });
    const { sessionId, end } = await test.run('Please look at the parser.');
    assert.equal(end?.reason, 'done');
    assert.equal(test.ofType('session.titled').at(-1)?.title, 'Please look at the parser');
    while (test.ofType('session.titled').length < 2)
      await new Promise((resolve) => setTimeout(resolve, 20));
    assert.equal(test.ofType('session.titled').at(-1)?.title, 'A fine title');
    assert.equal((await test.engine.store.transcripts.session(sessionId))?.title, 'A fine title');
    const titles = bodies(test).filter(isTitle);
    assert.equal(titles.length, 1);
    assert.match(titles[0]?.model ?? '', /haiku/u);
    assert.equal(titles[0]?.tools, undefined);
    assert.equal(test.ofType('model.usage').find(({ purpose }) => purpose === 'title')?.runId, '');
  });

  it('B10: a title that fails changes nothing; a name given by the person is never replaced', async () => {
    await using test = await TestEngine.open({
      script: (request) =>
        isTitle(request) ? { ...say('A fine title'), delayMs: 300 } : say('Done.'),
      host: { titlesByModel: true },
    });
    const { sessionId } = await test.run('Please look at the parser.');
    await test.engine.agent.sessions.rename(sessionId, 'Mine');
    await new Promise((resolve) => setTimeout(resolve, 600));
    assert.equal((await test.engine.store.transcripts.session(sessionId))?.title, 'Mine');
    test.server.use((request) =>
      isTitle(request) ? fail(400, 'invalid_request_error', 'no') : say('Done.'),
    );
    const other = await test.run('Another thing.');
    assert.equal(other.end?.reason, 'done');
    assert.equal(
      (await test.engine.store.transcripts.session(other.sessionId))?.title,
      'Another thing',
    );
  });
});
