import assert from 'node:assert/strict';
import { mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { maskSecrets } from '../../../src/core/secrets/log-masking.ts';
import { FileLog } from '../../../src/hosts/node/log.ts';
import type { LogLevel } from '../../../src/hosts/node/log.ts';
import { FakeClock } from '../../support/fake-clock.ts';

describe('log file', () => {
  let folder: string;
  let file: string;

  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'belay-log-'));
    file = path.join(folder, 'logs', 'belay.log');
  });

  afterEach(async () => {
    await rm(folder, { recursive: true });
  });

  const make = (level: LogLevel = 'debug', secrets: readonly string[] = []): FileLog =>
    new FileLog({ file, clock: new FakeClock(0), level: () => level, secrets: () => secrets });

  it('E9: writes one entry a line, with time, level and details', async () => {
    const log = make();
    log.info('Started.', { runs: 2 });
    log.debug('Two\nlines');
    await log.flush();
    assert.equal(
      await readFile(file, 'utf8'),
      '1970-01-01T00:00:00.000Z [info] Started. {"runs":2}\n1970-01-01T00:00:00.000Z [debug] Two\n    lines\n',
    );
  });

  it('E9: keeps to the level, which may change', async () => {
    let level: LogLevel = 'warn';
    const log = new FileLog({ file, clock: new FakeClock(0), level: () => level });
    log.info('not this');
    log.warn('this');
    level = 'info';
    log.info('and this');
    await log.flush();
    const text = await readFile(file, 'utf8');
    assert.doesNotMatch(text, /not this/u);
    assert.match(text, /\[warn\] this\n.*\[info\] and this\n/u);
  });

  it('A14: gives the stack of an error and of what caused it', async () => {
    const log = make();
    log.error('It failed.', new Error('outer', { cause: new TypeError('inner') }));
    await log.flush();
    assert.match(
      await readFile(file, 'utf8'),
      /\[error\] It failed\. Error: outer\n.*log\.test\.ts.*Caused by: TypeError: inner/su,
    );
  });

  it('E9: never writes a secret, whether known or of a known form', async () => {
    const log = make('debug', ['correct-horse-battery']);
    log.info('key sk-ant-api03-abcdefghijklmnopqrstuvwxyz', { header: 'correct-horse-battery' });
    log.error('x', new Error('Authorization: Bearer abcdefghijklmnop'));
    await log.flush();
    const text = await readFile(file, 'utf8');
    assert.doesNotMatch(text, /sk-ant|correct-horse|abcdefghijklmnop/u);
    assert.match(text, /key \[secret\] \{"header":"\[secret\]"\}/u);
  });

  it('begins a new file at 5 MB and keeps three old ones', async () => {
    await make().flush();
    for (let round = 0; round < 6; round += 1) {
      await writeFile(file, 'x'.repeat(5 * 1024 * 1024));
      const log = make();
      log.info(`round ${round}`);
      await log.flush();
    }
    assert.deepEqual((await readdir(path.dirname(file))).toSorted(), [
      'belay.log',
      'belay.log.1',
      'belay.log.2',
      'belay.log.3',
    ]);
    assert.ok((await stat(file)).size < 1000);
    assert.match(await readFile(file, 'utf8'), /round 5/u);
  });

  it('writes what is left when it is disposed of', async () => {
    const log = make();
    log.info('last words');
    log.dispose();
    assert.match(await readFile(file, 'utf8'), /last words/u);
  });

  it('keeps nobody from working when it cannot be written', async () => {
    await writeFile(path.join(folder, 'logs'), 'a file where the folder should be');
    const log = make();
    log.info('into the void');
    await log.flush();
    log.dispose();
  });

  it('shortens a huge entry without leaving half of a secret', async () => {
    const log = make();
    log.info(`${'x '.repeat(9990)}sk-ant-api03-abcdefghijklmnopqrstuvwxyz and more`);
    log.info('y'.repeat(1_000_000));
    await log.flush();
    const text = await readFile(file, 'utf8');
    assert.ok(text.length < 45_000);
    assert.doesNotMatch(text, /sk-ant/u);
  });

  it('writes a thousand entries in order', async () => {
    const log = make();
    for (let index = 0; index < 1000; index += 1) {
      log.info(`entry ${index}`);
      if (index % 100 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    await log.flush();
    const numbers = [...(await readFile(file, 'utf8')).matchAll(/entry (\d+)/gu)].map(
      ([, number]) => Number(number),
    );
    assert.deepEqual(
      numbers,
      Array.from({ length: 1000 }, (_, index) => index),
    );
  });
});

describe('masking of secrets', () => {
  const secrets: Readonly<Record<string, string>> = {
    'an Anthropic key': 'key is sk-ant-api03-AAAAAAAAAAAAAAAAAAAAAAAA-bb',
    'a GitHub token': 'ghp_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
    'an AWS key': 'AKIAIOSFODNN7EXAMPLE',
    'a JSON Web Token': 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NSJ9.sflKxwRJSMeKKF2QT4',
    'a private key':
      '-----BEGIN RSA PRIVATE KEY-----\nMIIEpAIBAAKCAQEA\n-----END RSA PRIVATE KEY-----',
    'a header': '"x-api-key": "0123456789abcdef"',
    'an assignment': 'API_KEY=0123456789abcdef',
    'a password in JSON': '{"password":"hunter22"}',
    'a password in an address': 'https://user:hunter22@proxy.example/x',
  };
  for (const [what, text] of Object.entries(secrets)) {
    it(`security 9: ${what}`, () => {
      const masked = maskSecrets(text);
      assert.match(masked, /\[secret\]/u);
      for (const secret of [
        'AAAAAAAA',
        'IOSFODNN7',
        'sflKxwRJ',
        'MIIEp',
        '0123456789abcdef',
        'hunter22',
      ])
        assert.ok(!masked.includes(secret), masked);
    });
  }

  it('leaves ordinary text alone', () => {
    const text =
      'The token counter says 1200 tokens: 800 in, 400 out. passwords.md was read. See https://example.com/a:b@c';
    assert.equal(maskSecrets(text), text);
  });

  it('masks known secrets wherever they are, but no short words', () => {
    assert.equal(
      maskSecrets('abc correct-horse xyz', ['correct-horse', 'abc']),
      'abc [secret] xyz',
    );
  });
});
