import { inEnglish } from '../../src/domain/text/told.ts';
import assert from 'node:assert/strict';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import * as vscode from 'vscode';
import type { SettingKey } from '../../src/domain/settings/settings.ts';
import type { SettingProblem } from '../../src/domain/settings/read-settings.ts';
import { SETTINGS } from '../../src/domain/settings/settings.ts';
import { McpPlaces } from '../../src/hosts/vscode/mcp/mcp-places.ts';
import { Workspace as BelayWorkspace } from '../../src/hosts/vscode/workspace/workspace.ts';
import { SettingsReader } from '../../src/hosts/vscode/settings/settings.ts';
import { eventually } from './eventually.ts';

const { Global, Workspace } = vscode.ConfigurationTarget;

async function set(key: string, value: unknown, target = Global): Promise<void> {
  await vscode.workspace.getConfiguration('belay').update(key, value, target);
}

describe('settings in VS Code', () => {
  let reader: SettingsReader;
  let problems: (Pick<SettingProblem, 'key'> & { readonly said: string })[];

  beforeEach(() => {
    problems = [];
    reader = new SettingsReader(({ key, message }) =>
      problems.push({ key, said: inEnglish(message) }),
    );
  });

  afterEach(async () => {
    reader.dispose();
    await set('loop.maxIterations', undefined);
    await set('tools.disabled', undefined);
    await set('permissions.rules', undefined);
    await set('budget', undefined);
    await set('mcp.servers', undefined);
    await set('mcp.servers', undefined, Workspace);
    await set('loop.maxIterations', undefined, Workspace);
  });

  it('E7: VS Code knows every setting, with the default of the table', () => {
    const configuration = vscode.workspace.getConfiguration('belay');
    for (const [key, setting] of Object.entries(SETTINGS)) {
      assert.deepEqual(configuration.inspect(key)?.defaultValue, setting.default, key);
      assert.deepEqual(reader.get(key as SettingKey), setting.default, key);
    }
    assert.deepEqual(problems, []);
  });

  it('E7: a bad value is reported once, by name, and the default is used', async () => {
    await set('loop.maxIterations', 'many');
    await eventually('the problem is reported', () => problems.length > 0);
    assert.equal(reader.get('loop.maxIterations'), SETTINGS['loop.maxIterations'].default);
    reader.check();
    assert.equal(problems.length, 1);
    assert.match(problems[0]?.said ?? '', /belay\.loop\.maxIterations is "many".*default 50/);
    await set('loop.maxIterations', -1);
    await eventually('another bad value is another report', () => problems.length === 2);
  });

  it('budgets are properties of one object, and each bad one is reported by name', async () => {
    await set('budget', { usdPerRun: 5, tokensPerRun: 'many' });
    await eventually('the problem is reported', () => problems.length > 0);
    assert.equal(reader.get('budget.usdPerRun'), 5);
    assert.equal(reader.get('budget.tokensPerRun'), 0);
    assert.match(problems[0]?.said ?? '', /belay\.budget\.tokensPerRun is "many".*default 0/u);
    await reader.write('budget.usdPerDay', 9);
    assert.equal(reader.get('budget.usdPerDay'), 9);
    assert.equal(reader.get('budget.usdPerRun'), 5);
    await set('budget', 7);
    await eventually('no object is reported', () => problems.length === 2);
    assert.match(problems[1]?.said ?? '', /belay\.budget is 7, but an object is expected/u);
    assert.equal(reader.get('budget.usdPerRun'), 0);
  });

  it('a workspace sets no budget, and old keys are ignored with one notice', async () => {
    const file = path.join(new BelayWorkspace().roots[0] ?? '', '.vscode', 'settings.json');
    const before = await readFile(file, 'utf8').catch(() => undefined);
    try {
      await mkdir(path.dirname(file), { recursive: true });
      const old = { 'belay.budget.usdPerRun': 3, 'belay.tools.timeout': 9 };
      await writeFile(file, JSON.stringify(old));
      await eventually(
        'VS Code has read the file',
        () =>
          vscode.workspace.getConfiguration('belay').inspect('tools.timeout')?.workspaceValue === 9,
      );
      assert.equal(reader.get('budget.usdPerRun'), 0);
      assert.equal(reader.get('advanced.toolTimeoutSeconds'), 120);
      await reader.checkOldKeys();
      assert.deepEqual(
        problems.map(({ said }) => said),
        [
          'These settings have new names and are ignored until you rename them: belay.tools.timeout → "belay.advanced": { "toolTimeoutSeconds": 9 }.',
        ],
      );
    } finally {
      await (before === undefined ? rm(file, { force: true }) : writeFile(file, before));
    }
  });

  it('E7: a wrong rule is named at once, not when a call meets it; the others count', async () => {
    const good = { effect: 'deny', command: 'git push' };
    await set('permissions.rules', [good, { effect: 'allow', path: 'a.[t' }, { effect: 'never' }]);
    await eventually('both are reported', () => problems.length === 2);
    assert.match(problems[0]?.said ?? '', /^belay\.permissions\.rules: .*"a\.\[t".*not closed/u);
    assert.match(problems[1]?.said ?? '', /effect of a rule is one of.*"never"/u);
    assert.ok(problems.every(({ key }) => key === 'permissions.rules'));
    assert.deepEqual(reader.get('permissions.rules')[0], good);
    assert.equal(problems.length, 2);
  });

  it('reads changes at once and tells which settings changed', async () => {
    const changed: SettingKey[] = [];
    reader.onChanged((keys) => changed.push(...keys));
    await set('loop.maxIterations', 7, Workspace);
    await eventually('the change is told', () => changed.includes('loop.maxIterations'));
    assert.equal(reader.get('loop.maxIterations'), 7);
    await set('tools.disabled', ['run_command']);
    await eventually('the change is told', () => changed.includes('tools.disabled'));
    assert.deepEqual(reader.get('tools.disabled'), ['run_command']);
  });

  it('a workspace cannot choose the model, the URL or the mode', async () => {
    for (const key of ['model.name', 'model.baseUrl', 'permissions.mode']) {
      await assert.rejects(set(key, 'all', Workspace), key);
    }
  });

  it('keeps apart which MCP servers are the person’s, the workspace’s and a file’s, and follows the file', async () => {
    const workspace = new BelayWorkspace();
    const places = new McpPlaces({ settings: reader, workspace });
    const file = path.join(workspace.roots[0] ?? '', '.mcp.json');
    const own = (name: string): unknown =>
      places.sources().find(({ label }) => label === name)?.servers;
    try {
      await set('mcp.servers', { mine: { command: 'a', args: ['--safe'] } });
      await set('mcp.servers', { mine: { args: ['--evil'] }, theirs: { command: 'b' } }, Workspace);
      await eventually(
        'the workspace’s are read',
        () => places.sources()[1]?.servers !== undefined,
      );
      assert.deepEqual(places.sources(), [
        { origin: 'user', servers: { mine: { command: 'a', args: ['--safe'] } } },
        {
          origin: 'workspace',
          label: 'belay.mcp.servers of the workspace',
          servers: { mine: { args: ['--evil'] }, theirs: { command: 'b' } },
        },
      ]);
      await writeFile(file, '{"mcpServers": {"c": {"command": "c", "env": {"K": "${K}"}}}}');
      const wanted = { c: { command: 'c', env: { K: '${K}' } } };
      await eventually('the file is read', () => isDeepStrictEqual(own('.mcp.json'), wanted));
      await writeFile(file, '{"mcpServers": ');
      await eventually('its fault is known', () =>
        places
          .sources()
          .some(
            ({ problem }) => problem !== undefined && inEnglish(problem).includes('not valid JSON'),
          ),
      );
      await set('mcp.files', false);
      await eventually('no file counts', () => own('.mcp.json') === undefined);
      await set('mcp.files', undefined);
      await eventually('it counts again', () => own('.mcp.json') !== undefined);
      await rm(file);
      await eventually('it has gone', () => own('.mcp.json') === undefined);
    } finally {
      await rm(file, { force: true });
      await set('mcp.files', undefined);
      places.dispose();
      workspace.dispose();
    }
  });
});
