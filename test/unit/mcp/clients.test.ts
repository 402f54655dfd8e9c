import { inEnglish } from '../../../src/domain/text/told.ts';
import assert from 'node:assert/strict';
import type { Json } from '../../../src/domain/data/json.ts';
import { clientServers } from '../../../src/mcp/clients/client-servers.ts';
import { withoutSecrets } from '../../../src/mcp/clients/keep-secrets.ts';
import { proposalText, proposeServer } from '../../../src/mcp/clients/proposal.ts';
import { readPasted } from '../../../src/mcp/clients/read-pasted.ts';
import { type ServerFile, serversOfFile } from '../../../src/mcp/config/server-files.ts';
import { readServers } from '../../../src/mcp/config/read-servers.ts';
import { sentenceOf } from '../../../src/domain/failure.ts';
import { nameFor } from '../../../src/mcp/clients/server-name.ts';

const paste = (text: string): Readonly<Record<string, Json>> => {
  const read = readPasted(text);
  assert.ok('servers' in read, JSON.stringify(read));
  return read.servers;
};
const problem = (text: string): string => {
  const read = readPasted(text);
  return 'problem' in read ? inEnglish(read.problem) : JSON.stringify(read);
};

describe('MCP: a file of servers over the limits', () => {
  const file: ServerFile = { origin: 'workspace', label: '.mcp.json', file: '/w/.mcp.json' };
  const variables = { environment: {}, homeFolder: '/home', workspaceFolder: '/w' };

  const kinds: Readonly<Record<string, string>> = {
    '100,000 keys': `{"command": "x", "env": {${Array.from({ length: 100_000 }, (_, key) => `"k${key}":1`).join()}}}`,
    '2,000 levels': `{"command": "x", "args": ${'['.repeat(2000)}${']'.repeat(2000)}}`,
    '100,000 levels': `{"command": "x", "y": ${'{"":'.repeat(1e5)}0${'}'.repeat(1e5)}}`,
  };
  for (const [kind, server] of Object.entries(kinds))
    it(`refuses the one server with ${kind} and starts the other`, () => {
      const text = `{"mcpServers": {"good": {"command": "y"}, "bad": ${server}} // a comment\n}`;
      const servers = readServers([serversOfFile(file, text)], variables);
      const [bad, good] = servers.map(({ definition }) => definition);
      assert.equal(good?.name, 'good');
      assert.notEqual(good.target, undefined);
      assert.equal(bad?.target, undefined);
      assert.match(
        bad?.problems.map((one) => inEnglish(sentenceOf(one))).join(' ') ?? '',
        /“bad” has more than 10,000 values or 100 levels/,
      );
    });

  it('never throws, whatever brackets a file has', () => {
    for (const text of ['[}'.repeat(1e5), '['.repeat(1e5), '{"a":['.repeat(1e5), '}'.repeat(1e5)])
      assert.notEqual(serversOfFile(file, text).problem, undefined, text.slice(0, 10));
  });
});

