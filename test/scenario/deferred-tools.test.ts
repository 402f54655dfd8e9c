import assert from 'node:assert/strict';
import type { Tool } from '../../src/core/tool-call/tool-call.ts';
import { toolResultsOf } from '../../src/domain/message.ts';
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

  for (const settings of [
    { 'advanced.deferMcpToolsAbovePercent': 100 },
    { 'model.contextLimit': 2_000_000 },
  ])
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

describe('tools of servers that come, change or go while a run is on', () => {
  const tool = (name: string, description = `Does ${name}.`): Tool => ({
    name,
    description,
    inputSchema: { type: 'object', properties: {} },
    sideEffects: false,
    level: 'user',
    module: name.split('_')[0] ?? '',
    server: name.split('_')[0] ?? '',
    permission: 'none',
    check: (input) => ({ input }),
    run: async () => ({ content: [{ type: 'text', text: `${description} It went well.` }] }),
  });
  const namesIn = (test: TestEngine): (readonly string[])[] =>
    test.server.requests.map(({ body }) =>
      (body.tools ?? []).map(({ name }) => name).filter((name) => /^[a-z]_/u.test(name)),
    );
  const resultsIn = async (test: TestEngine, sessionId: string): Promise<readonly string[]> =>
    (await test.messages(sessionId))
      .flatMap((message) => toolResultsOf(message))
      .map(({ content }) => JSON.stringify(content));

  it('are offered with the next request, new ones last, and one that is gone says so', async () => {
    let tools = [tool('m_one'), tool('m_two')];
    const turns = [
      () => {
        tools = [tool('a_late'), tool('m_two', 'Does it otherwise.')];
        return calls(call('m_one', {}));
      },
      () => calls(call('a_late', {}), call('m_one', {}), call('m_two', {})),
      () => say('Done.'),
    ];
    await using test = await TestEngine.open({
      script: () => turns.shift()?.() ?? say('No more.'),
      settings: { 'advanced.deferMcpToolsAbovePercent': 100 },
      host: { mcpTools: async () => tools },
    });
    const { sessionId } = await test.run('go');
    assert.deepEqual(namesIn(test), [
      ['m_one', 'm_two'],
      ['m_two', 'a_late'],
      ['m_two', 'a_late'],
    ]);
    const [first, ...results] = await resultsIn(test, sessionId);
    assert.match(first ?? '', /Does m_one\. It went well/u);
    assert.match(results[0] ?? '', /Does a_late\. It went well/u);
    assert.match(results[1] ?? '', /"The tool m_one is no longer there/u);
    assert.match(results[2] ?? '', /Does it otherwise\. It went well/u);
  });

  it('are found by find_tool and called by use_tool where they are deferred', async () => {
    let tools: readonly Tool[] = TOOLS.slice(0, 3);
    const turns = [
      () => {
        tools = TOOLS;
        return calls(call('hub_action_1', { note: 'a' }));
      },
      () => calls(call('find_tool', { query: 'action 417' })),
      () => calls(call('use_tool', { tool: 'hub_action_417', input: { note: 'late' } })),
      () => say('Done.'),
    ];
    await using test = await TestEngine.open({
      script: () => turns.shift()?.() ?? say('No more.'),
      host: { mcpTools: async () => tools },
    });
    await test.run('go');
    assert.ok(used.includes('417 {"note":"late"}'), used.join());
  });

  it('a run that waits for servers is stopped at once', async () => {
    const waits = Promise.withResolvers<void>();
    await using test = await TestEngine.open({
      script: () => say('Done.'),
      host: {
        mcpTools: async () => {
          waits.resolve();
          return new Promise<never>(() => {});
        },
      },
    });
    const sessionId = await test.start('go');
    await waits.promise;
    test.engine.agent.runs.cancel(sessionId);
    assert.equal((await test.engine.agent.runs.settled(sessionId))?.reason, 'canceled');
    assert.equal(test.server.requests.length, 0);
  });

  it('a server that is still starting is named to the user and once to the model', async () => {
    const moments: unknown[] = [];
    await using test = await TestEngine.open({
      script: inOrder(calls(call('todo', { items: [] })), say('Done.')),
      host: {
        mcpTools: async (moment) => {
          moments.push(moment);
          return [];
        },
        startingServers: () => ['slow'],
      },
    });
    const { sessionId } = await test.run('go');
    const sentence = /MCP servers that are still starting: slow\./u;
    assert.deepEqual(
      test.ofType('warning').map(({ message }) => sentence.test(message)),
      [true],
    );
    const said = (await test.messages(sessionId)).filter((message) =>
      sentence.test(JSON.stringify(message.parts)),
    );
    assert.equal(said.length, 1);
    assert.match(JSON.stringify(test.server.requests[0]?.body.messages), sentence);
    assert.deepEqual([moments[0], moments.lastIndexOf('start')], ['start', 0]);
  });
});
