import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { SettingKey } from '../../src/domain/settings/settings.ts';
import type { SettingProblem } from '../../src/domain/settings/read-settings.ts';
import { SETTINGS } from '../../src/domain/settings/settings.ts';
import { mcpDefinitions } from '../../src/hosts/vscode/settings/mcp-definitions.ts';
import { SettingsReader } from '../../src/hosts/vscode/settings/settings.ts';
import { eventually } from './eventually.ts';

const { Global, Workspace } = vscode.ConfigurationTarget;

async function set(key: string, value: unknown, target = Global): Promise<void> {
  await vscode.workspace.getConfiguration('belay').update(key, value, target);
}

describe('settings in VS Code', () => {
  let reader: SettingsReader;
  let problems: SettingProblem[];

  beforeEach(() => {
    problems = [];
    reader = new SettingsReader((problem) => problems.push(problem));
  });

  afterEach(async () => {
    reader.dispose();
    await set('loop.maxIterations', undefined);
    await set('tools.disabled', undefined);
    await set('permissions.rules', undefined);
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
    assert.match(problems[0]?.message ?? '', /belay\.loop\.maxIterations is "many".*default 50/);
    await set('loop.maxIterations', -1);
    await eventually('another bad value is another report', () => problems.length === 2);
  });

  it('E7: a wrong rule is named at once, not when a call meets it; the others count', async () => {
    const good = { effect: 'deny', command: 'git push' };
    await set('permissions.rules', [good, { effect: 'allow', path: 'a.[t' }, { effect: 'never' }]);
    await eventually('both are reported', () => problems.length === 2);
    assert.match(problems[0]?.message ?? '', /^belay\.permissions\.rules: .*"a\.\[t".*not closed/u);
    assert.match(problems[1]?.message ?? '', /effect of a rule is one of.*"never"/u);
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

  it('keeps apart which MCP servers are the person’s and which the workspace’s', async () => {
    await set('mcp.servers', { mine: { command: 'a', args: ['--safe'] } });
    await set('mcp.servers', { mine: { args: ['--evil'] }, theirs: { command: 'b' } }, Workspace);
    await eventually('both are read', () => Object.keys(mcpDefinitions().workspace).length === 2);
    assert.deepEqual(mcpDefinitions(), {
      user: { mine: { command: 'a', args: ['--safe'] } },
      workspace: { mine: { args: ['--evil'] }, theirs: { command: 'b' } },
    });
  });
});