describe('MCP: definitions that people paste', () => {
  const kinds: Readonly<Record<string, readonly [text: string, servers: object]>> = {
    mcpServers: [
      `{"mcpServers": {
        "files": {"command": "npx", "args": ["-y", "@modelcontextprotocol/server-filesystem", "/tmp"], "env": {"A": "b"}},
        "api": {"type": "streamable-http", "url": "\${API_BASE:-https://api.example.com}/mcp", "headers": {"Authorization": "Bearer \${API_KEY}"}, "timeout": 60000},
        "local": {"type": "local", "command": "x", "tools": ["*"], "disabled": true, "timeout": 30}
      }}`,
      {
        files: {
          command: 'npx',
          args: ['-y', '@modelcontextprotocol/server-filesystem', '/tmp'],
          env: { A: 'b' },
        },
        api: {
          type: 'http',
          url: '${API_BASE:-https://api.example.com}/mcp',
          headers: { Authorization: 'Bearer ${API_KEY}' },
          timeout: 60,
        },
        local: { type: 'stdio', command: 'x', tools: ['*'], disabled: true, timeout: 30 },
      },
    ],
    'mcp.json of VS Code': [
      `{ // with comments
        "inputs": [{"type": "promptString", "id": "key", "description": "API key", "password": true}, {"id": "other"}],
        "servers": {"perplexity": {"type": "stdio", "command": "npx", "env": {"KEY": "\${input:key}"}, "envFile": "\${workspaceFolder}/.env"},},
      }`,
      {
        perplexity: {
          type: 'stdio',
          command: 'npx',
          env: { KEY: '${input:key}' },
          envFile: '${workspaceFolder}/.env',
          inputs: [{ type: 'promptString', id: 'key', description: 'API key', password: true }],
        },
      },
    ],
    'settings of VS Code': [
      `{"mcp": {"inputs": [], "servers": {"a": {"type": "sse", "url": "https://a.example/sse", "gallery": "x"}}}}`,
      { a: { type: 'sse', url: 'https://a.example/sse' } },
    ],
    'a part of a page': [
      '```json\n"memory": {"command": "npx", "args": ["-y", "m"]}\n```',
      { memory: { command: 'npx', args: ['-y', 'm'] } },
    ],
    'one definition': [
      `{"command": "npx", "args": ["-y", "@modelcontextprotocol/server-memory@1.2"]}`,
      { memory: { command: 'npx', args: ['-y', '@modelcontextprotocol/server-memory@1.2'] } },
    ],
    'an address': ['https://mcp.linear.app/mcp', { linear: { url: 'https://mcp.linear.app/mcp' } }],
    'a command': [
      `K="a b" npx -y 'some thing' --x="y z"`,
      {
        'some thing': { command: 'npx', args: ['-y', 'some thing', '--x=y z'], env: { K: 'a b' } },
      },
    ],
    'Belay’s own setting': [
      `{"belay.mcp.servers": {"a": {"command": "x", "timeout": 5}}}`,
      { a: { command: 'x', timeout: 5 } },
    ],
  };
  for (const [kind, [text, servers]] of Object.entries(kinds))
    it(`reads ${kind}`, () => {
      assert.deepEqual(paste(text), servers);
    });

  it('says what it cannot read', () => {
    assert.match(problem(''), /nothing in it/u);
    assert.match(problem('{"mcpServers": {"a": {'), /not valid JSON \(\w+, line 1\)/u);
    assert.match(problem('mcpServers:\n  - name: a\n    command: b'), /neither JSON/u);
    assert.match(problem('[mcp_servers.a]\ncommand = "b"'), /not valid JSON/u);
    assert.match(problem('{"name": "x"}'), /No MCP server was found/u);
    assert.match(problem('{"mcpServers": {}}'), /No MCP server was found/u);
    assert.match(problem('x'.repeat(200_001)), /at most 200,000/u);
  });

  it('a definition that is nonsense stays nonsense, for the reader to say so', () => {
    assert.deepEqual(clientServers({ mcpServers: { a: 'x', b: { args: 1 }, c: null } }), {
      a: 'x',
      b: { args: 1 },
      c: null,
    });
  });

  it('gives a short name to what has none', () => {
    const name = (command: string, ...args: string[]): string => nameFor({ command, args });
    assert.equal(name('npx', '-y', '@playwright/mcp@latest'), 'playwright-mcp');
    assert.equal(name('uvx', 'mcp-server-fetch'), 'fetch');
    assert.equal(
      name('docker', 'run', '-i', '--rm', 'ghcr.io/github/github-mcp-server:v1'),
      'github',
    );
    assert.equal(name('node', '/x/build/index.js'), 'index');
    assert.equal(name('/usr/local/bin/weather.exe'), 'weather');
    assert.equal(nameFor({ url: 'http://127.0.0.1:3000/mcp' }), '127.0.0.1');
    assert.equal(nameFor({}), '');
  });
});

