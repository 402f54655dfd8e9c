import assert from 'node:assert/strict';
import { mcpPerson } from '../../src/compose/mcp/mcp-person.ts';
import type { Engine } from '../../src/compose/engine.ts';
import { textOf, toolResultsOf } from '../../src/domain/message.ts';
import { Harness, wicked } from '../mcp/support/harness.ts';
import { TestEngine } from '../support/engine/test-engine.ts';
import { call, calls, say } from '../support/model-server/turn.ts';

/** Tokens of the month: enough for the first turn and some answers. */
const BUDGET = 30_000;

describe('stories of sampling', function () {
  this.timeout(60_000);

  it('a server that asks for the model again and again is stopped by the budget, and so is the run', async () => {
    const engine = Promise.withResolvers<Engine>();
    let ids = 0;
    const harness = new Harness({
      support: {
        person: mcpPerson({
          human: { ask: async () => assert.fail('no question was expected') },
          nextId: async () => `q${(ids += 1)}`,
          modelOf: async (id) => (await engine.promise).runs.running.modelOf(id),
          lend: async (...asked) => (await engine.promise).runs.running.lend(...asked),
          openPage: async () => false,
          signIn: async () => false,
        }),
      },
    });
    harness.configure({ wicked: wicked('asks') });
    const { name } = await harness.tool('sample');
    await using test = await TestEngine.open({
      script: (request) =>
        JSON.stringify(request.messages).includes('Question')
          ? say('an answer of the model', { usage: { input_tokens: 500, output_tokens: 100 } })
          : calls(call(name, {})),
      settings: { 'budget.tokensPerMonth': BUDGET },
      host: { mcpTools: async (moment) => harness.hub.tools(moment) },
    });
    engine.resolve(test.engine);
    try {
      const { sessionId, end } = await test.run('go');
      assert.equal(end?.reason, 'budget');
      const [result] = (await test.messages(sessionId)).flatMap((one) => toolResultsOf(one));
      const said = JSON.stringify(result?.content);
      assert.match(
        said,
        /Answer \d+ was refused: You have used [\d,]+ tokens of this month’s limit/u,
      );
      const { tokens } = await test.engine.store.usage.total(0);
      assert.ok(tokens >= BUDGET && tokens < 2 * BUDGET, String(tokens));
      // Each prompt was asked about, whole, with the model that would answer it.
      const asked = test.human.approvals.filter(({ title }) => /Let the model answer/u.test(title));
      assert.ok(asked.length > 1, `${asked.length} questions, ${tokens} tokens`);
      for (const [index, { detail, where }] of asked.entries()) {
        assert.equal(detail, `user: Question ${index + 1}`);
        assert.match(where ?? '', /Sonnet.*answers, with at most 100 tokens\./u);
      }
      const [last] = (await test.messages(sessionId)).filter(({ role }) => role === 'assistant');
      assert.equal(textOf(last ?? { parts: [] }), '');
    } finally {
      await harness.hub.dispose();
    }
  });
});
