import assert from 'node:assert/strict';
import { offeredTools, toolRows } from '../../../src/core/tool-call/offered-tools.ts';
import type { Tool } from '../../../src/core/tool-call/tool-call.ts';

const tool = (name: string, more: Partial<Tool> = {}): Tool => ({
  name,
  description: `Does ${name}.`,
  inputSchema: { type: 'object' },
  sideEffects: false,
  level: 'guest',
  module: 'files',
  permission: 'none',
  check: (input) => ({ input }),
  run: async () => ({ content: [] }),
  ...more,
});

const TOOLS = [
  tool('read'),
  tool('git', { available: async () => false }),
  tool('look', { available: () => true }),
  tool('write', { level: 'user' }),
  tool('rule', { level: 'owner' }),
];

describe('which tools are offered', () => {
  it('A5 E11: those of the level, that are not switched off, and whose needs are there', async () => {
    const names = async (rules: Parameters<typeof offeredTools>[1]): Promise<string[]> =>
      (await offeredTools(TOOLS, rules)).map(({ name }) => name);
    assert.deepEqual(await names({ level: 'guest', disabled: [] }), ['read', 'look']);
    assert.deepEqual(await names({ level: 'user', disabled: ['look'] }), ['read', 'write']);
    assert.deepEqual(await names({ level: 'owner', disabled: ['nothing like it'] }), [
      'read',
      'look',
      'write',
      'rule',
    ]);
  });

  it('every tool has a row that says why it is not offered', async () => {
    const rows = await toolRows(TOOLS, { level: 'user', disabled: ['read'] });
    assert.deepEqual(
      rows.map(({ name, state }) => [name, state]),
      [
        ['read', 'off'],
        ['git', 'absent'],
        ['look', 'on'],
        ['write', 'on'],
        ['rule', 'level'],
      ],
    );
  });
});