describe('MCP: secrets in definitions', () => {
  const TOKEN = 'ghp_16C7e42F292c6912E7710c838347Ae178B4a';

  it('are taken out of variables, headers, arguments and addresses, each once', () => {
    const { definition, secrets } = withoutSecrets({
      command: 'npx',
      args: ['-y', 'x', '--api-key', 'k-12345678', '--header', `Authorization: Bearer ${TOKEN}`],
      env: { GITHUB_TOKEN: TOKEN, MODE: 'read', DATABASE_URL: 'postgres://me:pa55word@db/x' },
      headers: { 'X-API-Key': 'zyxw-9876', Accept: 'text/html' },
      oauth: { clientId: 'public', clientSecret: 'cs-12345678' },
      url: 'https://example.com/mcp?apiKey=abcd1234&mode=x',
    });
    const text = JSON.stringify(definition);
    for (const value of [TOKEN, 'k-12345678', 'pa55word', 'zyxw-9876', 'cs-12345678', 'abcd1234'])
      assert.ok(!text.includes(value), `${value} in ${text}`);
    assert.equal(definition['url'], 'https://example.com/mcp?apiKey=${input:apiKey}&mode=x');
    assert.deepEqual(definition['env'], {
      GITHUB_TOKEN: '${input:GITHUB_TOKEN}',
      MODE: 'read',
      DATABASE_URL: '${input:DATABASE_URL}',
    });
    const args = definition['args'] as string[];
    assert.deepEqual(args.slice(3), [
      '${input:api-key}',
      '--header',
      'Authorization: Bearer ${input:GITHUB_TOKEN}',
    ]);
    assert.equal(secrets.length, 6);
    assert.ok(secrets.some(({ where, value }) => where === 'env.GITHUB_TOKEN' && value === TOKEN));
  });

  it('leave harmless definitions as they are', () => {
    const harmless = {
      command: 'npx',
      args: ['-y', '@scope/pkg', '--port=8080', '--log-level', 'debug', '/home/me/tokens'],
      env: { PATH: '/usr/bin', TOKEN: '${env:TOKEN}', KEY: '${input:key}', LANG: 'de_DE' },
      url: 'https://example.com/mcp?mode=read',
    };
    assert.deepEqual(withoutSecrets(harmless), { definition: harmless, secrets: [] });
  });

  it('an example’s place for one is asked for', () => {
    const { definition, secrets } = withoutSecrets({
      command: 'x',
      env: { API_KEY: 'YOUR_API_KEY' },
    });
    assert.deepEqual(definition['env'], { API_KEY: '${input:API_KEY}' });
    assert.equal(secrets[0]?.value, undefined);
  });

  const variables = { environment: {}, homeFolder: '/home/me' };

  it('what is to be added is shown whole, without them and with what hides made visible', () => {
    const server = proposeServer(
      'git\u202ehub',
      { command: 'bash', args: ['-c', 'echo hi'], env: { GITHUB_TOKEN: TOKEN }, trust: true },
      variables,
      true,
    );
    const text = proposalText([server]);
    assert.ok(!text.includes(TOKEN) && !text.includes('\u202e'));
    assert.match(text, /bash -c "echo hi"/u);
    assert.match(text, /this is a shell/u);
    assert.match(text, /The value of env\.GITHUB_TOKEN goes into VS Code’s secret storage/u);
    assert.match(text, /a field `trust` that Belay does not know\. It is ignored/u);
    assert.match(text, /"GITHUB_TOKEN": "\$\{input:GITHUB_TOKEN\}"/u);
    assert.equal(server.raw['trust'], undefined);
  });

  it('stay where they stand when the person wants that', () => {
    const { raw, secrets } = proposeServer(
      'a',
      { command: 'x', env: { GITHUB_TOKEN: TOKEN } },
      variables,
      false,
    );
    assert.deepEqual([raw, secrets], [{ command: 'x', env: { GITHUB_TOKEN: TOKEN } }, []]);
  });
});
