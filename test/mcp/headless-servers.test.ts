import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { headless } from '../support/headless/headless.ts';
import { startModelServer } from '../support/model-server/server.ts';
import { call, calls, say } from '../support/model-server/turn.ts';
import { wicked } from './support/harness.ts';

describe('MCP: the headless host', function () {
  this.timeout(60_000);

  it('connects the servers of the person’s file; those of the workspace are named and not started', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'belay-headless-'));
    const [home, workspace] = [path.join(folder, 'home'), path.join(folder, 'workspace')];
    const started = path.join(folder, 'started');
    await mkdir(path.join(home, '.copilot'), { recursive: true });
    await mkdir(workspace);
    const write = async (file: string, servers: object): Promise<void> =>
      writeFile(file, JSON.stringify({ mcpServers: servers }));
    await write(path.join(home, '.copilot', 'mcp-config.json'), { mine: wicked('good') });
    await write(path.join(workspace, '.mcp.json'), { theirs: wicked('starts', started) });
    const server = await startModelServer({
      script: ({ messages }) =>
        messages.length === 1 ? calls(call('mcp__mine__echo', { a: 'b' })) : say('Done.'),
    });
    try {
      const { code, stdout, stderr } = await headless({
        modelUrl: server.url,
        workspace,
        data: path.join(folder, 'data'),
        environment: { HOME: home, USERPROFILE: home },
        arguments: ['--prompt', 'go', '--permission', 'all', '--json'],
      });
      assert.equal(code, 0, stderr);
      assert.match(stdout, /echo: \{\\+"a\\+":\\+"b/u);
      assert.match(stderr, /“theirs” is defined by the workspace and was not started/u);
      const names = server.requests[0]?.body.tools?.map(({ name }) => name) ?? [];
      assert.ok(!names.some((name) => name.startsWith('mcp__theirs')), names.join());
      await assert.rejects(rm(started), { code: 'ENOENT' });
    } finally {
      await server.close();
      await rm(folder, { recursive: true });
    }
  });
});
