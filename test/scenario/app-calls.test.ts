import assert from 'node:assert/strict';
import { Harness, wicked } from '../mcp/support/harness.ts';
import { TestEngine } from '../support/engine/test-engine.ts';
import { inOrder, say } from '../support/model-server/turn.ts';

describe('stories of apps', function () {
  this.timeout(30_000);

  it('a tool that an app calls is asked about as any other, on the card of its call, and gives the server’s own result', async () => {
    const harness = new Harness();
    harness.configure({ wicked: wicked('good') });
    await using test = await TestEngine.open({
      script: inOrder(say('hello')),
      settings: { 'permissions.mode': 'ask' },
      host: { mcpTools: async (moment) => harness.hub.tools(moment) },
    });
    try {
      const { sessionId } = await test.run('go');
      await harness.hub.tools();
      const tool = harness.hub.appTool('wicked', 'answer') ?? assert.fail('no tool');
      const { appCall } = test.engine.runs.running;
      const origin = { sessionId, callId: 'the-call' };
      const given = { content: [{ type: 'text', text: 'x' }], structuredContent: { n: 1 } };
      assert.deepEqual(await appCall(tool, given, origin), given);
      const [asked] = test.human.approvals;
      assert.equal(asked?.callId, 'the-call');
      assert.match(asked?.title ?? '', /Use answer of the MCP server “wicked”/u);
      test.human.decide = async () => ({ allowed: false, reason: 'not now' });
      await assert.rejects(appCall(tool, given, origin), { code: 'permission' });
      assert.equal(harness.hub.appTool('wicked', 'nothing'), undefined);
      assert.equal(harness.hub.appTool('other', 'answer'), undefined);
    } finally {
      await harness.hub.dispose();
    }
  });
});
