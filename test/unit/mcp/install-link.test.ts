import { inEnglish } from '../../../src/domain/text/told.ts';
import assert from 'node:assert/strict';
import { readInstallLink } from '../../../src/mcp/clients/install-link.ts';

const read = (query: string, path = '/mcp/install') => readInstallLink({ path, query });
const config = (value: unknown, name = 'x'): string =>
  `name=${name}&config=${JSON.stringify(value)}`;
const refused = (query: string, path?: string): string => {
  const found = read(query, path);
  return 'problem' in found ? inEnglish(found.problem) : `taken: ${JSON.stringify(found)}`;
};

describe('MCP: install links', () => {
  const memory = { command: 'npx', args: ['-y', '@modelcontextprotocol/server-memory'] };

  it('are read with JSON, with base64, as a whole definition, and with an address', () => {
    const wanted = { servers: { x: memory } };
    const base64 = Buffer.from(JSON.stringify(memory)).toString('base64');
    assert.deepEqual(read(config(memory)), wanted);
    assert.deepEqual(read(`name=x&config=${base64}`), wanted);
    assert.deepEqual(read(`name=x&config=${base64.replaceAll('=', '%3D')}`), wanted);
    assert.deepEqual(
      read(`name=x&config=${Buffer.from(JSON.stringify(memory)).toString('base64url')}`),
      wanted,
    );
    assert.deepEqual(read(JSON.stringify({ name: 'x', ...memory })), wanted);
    assert.deepEqual(read('name=x&url=https://a.example/mcp?a=1&b=2'), {
      servers: { x: { url: 'https://a.example/mcp?a=1&b=2' } },
    });
    assert.deepEqual(read(`config=${JSON.stringify(memory)}`), { servers: { memory } });
    const asks = { ...memory, env: { K: '${input:k}' }, inputs: [{ id: 'k', password: true }] };
    assert.deepEqual(read(config(asks)), { servers: { x: asks } });
  });

  const odd: readonly (readonly [what: string, query: string, why: RegExp, path?: string])[] = [
    ['another path', config(memory), /knows no such link/u, '/mcp/install/../run'],
    ['something huge', config({ ...memory, args: ['x'.repeat(10_000)] }), /more than 10,000/u],
    ['control characters', config({ command: 'a\u001b[2J' }), /cannot be seen/u],
    [
      'text that runs backwards',
      config({ command: 'a', args: ['\u202egnp.exe'] }),
      /cannot be seen/u,
    ],
    ['a hidden name', config(memory, 'git\u200bhub'), /cannot be seen/u],
    ['nothing', '', /neither/u],
    ['something else', 'run=rm', /neither/u],
    ['a name twice', `name=x&${config(memory)}`, /neither/u],
    ['more after the name', `name=x&yes=1&config={}`, /neither/u],
    ['no JSON', 'config={', /not valid JSON/u],
    ['no definition', 'config={"a": 1}', /no `command` and no `url`/u],
    [
      'several servers',
      `config=${JSON.stringify({ mcpServers: { a: memory, b: memory } })}`,
      /more than one/u,
    ],
    [
      'a variable of ours',
      config({ url: 'https://a.example/?k=${env:HOME}' }),
      /your environment/u,
    ],
    [
      'one in a client’s words',
      config({ ...memory, env: { A: '${AWS_SECRET}' } }),
      /your environment/u,
    ],
    ['a command of VS Code', config({ ...memory, args: ['${command:x}'] }), /your environment/u],
    ['a file of variables', config({ ...memory, envFile: '.env' }), /a file of your variables/u],
    ['an unencrypted address', 'name=x&url=http://a.example/mcp', /not encrypted/u],
    ['cloud metadata', 'name=x&url=http://169.254.169.254/latest', /not a place|not encrypted/u],
    ['a program as an address', 'name=x&url=javascript:alert(1)', /not followed/u],
    ['a name and password in the address', 'name=x&url=https://a:b@a.example', /not followed/u],
    ['an address for a shell', 'name=x&url=https://a.example/$(touch)', /a shell would act on/u],
  ];
  for (const [what, query, why, path] of odd)
    it(`refuse ${what}`, () => {
      assert.match(refused(query, path), why);
    });
});
