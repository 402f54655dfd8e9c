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
        'on · reads',
        'on · changes files',
        'on · acts',
        'off',
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

  it('writes what was chosen, and leaves what it does not list or did not change', () => {
    const rows = [
      row('on'),
      row('left'),
      row('back', { state: 'off' }),
      row('off elsewhere', { state: 'off' }),
    ];
    const chosen = new Set(['on', 'back']);
    assert.deepEqual(disabledAfter(['gone server', 'back'], rows, chosen), ['gone server', 'left']);
    assert.deepEqual(disabledAfter(['back'], rows, new Set(['on', 'left'])), ['back']);
  });
});
