import { told } from '../../../src/domain/text/told.ts';
import assert from 'node:assert/strict';
import { serverProblems, serverWords } from '../../../src/mcp/status/server-words.ts';
import type { McpServerView } from '../../../src/mcp/status/server-view.ts';

const view = (more: Partial<McpServerView>): McpServerView => ({
  name: 'files',
  origin: 'user',
  place: 'belay.mcp.servers',
  hash: 'h',
  summary: 'files',
  state: 'ready',
  remote: false,
  typed: false,
  problems: [],
  tools: 3,
  ...more,
});

describe('MCP servers in words', () => {
  it('say what is so', () => {
    assert.equal(serverWords(view({}), true), 'connected, 3 tools');
    assert.equal(serverWords(view({ tools: 1 }), true), 'connected, 1 tool');
    assert.equal(serverWords(view({ state: 'starting' }), true), 'connecting…');
    assert.equal(serverWords(view({ state: 'stopped', tools: 0 }), true), 'not started yet');
    assert.match(serverWords(view({ state: 'stopped' }), false), /not trusted/u);
    assert.equal(
      serverWords(view({ state: 'failed', reason: told`No such file.` }), true),
      'No such file.',
    );
  });

  it('name the failed ones, and no others', () => {
    const servers = [view({}), view({ name: 'hub', state: 'failed', reason: told`No such file.` })];
    assert.deepEqual(serverProblems(servers), [
      { server: 'hub', said: 'The MCP server “hub” does not run: No such file.' },
    ]);
  });
});
