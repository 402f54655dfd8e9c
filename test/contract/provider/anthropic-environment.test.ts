import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { buildHosts } from '../../../esbuild.mjs';
import { startModelServer } from '../../support/model-server/server.ts';
import type { ModelServer } from '../../support/model-server/server.ts';
import { say } from '../../support/model-server/turn.ts';

/** Variables of the SDK, each with a value that would show in a request. */
const VARIABLES = {
  ANTHROPIC_API_KEY: 'key-of-the-environment',
  ANTHROPIC_AUTH_TOKEN: 'token-of-the-environment',
  ANTHROPIC_BASE_URL: 'http://127.0.0.1:9/of-the-environment',
  ANTHROPIC_CUSTOM_HEADERS: 'x-evil: of-the-environment\nauthorization: Bearer evil',
  ANTHROPIC_LOG: 'debug',
  ANTHROPIC_PROFILE: 'evil',
  ANTHROPIC_IDENTITY_TOKEN: 'token-of-the-environment',
  ANTHROPIC_ORGANIZATION_ID: 'org',
  ANTHROPIC_FEDERATION_RULE_ID: 'rule',
  ANTHROPIC_WEBHOOK_SIGNING_KEY: 'whsec_bm90aGluZw==',
};

describe('Messages wire: what the environment and files of the SDK can do', () => {
  let server: ModelServer;
  let folder: string;
  before(async function () {
    this.timeout(60_000);
    server = await startModelServer({
      script: () => say('Hello.'),
      keyless: true,
      models: [{ id: 'm', type: 'model' }],
    });
    folder = await mkdtemp(path.join(os.tmpdir(), 'belay-environment-'));
    await buildHosts(folder, { ask: 'test/support/model-server/ask-watched.ts' });
    for (const name of ['default', 'evil']) {
      const at = path.join(folder, '.config', 'anthropic');
      await mkdir(path.join(at, 'configs'), { recursive: true });
      await mkdir(path.join(at, 'credentials'), { recursive: true });
      await writeFile(
        path.join(at, 'configs', `${name}.json`),
        JSON.stringify({
          base_url: 'http://127.0.0.1:9/of-a-file',
          authentication: { type: 'user_oauth' },
        }),
      );
      await writeFile(
        path.join(at, 'credentials', `${name}.json`),
        JSON.stringify({ access_token: 'token-of-a-file', expires_at: 9_999_999_999 }),
      );
    }
  });
  after(async () => {
    await server.close();
    await rm(folder, { recursive: true, force: true });
  });

  for (const key of ['mine', ''])
    it(`reads no credential, address or header from them ${key === '' ? 'without' : 'with'} a key`, async () => {
      const from = server.all.length;
      const { stdout, stderr } = await promisify(execFile)(
        process.execPath,
        [path.join(folder, 'ask.cjs'), server.url, key],
        { env: { PATH: process.env['PATH'], HOME: folder, ...VARIABLES } },
      );
      const said = JSON.parse(stdout) as Readonly<Record<string, unknown>>;
      const { variables, files, ...answers } = said as {
        readonly variables: readonly string[];
        readonly files: readonly string[];
      };
      assert.equal(stderr, '');
      assert.deepEqual(Object.keys(answers), ['counted', 'models']);
      assert.deepEqual(
        variables.filter((name) => /ANTHROPIC|HOME|XDG|APPDATA|USERPROFILE/u.test(name)),
        [],
      );
      assert.deepEqual(
        files.filter((file) => /anthropic|credentials|configs/u.test(file.replace(folder, ''))),
        [],
      );
      const requests = server.all.slice(from);
      assert.deepEqual(
        requests.map((one) => one.path),
        ['/v1/messages', '/v1/messages/count_tokens', '/v1/models'],
      );
      for (const { headers } of requests) {
        const known =
          /^(?:accept|accept-encoding|accept-language|anthropic-version|connection|content-length|content-type|host|sec-fetch-mode|user-agent)$/u;
        const others = Object.entries(headers).filter(([name]) => !known.test(name));
        assert.deepEqual(
          Object.fromEntries(others),
          key === '' ? {} : { authorization: 'Bearer mine', 'x-api-key': 'mine' },
        );
        assert.deepEqual(
          [headers['anthropic-version'], headers['user-agent']],
          ['2023-06-01', 'belay'],
        );
      }
    });
});
