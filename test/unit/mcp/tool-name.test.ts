import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { alternativeName, toolName } from '../../../src/mcp/tools/tool-name.ts';

describe('MCP: names of tools', () => {
  it('E8: a plain name stays readable', () => {
    assert.equal(toolName('github', 'create_issue'), 'mcp__github__create_issue');
    assert.equal(toolName('my-server', 'get-env'), 'mcp__my-server__get-env');
    assert.equal(toolName('a', '_b'), 'mcp__a___b');
  });

  it('names that would come out the same are told apart', () => {
    const pairs = [
      ['a', 'b__c'],
      ['a__b', 'c'],
      ['a', '_b'],
      ['a_', 'b'],
      ['a b', 'c'],
      ['a/b', 'c'],
      ['a_b', 'c'],
      ['ä', 'c'],
      ['ö', 'c'],
      ['日本', 'c'],
      ['日本語', 'c'],
      ['', 'c'],
      ['a', ''],
      ['x'.repeat(30), 'c'],
      ['x'.repeat(31), 'c'],
      ['a', 'y'.repeat(100)],
      ['a', 'y'.repeat(101)],
    ] as const;
    assert.equal(new Set(pairs.map(([server, tool]) => toolName(server, tool))).size, pairs.length);
  });

  it('every name is one that model APIs take, and depends on the two names alone', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (server, tool) => {
        const name = toolName(server, tool);
        assert.match(name, /^mcp__[A-Za-z0-9_-]{1,59}$/);
        assert.equal(toolName(server, tool), name);
      }),
    );
  });

  it('different tools of one server never share a name', () => {
    const names = fc.uniqueArray(fc.string({ maxLength: 80 }), { maxLength: 30 });
    fc.assert(
      fc.property(fc.string(), names, (server, tools) => {
        assert.equal(new Set(tools.map((tool) => toolName(server, tool))).size, tools.length);
      }),
    );
  });

  it('a tool that takes the name of another on purpose can be given a different one', () => {
    const stolen = toolName('a', 'x!');
    const thief = toolName('a', stolen.slice('mcp__a__'.length));
    assert.equal(thief, stolen);
    const other = alternativeName(thief, 'a', 'thief', 1);
    assert.notEqual(other, stolen);
    assert.match(other, /^[A-Za-z0-9_-]{1,64}$/);
  });
});
