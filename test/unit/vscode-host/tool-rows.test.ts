import assert from 'node:assert/strict';
import type { ToolRow } from '../../../src/core/tool-call/offered-tools.ts';
import { disabledAfter, toolModules, toolNote } from '../../../src/window/tool-rows.ts';

const row = (name: string, more: Partial<ToolRow> = {}): ToolRow => ({
  name,
  description: '',
  module: 'files',
  level: 'user',
  permission: 'none',
  state: 'on',
  ...more,
});

describe('the list of all tools', () => {
  it('says the state of each in words', () => {
    assert.deepEqual(
      [
        row('a'),
        row('b', { permission: 'edit' }),
        row('c', { permission: 'execute' }),
        row('d', { state: 'off' }),
        row('e', { state: 'level', level: 'admin' }),
        row('f', { state: 'absent' }),
      ].map(toolNote),
      [
        'reads',
        'changes files',
        'acts',
        '',
        'not offered: needs level admin',
        'not offered: what it needs is not here',
      ],
    );
  });

  it('has the modules in the order in which their first tools are offered', () => {
    const rows = [row('a'), row('b', { module: 'web' }), row('c')];
    assert.deepEqual(
      [...toolModules(rows)].map(([module, of]) => [module, of.map(({ name }) => name)]),
      [
        ['files', ['a', 'c']],
        ['web', ['b']],
      ],
    );
  });

  it('switches names on and off, and leaves those that it was not asked about', () => {
    assert.deepEqual(disabledAfter(['gone server', 'back'], ['back'], true), ['gone server']);
    assert.deepEqual(disabledAfter(['a'], ['b', 'a'], false), ['b', 'a']);
    assert.deepEqual(disabledAfter([], ['a'], true), []);
  });
});
