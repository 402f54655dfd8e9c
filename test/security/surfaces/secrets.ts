import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { maskSecrets } from '../../../src/core/secrets/log-masking.ts';
import { environmentSecrets } from '../../../src/core/secrets/secret-book.ts';
import type { Json, JsonObject } from '../../../src/domain/data/json.ts';
import { BelayError, failureOf } from '../../../src/domain/failure.ts';
import { SystemClock } from '../../../src/hosts/node/clock.ts';
import { FileLog } from '../../../src/hosts/node/log.ts';
import { HostLog } from '../../../src/window/log/host-log.ts';
import { configuration } from '../../../src/manifest/configuration.ts';
import { misplacedKeys, moveKeys } from '../../../src/window/keys/misplaced-key.ts';
import { TestEngine } from '../../support/engine/test-engine.ts';
import { call, calls, inOrder, say } from '../../support/model-server/turn.ts';
import { list, mildest } from '../case-input.ts';
import { strangersTool } from '../attacked-session.ts';
import type { Answer, Fixture, Surfaces } from '../surface.ts';
import { textOf } from './text.ts';

/** Where secrets must not be: rule 9; and what a file from elsewhere may not bring along. */
export const secretSurfaces: Surfaces = {
  log: async ({ input }, fixture) => {
    const text = textOf(input['text'] ?? input['message'] ?? input['line']);
    const known = [input['secret'], input['value']].flatMap((one) =>
      typeof one === 'string' ? [one] : [],
    );
    const written: string[] = [];
    const write = (line: string): void => void written.push(line);
    const channel = { error: write, warn: write, info: write, debug: write };
    const shown = new HostLog({ channel, file: { append: write } }, () => 'debug');
    for (const secret of known) shown.hide(secret);
    const file = path.join(fixture.storage, 'belay.log');
    const kept = new FileLog({
      file,
      clock: new SystemClock(),
      level: () => 'debug',
      secrets: () => known,
    });
    for (const log of [shown, kept]) {
      log.info(text);
      log.info('details', { text, nested: { text } });
      log.error(
        'It failed.',
        new BelayError({ code: 'auth', message: text }, { cause: new Error(text) }),
      );
    }
    await kept.flush();
    kept.dispose();
    written.push(await readFile(file, 'utf8'));
    // What a person is told of an error goes through the same mask when it is written down.
    written.push(maskSecrets(failureOf(new Error(text)).message));
    return verdict(written.join('\n'), text, known);
  },

  export: async ({ input }, fixture) => {
    const text = secretTextOf(input['session'] ?? input['text'] ?? input['content']);
    await using test = await withSecret(text, fixture);
    const { sessionId } = await test.run(`Look at this: ${text}`);
    const lines: string[] = [];
    // As compose-window.ts does it.
    for await (const line of test.engine.store.transfer.exportSession(sessionId, {
      mask: maskSecrets,
    }))
      lines.push(line);
    return verdict(lines.join('\n'), text, []);
  },

  'storage-scan': async (_attack, fixture) => {
    const canaries = CANARIES.map((make) => make(`canary${fixture.port}x`));
    const environment = { SOME_API_KEY: 'environment-canary-0123456789' };
    await using test = await withSecret(canaries.join('\n'), fixture, {
      apiKey: async () => 'sk-ant-canary-the-key-of-the-person',
      secrets: () => environmentSecrets(environment),
    });
    await test.run('Read the files and ask the server.');
    await test.close();
    const found: string[] = [];
    for (const file of await filesBelow(test.folder)) {
      if (file.includes(`${path.sep}workspace${path.sep}`)) continue;
      const bytes = await readFile(file, 'latin1');
      for (const secret of [...canaries, 'the-key-of-the-person', environment.SOME_API_KEY]) {
        const core = secret.split(/[\s=:"]+/u).toSorted((a, b) => b.length - a.length)[0] ?? secret;
        if (bytes.includes(core)) found.push(`${core} in ${path.basename(file)}`);
      }
    }
    return found.length === 0
      ? { decision: 'inert', note: `${canaries.length} canaries` }
      : { decision: 'allow', note: found.join(', ') };
  },

  settings: async ({ input }, fixture) => {
    const name = textOf(input['setting'])
      .replace(`${fixture.ext}.`, '')
      .replace(/^belay\./u, '');
    const value = textOf(input['value']);
    const file: Record<string, Json> = { [name]: input['value'] ?? '' };
    const kept: string[] = [];
    const asked: string[] = [];
    await moveKeys(misplacedKeys(file), {
      ask: async (key) => asked.push(key) > 0,
      store: async (secret) => void kept.push(secret),
      remove: async (key) => void delete file[key],
      hasKey: async () => false,
      told: () => undefined,
    });
    const declared = JSON.stringify(configuration());
    if (JSON.stringify(file).includes(value)) {
      // Not a secret that a setting holds: then nothing reads it as one, and no such setting exists.
      return declared.includes(`"belay.${name}"`) && value.startsWith('sk-')
        ? { decision: 'allow', note: `${name} keeps it` }
        : { decision: 'inert', note: 'no such setting' };
    }
    return asked.length > 0 && kept.includes(value)
      ? { decision: 'inert', note: `moved from ${asked.join()}` }
      : { decision: 'allow', note: 'lost' };
  },

  import: async ({ input }, fixture) => {
    const entries = list(
      input['entries'] ??
        input['names'] ??
        (typeof input['path'] === 'string' ? [input['path']] : []),
    );
    const answers: Answer[] = [];
    for (const entry of entries) answers.push(await importWith(entry, fixture));
    return mildest(answers);
  },
};

/** Secrets in the forms in which they come. */
const CANARIES: readonly ((canary: string) => string)[] = [
  (canary) => `sk-ant-api03-${canary}`,
  (canary) => `ghp_${canary}AAAAAAAAAAAA`,
  (canary) => `AWS_SECRET_ACCESS_KEY=${canary}wJalrXUtnFEMI`,
  (canary) => `postgres://app:${canary}@db.example/x`,
  (canary) => `Authorization: Bearer ${canary}0123456789`,
  (canary) => `xoxb-1234567890-${canary}`,
];

/** A run in which a file and a server say it. */
async function withSecret(text: string, fixture: Fixture, host: object = {}): Promise<TestEngine> {
  await writeFile(path.join(fixture.ws, 'dump.txt'), text);
  await writeFile(path.join(fixture.ws, '.env.production'), text);
  return TestEngine.open({
    script: inOrder(
      calls(call('read_file', { files: [{ path: 'dump.txt' }] })),
      calls(call('run_command', { command: 'cat dump.txt .env.production' })),
      calls(call('mcp__server__ask', {})),
      say('done'),
    ),
    settings: { 'permissions.mode': 'edit' },
    tools: [strangersTool('mcp__server__ask', () => text)],
    host: { roots: () => [fixture.ws], ...host },
  });
}

/** The secret as it would stand in a session: the words of the case, or what they describe. */
function secretTextOf(value: Json | undefined): string {
  const text = textOf(value);
  const assigned = /[A-Z][A-Z0-9_]{3,}\s*=\s*\S+/u.exec(text)?.[0];
  return assigned === undefined ? text : `${assigned}\n`;
}

/** Inert when nothing that was secret in the text is left. */
function verdict(output: string, text: string, known: readonly string[]): Answer {
  const canaries = text.match(/[\w.-]*canary[\w.-]*/giu) ?? [];
  const secrets = [...known, ...canaries].filter((one) => one !== '');
  const left = secrets.find((secret) => output.includes(secret) || /canary/iu.test(output));
  if (left !== undefined) return { decision: 'allow', note: `${left} is there` };
  const masked = output.includes('[secret]') || output.includes('[secret hidden by Belay]');
  return masked ? { decision: 'inert' } : { decision: 'allow', note: output.slice(0, 300) };
}

async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((one) => one.isFile()).map((one) => path.join(one.parentPath, one.name));
}

/** A session file that brings a file along under this name. */
async function importWith(entry: string, fixture: Fixture): Promise<Answer> {
  await using test = await TestEngine.open({ script: inOrder(say('hello')) });
  const { sessionId } = await test.run('hi');
  const lines: string[] = [];
  for await (const line of test.engine.store.transfer.exportSession(sessionId)) lines.push(line);
  const attachment = {
    id: 'attachment-1',
    name: entry,
    mediaType: 'text/plain',
    size: 1,
    data: 'eA==',
  };
  const before = await filesBelow(path.dirname(fixture.ws));
  const answers: Answer[] = [];
  for (const one of [attachment, { ...attachment, name: 'x.txt', id: entry }]) {
    const end = JSON.parse(lines.at(-1) ?? '{}') as JsonObject;
    const changed = [
      ...lines.slice(0, -1),
      JSON.stringify({ type: 'attachment', sessionId, attachment: one }),
      JSON.stringify({ ...end, lines: lines.length }),
    ];
    try {
      await test.engine.store.transfer.importSession(changed);
      answers.push({ decision: 'allow', note: `${entry} was taken` });
    } catch (error) {
      const { code, message } = failureOf(error);
      answers.push(
        code === 'invalid'
          ? { decision: 'refuse', note: message }
          : { decision: 'allow', note: message },
      );
    }
  }
  const after = await filesBelow(path.dirname(fixture.ws));
  return after.length === before.length
    ? mildest(answers)
    : { decision: 'allow', note: after.join() };
}
