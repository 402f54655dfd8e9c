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

  it('names each server that does not run on standard error and as a warning, and the run goes on', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'belay-headless-'));
    const workspace = path.join(folder, 'workspace');
    await mkdir(workspace);
    const servers = {
      absent: { command: 'belay-no-such-command' },
      exits: {
        command: process.execPath,
        args: ['-e', 'console.error("bad key " + process.argv[1]); process.exit(2)', '${MY_TOKEN}'],
      },
      unset: { url: 'https://127.0.0.1:9/', headers: { A: '${NOT_SET_HERE}' } },
      crashes: wicked('good'),
    };
    const server = await startModelServer({
      script: ({ messages }) =>
        messages.length === 1 ? calls(call('mcp__crashes__crash', {})) : say('Done.'),
    });
    try {
      for (const json of [true, false]) {
        const { code, stdout, stderr } = await headless({
          modelUrl: server.url,
          workspace,
          data: path.join(folder, json ? 'data' : 'other'),
          environment: { MY_TOKEN: 'tok-48Zx-77qP' },
          arguments: [
            '--prompt',
            'go',
            '--permission',
            'all',
            '--set',
            'advanced.deferMcpToolsAbovePercent=100',
            '--set',
            `mcp.servers=${JSON.stringify(servers)}`,
            ...(json ? ['--json'] : []),
          ],
        });
        assert.equal(code, 0, stderr);
        const warnings = stdout
          .split('\n')
          .filter((line) => line.includes('"type":"warning"'))
          .join('\n');
        for (const said of [
          /“absent” does not run: The command “belay-no-such-command” was not found/u,
          /“exits” does not run: The process ended with exit code 2: bad key/u,
          /“unset” has a `headers\.A` that uses \$\{NOT_SET_HERE\}/u,
          /“crashes” does not run: .*out of cheese/u,
        ]) {
          assert.match(stderr, said);
          assert.equal(stderr.split('\n').filter((line) => said.test(line)).length, 1, stderr);
          if (json) assert.match(warnings, said);
        }
        assert.doesNotMatch(`${stdout}${stderr}`, /tok-48Zx/u);
      }
    } finally {
      await server.close();
      await rm(folder, { recursive: true });
    }
  });
});
