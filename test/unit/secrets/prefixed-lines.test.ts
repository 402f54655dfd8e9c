import assert from 'node:assert/strict';
import { maskSecrets } from '../../../src/core/secrets/log-masking.ts';
import { listedSecrets, printedSecretFile } from '../../../src/core/secrets/listed-secrets.ts';
import { SecretBook } from '../../../src/core/secrets/secret-book.ts';

/** Secrets as they stand in a line; `@` is the value. */
const LINES: readonly (readonly [line: string, value: string])[] = [
  ['API_TOKEN=@', 'zebra-quux-rest'],
  ['DB_PASSWORD="@"', 'hunter2-hunter2'],
  ["export STRIPE_SECRET='@'", 'hunter2-hunter2'],
  ['AWS_SECRET_ACCESS_KEY = @', 'wJalrXUtnFEMI/K7MDENG'],
  ['API_TOKEN: @', 'zebra-quux-rest1'],
  ['"API_TOKEN": "@",', 'zebra-quux-rest1'],
  ['"password": "@"', 'hunter2hunter2'],
  ['apiKey: @', 'a1b2c3d4e5f6'],
  ['client_secret = "@"', 'a1b2c3d4e5f6'],
  ['"Env": ["A=1", "API_TOKEN=@"]', 'zebra-quux-rest1'],
  ['//registry.example.org/:_authToken=@', 'a1b2c3d4-e5f6'],
  ['<password>@</password>', 'hunter2hunter2'],
  ['token @', 'ghp_0123456789abcdef'],
  ['url: postgres://app:@@db.example/x', 's3cr3t-word'],
  ['Authorization: Bearer @', 'abcdefgh12345678'],
  ['ENV API_TOKEN=@', 'zebra-quux-rest'],
  ['docker run -e API_TOKEN=@ image', 'zebra-quux-rest1'],
  ['spring.datasource.password=@', 'hunter2hunter2'],
  ['DB_PASS=@', 'hunter2-hunter2'],
  ['MYSQL_PWD=@', 'hunter2-hunter2'],
  ['API_TOKEN ?= @', 'zebra-quux-rest1'],
  ['deploy --token @', 'a1b2c3d4e5f6'],
];

/** What programs put before a line. */
const PREFIXES = [
  '',
  '  ',
  '< ',
  '> ',
  '+',
  '-',
  '++',
  '- ',
  ' +',
  '+ - ',
  '* ',
  '# ',
  '// ',
  '12\t',
  '12:',
  '12-',
  '  12 | ',
  '.env:3:',
  '.env:',
  '.env-3-',
  '.env-',
  'config/prod/.env:12:5:',
  './a b/.env:3:',
  'file-3-',
  'HEAD:.env:3:',
  '^1a2b3c4d (Ada Lovelace 2024-01-31 10:00:00 +0000 3) ',
  '1a2b3c4d5e config/.env (Ada 2024-01-31  12) ',
  '1a2b3c4d5e (<ada@example.org> 2024-01-31 10:00:00 +0000  3) ',
  '> > ',
  '| * ',
  '| +',
  '    "',
  String.raw`{"text":"a\n`,
  String.raw`one\n+`,
  String.raw`"12\t`,
  'a\r\n+',
];

describe('secrets in lines that something stands before', () => {
  for (const [line, value] of LINES) {
    it(`rule 9: ${line}`, () => {
      for (const prefix of PREFIXES) {
        for (const around of [(text: string) => text, (text: string) => `first\n${text}\nlast`]) {
          const text = around(`${prefix}${line.replace(/@/u, value)}`);
          assert.ok(!new SecretBook().mask(text).includes(value), `the model reads ${text}`);
          assert.ok(!maskSecrets(text).includes(value), `a log holds ${text}`);
        }
        const escaped = JSON.stringify(`a\n${prefix}${line.replace(/@/u, value)}\nb`);
        assert.ok(!new SecretBook().mask(escaped).includes(value), `the model reads ${escaped}`);
        assert.ok(!maskSecrets(escaped).includes(value), `a log holds ${escaped}`);
      }
    });
  }

  it('rule 9: every value of a file of secrets counts, however a listing shows its lines', () => {
    for (const listing of [
      '.env:COLOUR=zebra-99-quux',
      'config/.env:3:COLOUR=zebra-99-quux',
      '.env.local-3-COLOUR=zebra-99-quux',
      'diff --git a/.env b/.env\n--- a/.env\n+++ b/.env\n@@ -1 +1 @@\n+COLOUR=zebra-99-quux',
      '--- .env\t2024\n+++ .env.bak\t2024\n@@ -1 +1 @@\n-COLOUR=zebra-99-quux',
      '==> server.key <==\nzebra-99-quux',
      '.env\n3:COLOUR=zebra-99-quux',
    ]) {
      const book = new SecretBook();
      for (const { line, file } of listedSecrets(listing)) book.learn(line, file);
      assert.ok(!book.mask(listing).includes('zebra'), listing);
    }
    for (const [command, file] of [
      ['cat .env', '.env'],
      ['cd a && grep -n COLOUR config/.env.local | head', 'config/.env.local'],
      ['/usr/bin/tail -n3 "server.key"', 'server.key'],
      ['npm test -- .env', undefined],
      ['cat README.md', undefined],
    ] as const)
      assert.equal(printedSecretFile(command), file);
  });

  it('rule 9: code and prose that name secrets stay as they are, with the same things before them', () => {
    const book = new SecretBook();
    for (const line of [
      'const password = request.body.password;',
      'const token = await getToken();',
      'export const API_TOKEN = process.env.API_TOKEN;',
      'API_TOKEN = os.environ["API_TOKEN"]',
      'API_KEY=<your key>',
      'API_KEY=changeme',
      'PASSWORD=$DB_PASSWORD',
      'token: ${{ secrets.GITHUB_TOKEN }}',
      'MAX_TOKENS=128000',
      'TOKEN_FILE=/run/secrets/token1',
      'function readSecret(secret: string): string { return secret; }',
      'private readonly token: CancellationToken;',
      '  token: vscode.CancellationToken,',
      '"password": "Passwort",',
      '"max_tokens": 64000,',
      'secretName: tls-cert',
      'author: John Doe <john1234@example.org>',
      'The password: it is asked for once.',
      'if (token === undefined) return;',
      'tokenizer: cl100k_base2',
      'git log --author=ada1234567',
    ])
      for (const prefix of PREFIXES.filter((one) => !one.includes('"')))
        assert.equal(book.mask(`${prefix}${line}`), `${prefix}${line}`);
  });
});
