import assert from 'node:assert/strict';
import { FIND_TOOL, tokensOf, withFindTool } from '../../../src/core/tool-call/find-tool.ts';
import type { Tool, ToolContext } from '../../../src/core/tool-call/tool-call.ts';
import { USE_TOOL, withUseTool } from '../../../src/core/tool-call/use-tool.ts';

const tool = (name: string, description: string, more: Partial<Tool> = {}): Tool => ({
  name,
  description,
  inputSchema: { type: 'object', properties: { title: { type: 'string' } } },
  sideEffects: true,
  level: 'user',
  module: name.split('_')[0] ?? '',
  permission: 'execute',
  check: (input) => ({ input }),
  run: async () => ({ content: [] }),
  ...more,
});

const MANY = Array.from({ length: 500 }, (_, index) =>
  tool(`hub_action_${index}`, `Does the action number ${index} of the hub, and says how it went.`),
);
const ISSUES = [
  tool('tracker_create_issue', 'Creates an issue with a title.'),
  tool('tracker_close_issue', 'Closes one.'),
  tool('mail_send', 'Sends a message. It may be about an issue.'),
];

async function find(tools: readonly Tool[], query: string): Promise<string> {
  const [finder] = withFindTool(tools, 0);
  assert.equal(finder?.name, FIND_TOOL);
  const { content } = await finder.run({ query }, {} as ToolContext);
  return content.map((one) => (one.type === 'text' ? one.text : '')).join('');
}

describe('tools of servers that cost too much', () => {
  it('are offered as they are while they are few, and in the same order', () => {
    assert.equal(withFindTool(ISSUES, tokensOf(ISSUES)), ISSUES);
    assert.deepEqual(withFindTool([], 0), []);
  });

  it('else 500 of them cost at most 600 tokens in every request', () => {
    const deferred = withFindTool(MANY, 10_000);
    const offered = [...withUseTool([tool('read_file', 'Reads.')], deferred.slice(1)), ...deferred];
    const sent = offered.filter(({ rare }) => rare !== true);
    assert.deepEqual(
      sent.map(({ name }) => name),
      ['read_file', USE_TOOL, FIND_TOOL],
    );
    assert.ok(tokensOf(sent) <= 600, String(tokensOf(sent)));
    assert.match(sent.at(-1)?.description ?? '', /hub \(500\)/u);
    // Each can be called, and looked up.
    const through = sent.find(({ name }) => name === USE_TOOL);
    assert.deepEqual(through?.check({ tool: 'hub_action_499' }), {
      input: { tool: 'hub_action_499' },
    });
    assert.ok('problem' in (through?.check({ tool: 'hub_action_500' }) ?? {}));
    assert.equal(offered.filter(({ rare }) => rare === true).length, 500);
  });

  it('are found by words, by the name before what they say of themselves, with their arguments', async () => {
    const found = await find(ISSUES, 'create an issue');
    assert.match(
      found,
      /^tracker_create_issue: Creates .*\nArguments \(JSON Schema\): \{.*"title".*\}/u,
    );
    assert.ok(found.indexOf('tracker_create_issue') < found.indexOf('tracker_close_issue'));
    assert.ok(found.indexOf('tracker_close_issue') < found.indexOf('mail_send'));
    assert.match(found, /Call one with use_tool/u);
    assert.match(await find(ISSUES, 'mail_send'), /^mail_send: /u);
  });

  it('of very many that fit a few are told whole, more by name, and the answer stays short', async () => {
    const found = await find(MANY, 'hub action');
    assert.equal(found.match(/Arguments/gu)?.length, 5);
    assert.match(found, /Also: hub_action_5, .*, 445 more\./u);
    assert.ok(found.length < 6000, String(found.length));
    const long = tool('hub_long', 'Long.', {
      inputSchema: { type: 'object', properties: { a: { description: 'x'.repeat(10_000) } } },
    });
    assert.match(
      await find([long], 'long'),
      /Arguments are long: use_tool \{"tool": "hub_long"\}/u,
    );
  });

  it('what fits nothing is told what there is', async () => {
    assert.match(
      await find(ISSUES, 'weather'),
      /^No tool fits "weather"\. There are: tracker \(2\), mail \(1\)\./u,
    );
    assert.match(await find(ISSUES, '  '), /^No tool fits/u);
  });
});
