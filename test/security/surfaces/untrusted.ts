import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Setting } from '../../../src/domain/settings/settings.ts';
import { SETTINGS } from '../../../src/domain/settings/settings.ts';
import { findSettingObject } from '../../../src/domain/settings/setting-objects.ts';
import type { Json, JsonObject } from '../../../src/domain/data/json.ts';
import { manifest } from '../../../src/manifest/manifest.ts';
import { SystemClock } from '../../../src/hosts/node/clock.ts';
import { ServerConsent } from '../../../src/mcp/config/consent.ts';
import { McpHub } from '../../../src/mcp/hub.ts';
import { runSession } from '../attacked-session.ts';
import type { Answer, Fixture, Surfaces } from '../surface.ts';
import { textOf } from './text.ts';

/** A folder that is opened without being trusted: nothing of it is obeyed (rule 2). */
export const untrustedSurfaces: Surfaces = {
  'open-untrusted': async ({ input }, fixture) => {
    for (const [file, text] of Object.entries(objectOf(input['files']))) {
      await mkdir(path.dirname(file), { recursive: true });
      await writeFile(file, typeof text === 'string' ? text : JSON.stringify(text));
    }
    const obeyed = await settingsObeyed(fixture);
    if (obeyed.length > 0) return { decision: 'allow', note: `obeyed: ${obeyed.join()}` };
    return openAndTry(fixture);
  },
};

/** Settings of the workspace that would count, now or once it is trusted, although they may not. */
async function settingsObeyed({ ws, ext }: Fixture): Promise<string[]> {
  const settings = await jsonOf(path.join(ws, '.vscode', 'settings.json'));
  const { capabilities } = manifest() as unknown as {
    readonly capabilities: {
      readonly untrustedWorkspaces: {
        readonly supported: string;
        readonly restrictedConfigurations: readonly string[];
      };
    };
  };
  const { supported, restrictedConfigurations: restricted } = capabilities.untrustedWorkspaces;
  if (supported !== 'limited') return ['untrustedWorkspaces'];
  return Object.keys(settings).filter((name) => {
    const key = name.replace(`${ext}.`, '').replace(/^belay\./u, '');
    // Objects are read from the user's own settings only, whatever their properties.
    if (findSettingObject(`${key}.`) !== undefined) return false;
    if (!Object.hasOwn(SETTINGS, key)) return false;
    const setting: Setting = SETTINGS[key as keyof typeof SETTINGS];
    if (!restricted.includes(`belay.${key}`)) return true;
    // What chooses mode, address, model, program or permission is the person's, also after trust.
    const chooses = /^(?:permissions|model|secrets|budget|log|identity|web)\./u.test(key);
    return chooses && !/^(?:application|machine)$/u.test(setting.scope) && key !== 'model.thinking';
  });
}

/** Opens the engine as the window does without trust, with a model and a person who want everything. */
async function openAndTry(fixture: Fixture): Promise<Answer> {
  const asked: string[] = [];
  const hub = new McpHub({
    clock: new SystemClock(),
    log: quiet,
    environment: process.env,
    workspaceFolder: fixture.ws,
    client: { name: 'belay-test', version: '0' },
    mayStart: new ServerConsent({
      trusted: () => false,
      given: () => [],
      keep: async () => undefined,
      ask: async ({ name }) => asked.push(name) > 0,
    }).mayStart,
    patienceMs: 10_000,
  });
  try {
    // Worse than the product, which does not even read them: the servers of every file there is.
    for (const file of [
      '.mcp.json',
      '.vscode/mcp.json',
      '.cursor/mcp.json',
      '.vscode/settings.json',
    ]) {
      const found = await jsonOf(path.join(fixture.ws, file));
      const servers = found['mcpServers'] ?? found['servers'] ?? found['belay.mcp.servers'];
      if (servers !== undefined) hub.reconfigure([{ origin: 'workspace', servers }]);
      await hub.tools();
    }
    const { sent, results, questions } = await runSession(fixture, {
      calls: [
        { name: 'run_command', input: { command: 'git status' } },
        { name: 'run_command', input: { command: `touch ${JSON.stringify(fixture.canary)}` } },
        { name: 'write_file', input: { path: 'made.txt', content: 'x' } },
        { name: 'fetch_url', input: { url: `http://127.0.0.1:${fixture.evilPort}/` } },
        { name: 'read_file', input: { files: [{ path: 'README.md' }] } },
      ],
      person: () => ({ allowed: true }),
      host: {
        trusted: () => false,
        level: () => 'guest',
        mcpTools: async (moment) => hub.tools(moment),
      },
    });
    const done = results.filter(({ state }) => state === 'done').map(({ name }) => name);
    const offered = toolsIn(sent[0]).filter(
      (name) => !/^(?:read_|list_|find_|search_|ask_|todo|use_tool)/u.test(name),
    );
    const instructed = JSON.stringify(sent[0]).includes('<instructions');
    const problems = [
      ...done.filter((name) => name !== 'read_file'),
      ...offered,
      ...(instructed ? ['instructions'] : []),
      ...asked.map((name) => `asked about ${name}`),
      ...questions.map(({ title }) => title),
    ];
    return problems.length === 0
      ? { decision: 'inert', note: `${results.length} calls, ${done.join()} done` }
      : { decision: 'allow', note: problems.join(', ') };
  } finally {
    await hub.dispose();
  }
}

function toolsIn(request: Json | undefined): string[] {
  const { tools } = objectOf(request);
  return Array.isArray(tools)
    ? (tools as readonly JsonObject[]).map(({ name }) => textOf(name))
    : [];
}

async function jsonOf(file: string): Promise<JsonObject> {
  try {
    return objectOf(JSON.parse(await readFile(file, 'utf8')) as Json);
  } catch {
    return {};
  }
}

function objectOf(value: Json | undefined): JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as JsonObject)
    : {};
}

const nothing = (): void => undefined;
const quiet = { debug: nothing, info: nothing, warn: nothing, error: nothing };
