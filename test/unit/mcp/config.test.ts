import assert from 'node:assert/strict';
import path from 'node:path';
import type { ServerDefinition } from '../../../src/mcp/config/config.ts';
import type { ServerSource } from '../../../src/mcp/config/read-servers.ts';
import { readServers as placed } from '../../../src/mcp/config/read-servers.ts';

const readServers = (...given: Parameters<typeof placed>): readonly ServerDefinition[] =>
  placed(...given).map(({ definition }) => definition);

const variables = {
  environment: { TOKEN: 't-1', EMPTY: '' },
  workspaceFolder: '/work',
  homeFolder: '/home/me',
};

function read(
  servers: unknown,
  origin: ServerSource['origin'] = 'user',
): readonly ServerDefinition[] {
  return readServers([{ origin, servers }], variables);
}

function one(raw: unknown, folder: Partial<typeof variables> = variables): ServerDefinition {
  const { homeFolder } = variables;
  const [definition] = readServers([{ origin: 'user', servers: { x: raw } }], {
    environment: {},
    homeFolder,
    ...folder,
  });
  assert.ok(definition);
  return definition;
}

const problemsOf = (raw: unknown): string[] => one(raw).problems.map(({ message }) => message);

describe('MCP: definitions of servers', () => {
  it('reads a local server', () => {
    const { target, enabled, timeoutMs, problems } = one({
      type: 'stdio',
      command: 'node',
      args: ['server.js', 8080],
      env: { A: 'b', N: 1, NO: null },
      cwd: 'sub',
      timeout: 2.5,
    });
    assert.deepEqual(target, {
      kind: 'stdio',
      command: 'node',
      args: ['server.js', '8080'],
      env: { A: 'b', N: '1' },
      cwd: '/work/sub',
    });
    assert.deepEqual([enabled, timeoutMs, problems], [true, 2500, []]);
  });

  it('reads how to sign in to a remote server', () => {
    const oauth = {
      clientId: 'x',
      clientSecret: '${env:TOKEN}',
      callbackPort: 33_418,
      scope: 'a b',
    };
    const url = 'https://example.com/mcp';
    const read = one({ url, oauth }, { environment: { ...variables.environment, TOKEN: 's' } });
    const wanted = { ...oauth, clientSecret: 's' };
    assert.deepEqual(read.target?.kind === 'http' ? read.target.oauth : undefined, wanted);
    for (const bad of [
      { secret: 'x' },
      { callbackPort: 0 },
      { clientMetadataUrl: 'http://a.example/c.json' },
      { clientMetadataUrl: 'https://a.example/' },
      'x',
    ])
      assert.equal(one({ url, oauth: bad }).target, undefined, JSON.stringify(bad));
  });

  it('reads a client that signs in as itself, by a secret or a key, and says what it cannot do', () => {
    const url = 'https://example.com/mcp';
    const grant = 'client_credentials';
    for (const proof of [{ clientSecret: 's' }, { privateKeyFile: '/keys/belay.pem' }]) {
      const oauth = { grant, clientId: 'x', ...proof };
      const { target } = one({ url, oauth });
      assert.deepEqual(target?.kind === 'http' ? target.oauth : undefined, oauth);
    }
    for (const [oauth, why] of [
      [{ grant, clientSecret: 's' }, /needs `oauth\.clientId`/u],
      [{ grant, clientId: 'x' }, /needs .*privateKeyFile/u],
      [{ grant, clientId: 'x', clientSecret: 's', privateKeyFile: '/k' }, /either/u],
      [{ grant, clientId: 'x', privateKeyFile: 'keys/belay.pem' }, /no absolute path/u],
      [{ clientId: 'x', privateKeyFile: '/k' }, /without `"grant"/u],
      [{ grant: 'jwt-bearer', clientId: 'x' }, /does not know: jwt-bearer.*identity provider/u],
    ] as const) {
      const { target, problems } = one({ url, oauth });
      assert.equal(target, undefined, JSON.stringify(oauth));
      assert.match(problems.map(({ message }) => message).join(), why);
    }
  });

  it('reads a remote server', () => {
    const { target, problems } = one({ url: 'https://example.com/mcp', headers: { 'X-A': 'b' } });
    const headers = { 'X-A': 'b' };
    assert.deepEqual(target, {
      kind: 'http',
      transport: 'auto',
      url: 'https://example.com/mcp',
      headers,
      oauth: {},
    });
    assert.deepEqual(problems, []);
    assert.deepEqual(one({ type: 'sse', url: 'http://localhost:1/sse' }).target, {
      kind: 'http',
      transport: 'sse',
      url: 'http://localhost:1/sse',
      headers: {},
      oauth: {},
    });
  });

  it('puts values in the place of variables, in every field', () => {
    const { target } = one({
      command: '${userHome}/bin/x',
      args: ['${workspaceFolder}/a', '${workspaceFolder}:${env:TOKEN}'],
      env: { KEY: 'k-${env:TOKEN}', NONE: '${env:EMPTY}' },
    });
    assert.deepEqual(target, {
      kind: 'stdio',
      command: '/home/me/bin/x',
      args: ['/work/a', '/work:t-1'],
      env: { KEY: 'k-t-1', NONE: '' },
    });
  });

  it('expands `${NAME}` and `${NAME:-default}`, which `.mcp.json` has, as environment variables', () => {
    const environment = { TOKEN: 't-1', my_token: 't-2', EMPTY: '' };
    const { target, summary } = one(
      {
        command: '${RUNNER:-node}',
        args: ['${my_token}', '${EMPTY:-$5}', '${NONE:-}'],
        env: { A: 'Bearer ${TOKEN}' },
      },
      { environment },
    );
    assert.ok(target?.kind === 'stdio');
    assert.equal(target.command, 'node');
    assert.deepEqual(target.args, ['t-2', '$5', '']);
    assert.deepEqual(target.env, { A: 'Bearer t-1' });
    assert.match(summary, /\nreading the variables RUNNER, my_token, EMPTY, NONE, TOKEN$/u);
  });

  it('names the variables that headers and the query of an address send', () => {
    const headers = { Authorization: 'Bearer ${env:TOKEN}' };
    assert.equal(
      one({ url: 'https://a/mcp?key=${EMPTY:-x}', headers }).summary,
      'https://a/mcp?…\nsending Authorization\nreading the variables EMPTY, TOKEN',
    );
  });

  for (const form of ['${foo:bar}', '${A:-${B}}', '${}', '${a b}', '${config:x.y}', '${A-b}'])
    it(`refuses a server by the name of the unknown form ${form}`, () => {
      const { target, problems } = one({ command: 'a', env: { K: form } });
      assert.equal(target, undefined);
      assert.match(
        problems[0]?.message ?? '',
        /`env\.K` that uses \$\{.*which Belay does not know/u,
      );
    });

  const broken: readonly [string, unknown, RegExp][] = [
    ['no object', 'node server.js', /“x” is not an object/],
    ['nothing to start', {}, /needs `command` \(a local server\) or `url`/],
    ['both', { command: 'a', url: 'https://b' }, /has both `command` and `url`/],
    [
      'stdio without command',
      { type: 'stdio', url: 'https://b' },
      /needs `command`, because `type` is stdio/,
    ],
    ['http without url', { type: 'http', command: 'a' }, /needs `url`, because `type` is http/],
    [
      'an unknown type',
      { type: 'ws', url: 'https://b' },
      /`type` that is not one of stdio, http, sse/,
    ],
    ['an empty command', { command: ' ' }, /`command` that is not a text/],
    ['args as a text', { command: 'a', args: 'b c' }, /`args` that is not a list/],
    ['an object in args', { command: 'a', args: [{}] }, /`args\[0\]` that is not a text/],
    ['env as a list', { command: 'a', env: ['A=b'] }, /`env` that is not an object/],
    ['an object in env', { command: 'a', env: { A: {} } }, /`env\.A` that is not a text/],
    [
      'enabled as a text',
      { command: 'a', enabled: 'yes' },
      /`enabled` that is neither true nor false/,
    ],
    [
      'an address that is none',
      { url: 'example.com/mcp' },
      /`url` that is not a web address|with example\.com:/,
    ],
    ['a file as address', { url: 'file:///etc/passwd' }, /`url` with file:/],
    ['a password in the address', { url: 'https://me:secret@b/' }, /name or password in `url`/],
    [
      'a header with a line end',
      { url: 'https://b', headers: { A: 'b\r\nC: d' } },
      /header "A" that HTTP does not allow/,
    ],
    [
      'a variable that is not set',
      { command: 'a', env: { K: '${env:NOPE}' } },
      /`env\.K` that uses \$\{env:NOPE\}, but the environment variable NOPE is not set/,
    ],
    [
      'a variable in the form of .mcp.json that is not set',
      { url: 'https://b', headers: { A: '${NOPE}' } },
      /`headers\.A` that uses \$\{NOPE\}, but the environment variable NOPE is not set/,
    ],
    [
      'a command of VS Code',
      { url: 'https://b', headers: { A: '${command:key}' } },
      /`headers\.A` that uses \$\{command:key\}.*\$\{env:NAME\}/,
    ],
  ];
  for (const [what, raw, message] of broken) {
    it(`E11: ${what}: is not used, and the sentence names server and field`, () => {
      const { target, problems } = one(raw);
      assert.equal(target, undefined);
      assert.match(problems[0]?.message ?? '', message);
      assert.match(
        problems[0]?.message ?? '',
        /^The MCP server “x” .* It is not started \(belay\.mcp\.servers → x.*\)\.$/,
      );
    });
  }

  it('E11: a workspace folder that is not there is a problem, not an empty text', () => {
    const { target, problems } = one({ command: 'a', args: ['${workspaceFolder}'] }, {});
    assert.equal(target, undefined);
    assert.match(problems[0]?.message ?? '', /no folder is open/);
  });

  it('no problem tells a secret', () => {
    const secret = 'sk-very-secret';
    const texts = [
      ...problemsOf({ url: `https://me:${secret}@b/`, headers: { A: `${secret}\na` } }),
      ...problemsOf({ command: 'a', env: { A: { secret } } }),
    ];
    assert.ok(texts.length >= 3 && texts.every((text) => !text.includes(secret)), texts.join('\n'));
  });

  it('a field that nobody knows is named and ignored', () => {
    const { target, problems } = one({ command: 'a', arguments: ['b'] });
    assert.ok(target);
    assert.match(
      problems[0]?.message ?? '',
      /field `arguments` that Belay does not know\. It is ignored\./,
    );
  });

  it('a time limit out of range is named and ignored', () => {
    const { target, timeoutMs, problems } = one({ command: 'a', timeout: 0 });
    assert.ok(target);
    assert.equal(timeoutMs, undefined);
    assert.equal(problems[0]?.field, 'timeout');
  });

  it('names are data: `__proto__` is a server like any other', () => {
    const servers = JSON.parse(
      '{"__proto__": {"command": "a", "env": {"__proto__": "b"}}}',
    ) as unknown;
    const [definition] = read(servers);
    assert.equal(definition?.name, '__proto__');
    assert.ok(definition.target?.kind === 'stdio');
    assert.deepEqual(Object.entries(definition.target.env), [['__proto__', 'b']]);
  });

  it('a place that is no object is one clear state that names it; nothing there is nothing', () => {
    for (const servers of [undefined, null, {}]) assert.deepEqual(read(servers), []);
    for (const servers of ['x', 1, ['x']]) {
      const [wrong, ...others] = read(servers);
      assert.deepEqual([wrong?.name, wrong?.target, others], ['belay.mcp.servers', undefined, []]);
      assert.match(wrong?.problems[0]?.message ?? '', /^belay\.mcp\.servers is not an object/u);
    }
  });

  it('a fault names setting or file, server and key', () => {
    const [message] = problemsOf({ command: 'a', env: { TOKEN: ['x'] } });
    assert.match(message ?? '', /\(belay\.mcp\.servers → x → env\.TOKEN\)/u);
    const [own] = readServers(
      [{ origin: 'workspace', label: '.mcp.json', servers: { x: { url: 'ftp://a' } } }],
      variables,
    );
    assert.match(own?.problems[0]?.message ?? '', /\(\.mcp\.json → x → url\)/u);
  });

  it('of two places of one person the first wins, and it is said', () => {
    const [first] = readServers(
      [
        { origin: 'user', servers: { x: { command: 'a' } } },
        { origin: 'user', label: '~/.copilot/mcp-config.json', servers: { x: { command: 'b' } } },
      ],
      variables,
    );
    assert.equal(first?.summary, 'a');
    assert.match(
      first.problems[0]?.message ?? '',
      /defined in ~\/\.copilot\/mcp-config\.json, too\. The one in belay\.mcp\.servers is used/u,
    );
  });

  it('fills in what other clients have: defaults, the folder’s name, separators', () => {
    const args = ['${env:NONE:-8080}', '${env:TOKEN:-x}', '${workspaceFolderBasename}', '${/}'];
    const { target } = one({ command: 'a', args });
    assert.ok(target?.kind === 'stdio');
    assert.deepEqual(target.args, ['8080', 't-1', 'work', path.sep]);
  });

  it('leaves what the person is asked for until the start, and knows what that is', () => {
    const { target, inputs, problems } = one({
      url: 'https://${input:host}/mcp',
      headers: { Authorization: 'Bearer ${input:key}' },
      inputs: [
        { id: 'key', description: 'The key', password: true },
        { id: 'host', options: ['a.example', { label: 'B', value: 'b.example' }] },
        { id: 'unused' },
      ],
    });
    assert.deepEqual(problems, []);
    assert.ok(target?.kind === 'http');
    assert.equal(target.headers['Authorization'], 'Bearer ${input:key}');
    assert.deepEqual(inputs, [
      { id: 'host', password: false, options: ['a.example', 'b.example'] },
      { id: 'key', password: true, description: 'The key' },
    ]);
    assert.deepEqual(one({ command: 'a', args: ['${input:pin}'] }).inputs, [
      { id: 'pin', password: true },
    ]);
  });

  it('security, rule 5: in another folder of the workspace the same text is another definition', () => {
    const hashes = [undefined, '/one', '/two'].map(
      (folder) =>
        readServers(
          [
            {
              origin: 'workspace',
              servers: { x: { command: './run' } },
              ...(folder === undefined ? {} : { folder }),
            },
          ],
          variables,
        )[0]?.hash,
    );
    assert.equal(new Set(hashes).size, 3);
  });

  describe('the hash that approvals are bound to', () => {
    const base = { command: 'a', args: ['b'], env: { C: 'd' }, cwd: '/e' };
    const hash = one(base).hash;

    it('changes with everything that decides what runs and where data goes', () => {
      const others = [
        { ...base, command: 'A' },
        { ...base, args: ['b', ''] },
        { ...base, env: { C: 'D' } },
        { ...base, cwd: '/f' },
        { ...base, type: 'stdio' },
        { url: 'https://a' },
        { url: 'https://a', headers: { B: 'c' } },
      ].map((raw) => one(raw).hash);
      assert.equal(new Set([hash, ...others]).size, others.length + 1);
      assert.notEqual(read({ y: base })[0]?.hash, hash);
    });

    it('stays when only the order, the switch or the time limit changes', () => {
      assert.equal(one({ cwd: '/e', env: { C: 'd' }, args: ['b'], command: 'a' }).hash, hash);
      assert.equal(one({ ...base, enabled: false, timeout: 5 }).hash, hash);
      assert.equal(one({ ...base, disabled: true }).hash, hash);
    });

    it('is over what is written, not over the values of variables', () => {
      const raw = { command: 'a', env: { K: '${env:TOKEN}' } };
      assert.equal(one(raw).hash, one(raw, { environment: { TOKEN: 'other' } } as never).hash);
    });
  });

  describe('two places', () => {
    const place = (user: unknown, workspace: unknown): readonly ServerDefinition[] =>
      readServers(
        [
          { origin: 'workspace', servers: workspace },
          { origin: 'user', servers: user },
        ],
        variables,
      );

    it('are put together, sorted by name, each with its origin', () => {
      const found = place({ b: { command: 'b' } }, { c: { command: 'c' }, a: { command: 'a' } });
      assert.deepEqual(
        found.map(({ name, origin }) => [name, origin]),
        [
          ['a', 'workspace'],
          ['b', 'user'],
          ['c', 'workspace'],
        ],
      );
    });

    it('rule 5: a workspace cannot change a server of the user, and the person is told', () => {
      const [found] = place({ a: { command: 'mine' } }, { a: { command: 'theirs' } });
      assert.equal(found?.origin, 'user');
      assert.ok(found.target?.kind === 'stdio');
      assert.equal(found.target.command, 'mine');
      assert.match(found.problems[0]?.message ?? '', /“a” is defined by the workspace, too/);
    });

    it('a workspace may switch a server of the user off', () => {
      const [found] = place({ a: { command: 'mine' } }, { a: { enabled: false } });
      assert.equal(found?.enabled, false);
      assert.deepEqual(found.problems, []);
    });

    it('a switch for a server that is not there is nothing', () => {
      assert.deepEqual(place({}, { a: { enabled: false } }), []);
      assert.deepEqual(place({}, { a: { disabled: true } }), []);
    });

    it('`"disabled": true` switches a server off, whatever `enabled` says', () => {
      for (const off of [{ disabled: true }, { disabled: true, enabled: true }]) {
        assert.equal(place({ a: { command: 'mine', ...off } }, {})[0]?.enabled, false);
        assert.equal(place({ a: { command: 'mine' } }, { a: off })[0]?.enabled, false);
      }
      const [on] = place({ a: { command: 'mine', disabled: false } }, {});
      assert.deepEqual([on?.enabled, on?.problems], [true, []]);
    });
  });

  it('the summary shows what runs or where data goes, without values of variables and without queries', () => {
    assert.equal(
      one({ command: 'npx', args: ['-y', 'x', '${env:TOKEN}', 1] }).summary,
      'npx -y x ${env:TOKEN} 1\nreading the variables TOKEN',
    );
    assert.equal(one({ url: 'https://a/mcp?key=secret' }).summary, 'https://a/mcp?…');
    assert.equal(one('nonsense').summary, '');
  });
});
