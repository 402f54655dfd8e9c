import assert from 'node:assert/strict';
import { withExpandedUseTool } from '../../../src/core/model-call/wrappers/through-use-tool.ts';
import type { ModelEvent, ModelRequest } from '../../../src/core/model-call/model-call.ts';
import type { Tool } from '../../../src/core/tool-call/tool-call.ts';
import {
  collapsed,
  expanded,
  USE_TOOL,
  withUseTool,
} from '../../../src/core/tool-call/use-tool.ts';
import type { Message, ToolCallPart } from '../../../src/domain/message.ts';

const tool = (name: string, rare = false): Tool => ({
  name,
  description: `Does ${name}. It can do more.`,
  inputSchema: { type: 'object', properties: { path: { type: 'string' } } },
  sideEffects: true,
  level: 'user',
  module: 'files',
  permission: 'edit',
  ...(rare ? { rare } : {}),
  check: (input) => ({ input }),
  run: async () => ({ content: [] }),
});

const call = (input: ToolCallPart['input'], name = USE_TOOL): ToolCallPart => ({
  type: 'tool_call',
  id: 'call-1',
  name,
  input,
});

describe('rare tools', () => {
  it('are listed in one tool behind the common ones, and can still be looked up', () => {
    const tools = withUseTool([tool('read'), tool('move', true), tool('write')]);
    assert.deepEqual(
      tools.map(({ name }) => name),
      ['read', 'write', USE_TOOL, 'move'],
    );
    assert.match(tools[2]?.description ?? '', /less common tool: move\./u);
  });

  it('without one there is no such tool', () => {
    const tools = [tool('read')];
    assert.equal(withUseTool(tools), tools);
  });

  it('a call without arguments answers with the schema, an unknown name with the names', async () => {
    const [through] = withUseTool([tool('move', true)]);
    assert.ok(through !== undefined);
    assert.deepEqual(through.check({ tool: 'fly' }), { problem: 'tool must be one of move.' });
    const { content } = await through.run({ tool: 'move' }, {} as never);
    assert.match(JSON.stringify(content), /Does move\. It can do more\.[^]*properties/u);
  });

  it('a call through it is the call of the tool it means, in the ways models write it', () => {
    const expected = { ...call({ path: 'a' }, 'move'), via: USE_TOOL };
    assert.deepEqual(expanded(call({ tool: 'move', input: { path: 'a' } })), expected);
    assert.deepEqual(expanded(call({ tool: 'move', input: '{"path":"a"}' })), expected);
    assert.deepEqual(expanded(call({ tool: 'move', path: 'a' })), expected);
  });

  it('what asks for the arguments, or cannot be read, stays what it is', () => {
    for (const part of [
      call({ tool: 'move' }),
      call({ tool: 'move', input: 'not JSON' }),
      call({ tool: USE_TOOL, input: {} }),
      call({ input: {} }),
      call({ tool: 'move', input: {} }, 'other'),
      { ...call({ tool: 'move', input: {} }), invalid: { problem: 'cut', raw: '{' } },
    ])
      assert.equal(expanded(part), part);
  });

  it('the model is sent its own call again', () => {
    const made = call({ tool: 'move', input: { path: 'a' } });
    assert.deepEqual(collapsed(expanded(made)), made);
  });

  it('the engine sees the tool, the provider the call as it was made, in messages that stay the same', async () => {
    const seen: (readonly Message[])[] = [];
    const modelCall = withExpandedUseTool()(async function* scripted(request) {
      seen.push(request.messages);
      const part = call({ tool: 'move', input: { path: 'b' } });
      yield { type: 'part', index: 0, part };
      yield { type: 'complete', answer: { parts: [part], finish: 'tool_use', model: 'm' } };
    });
    const message = (parts: Message['parts']): Message => ({
      id: 'm1',
      sessionId: 's1',
      seq: 1,
      role: 'assistant',
      parts,
      createdAt: 0,
    });
    const plain = message([{ type: 'text', text: 'hello' }]);
    const through = message([expanded(call({ tool: 'move', input: { path: 'a' } }))]);
    const request = { messages: [plain, through] } as unknown as ModelRequest;
    const events: ModelEvent[] = [];
    for (let time = 0; time < 2; time += 1)
      for await (const event of modelCall(request, {} as never)) events.push(event);

    assert.equal(seen[0]?.[0], plain);
    assert.deepEqual(seen[0]?.[1]?.parts, [call({ tool: 'move', input: { path: 'a' } })]);
    assert.equal(seen[0]?.[1], seen[1]?.[1], 'a new object would be put into its wire form again');
    const [part, complete] = events;
    const expected = { ...call({ path: 'b' }, 'move'), via: USE_TOOL };
    assert.deepEqual(part?.type === 'part' && part.part, expected);
    assert.deepEqual(complete?.type === 'complete' && complete.answer.parts, [expected]);
  });
});
