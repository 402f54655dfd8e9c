import assert from 'node:assert/strict';
import type { Tool } from '../../src/core/tool-call/tool-call.ts';
import { TestEngine } from '../support/engine/test-engine.ts';
import { call, calls, inOrder, say } from '../support/model-server/turn.ts';

const used: string[] = [];
const TOOLS: readonly Tool[] = Array.from({ length: 500 }, (_, index) => ({
  name: `hub_action_${index}`,
  description: `Does the action number ${index} of the hub. ${'It tells how it went. '.repeat(6)}`,
  inputSchema: { type: 'object', properties: { note: { type: 'string' } } },
  sideEffects: true,
  level: 'user',
  module: 'hub',
  server: 'hub',
  permission: 'execute',
  check: (input) => ({ input }),
  run: async (input) => {
    used.push(`${index} ${JSON.stringify(input)}`);
    return { content: [{ type: 'text', text: 'It went well.' }] };
  },
}));

describe('more tools of servers than the window has room for', () => {
  it('E8: are found, called and recorded as themselves, and the prefix stays the same', async () => {
    await using test = await TestEngine.open({
      tools: TOOLS,
      script: inOrder(
        calls(call('find_tool', { query: 'action 417' })),
        calls(call('use_tool', { tool: 'hub_action_417', input: { note: 'x' } })),
        say('Done.'),
        say('Again.'),
      ),
    });
    const { sessionId } = await test.run('Do action 417');
    assert.deepEqual(used, ['417 {"note":"x"}']);
    await test.engine.agent.send(sessionId, { text: 'And again' });
    await test.engine.agent.runs.settled(sessionId);
    const [first, ...others] = test.server.requests.map(({ body }) => body);
    const names = (first?.tools ?? []).map(({ name }) => name);
    assert.ok(names.includes('find_tool') && names.includes('use_tool'), names.join());
    assert.ok(!names.some((name) => name.startsWith('hub_')), names.join());
    for (const other of others) assert.deepEqual(other.tools, first?.tools);
    const parts = (await test.messages(sessionId)).flatMap((message) => message.parts);
    assert.ok(
      parts.some((part) => part.type === 'tool_call' && part.name === 'hub_action_417'),
      'the record names the tool itself',
    );
    const told = parts.find((part) => part.type === 'tool_result' && part.name === 'find_tool');
    assert.match(JSON.stringify(told), /hub_action_417: Does the action number 417/u);
  });

  for (const settings of [{ 'mcp.deferToolsAbove': 100 }, { 'model.contextLimit': 2_000_000 }])
    it(`are listed whole where ${JSON.stringify(settings)} allows it`, async () => {
      await using test = await TestEngine.open({
        tools: TOOLS,
        settings,
        script: inOrder(say('Done.')),
      });
      await test.run('Hello');
      const names = (test.server.requests[0]?.body.tools ?? []).map(({ name }) => name);
      assert.equal(names.filter((name) => name.startsWith('hub_')).length, 500);
    });
});
