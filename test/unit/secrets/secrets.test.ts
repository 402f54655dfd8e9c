import assert from 'node:assert/strict';
import { maskSecrets } from '../../../src/core/secrets/log-masking.ts';
import { maskForModel, secretsIn } from '../../../src/core/secrets/secret-forms.ts';
import { environmentSecrets, HIDDEN, SecretBook } from '../../../src/core/secrets/secret-book.ts';

describe('secrets', () => {
  it('rule 9: what the model reads has no keys in it, and code that names a secret stays as it is', () => {
    const book = new SecretBook();
    const masked = (text: string) => book.mask(text);
    for (const text of [
      'key: sk-ant-api03-abcdefgh',
      'ghp_0123456789abcdef',
      'AKIAIOSFODNN7EXAMPLE',
      'DB_PASSWORD=hunter2-hunter2',
      'export API_TOKEN="abc-def-ghi"',
      '12\tAWS_SECRET_ACCESS_KEY=wJalrXUtnFEMI/K7MDENG',
      'postgres://app:s3cr3t-word@db.example/x',
      'Authorization: Bearer abcdefgh12345678',
      'MIIEvQIBADANBgkqhkiG9w0B\nabcd==\n-----END PRIVATE KEY-----',
      '< MIIEvQIBADANBgkqhkiG9w0B\n< -----END RSA PRIVATE KEY-----',
      '-----BEGIN OPENSSH PRIVATE KEY-----\nabc\n-----END OPENSSH PRIVATE KEY-----',
    ])
      assert.ok(masked(text).includes(HIDDEN), text);
    for (const text of [
      'const password = request.body.password;',
      'const token = await getToken();',
      'API_KEY=<your key>',
      'API_KEY=changeme',
      'PASSWORD=$DB_PASSWORD',
      'The token counter says 1200 tokens.',
      'git@github.com:owner/name.git',
      'https://example.com/a:b@c',
      'sk-learn is a library; risk-based-approach-to-things',
      'function readSecret(secret: string): string { return secret; }',
    ])
      assert.equal(masked(text), text);
  });

  it('rule 9: masks the keys of all providers that Belay offers, on every way out', () => {
    const body = 'Ab3dE5gH'.repeat(8);
    for (const key of [
      `gsk_${body}`,
      `xai-${body}`,
      `csk-${body}`,
      `fw_${body}`,
      `nvapi-${body}`,
      `pplx-${body}`,
      `tgp_v1_${body}`,
      `vck_${body}`,
      `hf_${body}`,
      `sk-or-v1-${body}`,
      `AIza${body}`,
      `ABSK${body}==`,
      `bedrock-api-key-${body}`,
      `${'a1B2'.repeat(13)}JQQJ99BCACYeBjFXJ3w3AAABACOG`,
    ]) {
      for (const text of [`see ${key} here`, `"${key}"`, `>${key}<`]) {
        assert.ok(!maskForModel(text, '[x]').includes(key), text);
        assert.ok(!maskSecrets(text).includes(key), text);
        assert.ok(
          secretsIn(text).some(({ value }) => key.includes(value)),
          text,
        );
      }
    }
    const value = `${body}${body}==`;
    for (const name of ['AccountKey', 'accountkey', 'SharedAccessKey']) {
      const text = `connect("AccountName=shop;${name}=${value};EndpointSuffix=core.windows.net")`;
      const masked = `connect("AccountName=shop;${name}=[x];EndpointSuffix=core.windows.net")`;
      assert.equal(maskForModel(text, '[x]'), masked);
      assert.ok(!maskSecrets(text).includes(value));
      assert.ok(secretsIn(text).some((one) => one.value === value));
    }
    for (const text of ['gsk_config', 'xai-sdk', 'fw_update', 'if (key === KEY) return AccountKey'])
      assert.equal(maskForModel(text, '[x]'), text);
  });

  it('rule 9: a known value is masked and found, also encoded, reversed, spaced out or in a piece', () => {
    const secret = 'correct-horse-battery-staple';
    const book = new SecretBook(() => [[secret, 'your API key']]);
    assert.equal(book.mask(`x ${secret} y`), `x ${HIDDEN} y`);
    for (const text of [
      secret,
      encodeURIComponent(secret),
      Buffer.from(secret).toString('base64'),
      Buffer.from(secret).toString('base64url'),
      Buffer.from(`{"k":"${secret}"}`).toString('base64'),
      Buffer.from(secret).toString('hex'),
      secret.split('').toReversed().join(''),
      secret.split('').join(' '),
      secret.split('').join('.'),
      `https://x.example/?a=${secret.slice(0, 18)}`,
    ])
      assert.deepEqual(book.find(text), [{ what: 'your API key' }], text);
    assert.deepEqual(book.find('a horse and a battery are correct'), []);
  });

  it('rule 9: what was read from a file of secrets is known from then on', () => {
    const book = new SecretBook();
    book.learn('# comment\nCOLOUR=blue\nPRIVATE_THING=zebra-99-quux\nPORT=8080\n', '.env');
    assert.deepEqual(book.find('q=zebra-99-quux'), [{ what: 'a value of .env' }]);
    assert.deepEqual(book.find('q=blue 8080'), []);
    assert.equal(book.mask('zebra-99-quux'), HIDDEN);
  });

  it('rule 9: of the environment only what holds a secret counts', () => {
    const found = environmentSecrets({
      OPENAI_API_KEY: 'k-0123456789',
      PATH: '/usr/bin:/bin',
      SSH_AUTH_SOCK: '/tmp/ssh-x/agent.1',
      TOKEN_FILE: 'x-0123456789',
      GH_TOKEN: 'short',
      HOME: '/home/me',
    }).map(([value]) => value);
    assert.deepEqual(found, ['k-0123456789']);
  });

  it('rule 9: logs and exports: headers, cookies, addresses, JSON in JSON', () => {
    for (const text of [
      'Authorization: Bearer canary-token',
      'authorization: Basic Y2FuYXJ5',
      'Cookie: session=canary; theme=dark canary',
      'set-cookie: id=canary',
      'GET /callback?code=canary123&state=canary456',
      '{"error":"{\\"api_key\\":\\"canary-1\\"}"}',
      "{'client_secret': 'canary-2'}",
      'AWS_SECRET_ACCESS_KEY=canary',
      'belay --token canary-3',
      'redis://:canary-pw@localhost:6379',
    ])
      assert.doesNotMatch(maskSecrets(text), /canary|Y2Fu/u, text);
  });

  it('keeps the words of errors that speak of tokens and passwords', () => {
    for (const text of [
      'Unexpected token: identifier expected at line 3',
      "Unexpected token: 'function'",
      'The total number of tokens: eleven thousand',
      'max_tokens: must be at most what the model has',
      'password: required',
      'api_key: Field required',
      'Invalid token: ERR_TOKEN_EXPIRED (401)',
      'Raise it with --set budget.tokensPerMonth=VALUE.',
      'The option --password requires a value, as in --token=VALUE.',
      'Bearer authentication is required.',
    ])
      assert.equal(maskSecrets(text), text);
  });

  it('masks values that look like secrets in the same places', () => {
    for (const [text, value] of [
      ['Unexpected token: a1b2c3d4e5', 'a1b2c3d4e5'],
      ['token: abcdefghijklmnopqrstuvwx', 'abcdefgh'],
      ['password: p@ssword.', 'p@ssword'],
      ['password: hunter22, retry', 'hunter22'],
      ['password=swordfish', 'swordfish'],
      ['{"password":"swordfish"}', 'swordfish'],
      ['--password "sword fish"', 'sword fish'],
      ['Bearer abc123def456', 'abc123def456'],
      ['monthlyTokens=a1b2c3d4e5', 'a1b2c3d4e5'],
      ['secret: wJalrXUtnFEMI/K7MDENG/bPxRfiCY', 'wJalrXUtnFEMI'],
    ] as const)
      assert.ok(!maskSecrets(text).includes(value), text);
  });

  it('masking long texts takes no time to speak of', () => {
    const book = new SecretBook();
    for (const text of ['a'.repeat(1_000_000), 'a-'.repeat(500_000), 'A_'.repeat(500_000)]) {
      assert.equal(maskSecrets(text), text);
      assert.equal(book.mask(text), text);
    }
  });
});
