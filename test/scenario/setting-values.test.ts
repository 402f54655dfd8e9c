import assert from 'node:assert/strict';
import { checkSetting, settingsFrom } from '../../src/domain/settings/read-settings.ts';
import { MODULES, TOOL_NAMES } from '../../src/domain/settings/name-checks.ts';
import { type Setting } from '../../src/domain/settings/setting.ts';
import { OLD_SETTINGS } from '../../src/domain/settings/old-settings.ts';
import { type SettingKey, SETTINGS } from '../../src/domain/settings/settings.ts';
import { ENTRY_CHECKS } from '../../src/providers/setting-checks.ts';
import { inEnglish } from '../../src/domain/text/told.ts';
import { readCommandLine, runArguments } from '../../src/hosts/node/headless/arguments.ts';
import { findUnknownFallbacks } from '../../src/compose/unknown-fallbacks.ts';
import { defaultInstance } from '../../src/providers/anthropic/instance.ts';
import { ModelNames } from '../../src/providers/instance.ts';
import { createNamedCatalog } from '../../src/providers/named-catalog.ts';
import { FACES } from '../../src/tools/faces.ts';
import { TestEngine } from '../support/engine/test-engine.ts';
import { say } from '../support/model-server/turn.ts';

/** Reads one setting as VS Code does, and gives what is reported. */
function read(key: SettingKey, value: unknown): { value: unknown; problems: string[] } {
  const problems: string[] = [];
  const settings = settingsFrom(
    () => value,
    ({ message }) => problems.push(inEnglish(message)),
    ENTRY_CHECKS,
  );
  return { value: settings(key), problems };
}

const fail = (): never => assert.fail('nothing is wrong in itself');

/** Names that a reader of the settings must be told about, or must not. */
const NAMES: readonly (readonly [key: SettingKey, value: unknown, told: readonly RegExp[]])[] = [
  ['tools.disabled', ['git', 'mcp__hub__any', 'ext__other_one__any'], []],
  [
    'tools.disabled',
    ['run_comand'],
    [/tools\.disabled.*"run_comand".*Did you mean run_command\?/u],
  ],
  ['tools.disabled', ['no_such_tool'], [/nothing is named "no_such_tool".*ignored\.$/u]],
  ['agents.deniedTools', ['git', 'git'], [/agents\.deniedTools: "git" is listed more than once/u]],
  ['agents.deniedToolsOfLeaves', ['Bash'], [/agents\.deniedToolsOfLeaves.*"Bash"/u]],
  ['identity.guestModules', ['files', 'serach'], [/identity\.guestModules.*Did you mean search/u]],
  ['model.fallbacks', ['a', 'b', 'a'], [/model\.fallbacks: "a" is listed more than once/u]],
  ['personas', [{ name: 'kind', instructions: 'Be kind.', tools: ['git'] }], []],
  ['personas', 'kind', [/belay\.personas is "kind".*The default \[\] is used/u]],
  ['personas', ['kind'], [/belay\.personas: "kind" is not a persona/u]],
  ['personas', [{ name: 'a', level: 'king' }], [/level of a .*so guest is used/u]],
  [
    'personas',
    [{ name: 'a', temperature: 9, topP: {}, instructions: 5, colour: 'red' }],
    [/topP of a/u, /instructions of a/u, /temperature of a/u, /unknown field colour/u],
  ],
];

describe('names and numbers in settings', () => {
  it('E7: every tool and every group of tools of Belay is known to the check of the settings', async () => {
    await using test = await TestEngine.open({ script: () => say('') });
    const names = FACES.map(({ name }) => name).filter(
      (name) => !/^(?:use|find)_tool$/u.test(name),
    );
    assert.deepEqual(new Set(TOOL_NAMES), new Set(names));
    const modules = (await test.engine.tools.rows()).map(({ module }) => module);
    assert.deepEqual(new Set(MODULES), new Set([...modules, 'language', 'settings', 'extensions']));
  });

  for (const [key, value, told] of NAMES)
    it(`E7: belay.${key} with ${JSON.stringify(value)} is told in ${told.length} sentences`, () => {
      const { problems } = read(key, value);
      assert.equal(problems.length, told.length, problems.join('\n'));
      for (const said of told)
        assert.ok(
          problems.some((one) => said.test(one)),
          `${said} ${problems.join()}`,
        );
      const given = ['--prompt', 'x', '--workspace', '/w', '--data', '/d', '--set'];
      const line = readCommandLine([...given, `${key}=${JSON.stringify(value)}`]);
      assert.equal(line.kind, 'command');
      const parse = (): unknown => (line.kind === 'command' ? runArguments(line.given) : undefined);
      if (told.length === 0) assert.doesNotThrow(parse);
      else assert.throws(parse, new RegExp(key, 'u'));
    });

  it('E7: a fallback model that no provider has is named; a provider of your own may have any', async () => {
    const given = ['claude-sonnet-4-5', 'claude-sonet', 'gone/model', 'mine/any'];
    const own = { ...defaultInstance(() => 'https://models.example'), id: 'mine' };
    const names = new ModelNames([defaultInstance(() => ''), own]);
    const settings = settingsFrom((key) => (key === 'model.fallbacks' ? given : undefined), fail);
    const catalog = createNamedCatalog(names);
    const told = await findUnknownFallbacks({ settings, model: {} }, { catalog, names });
    assert.deepEqual(
      told.map((one) => /fallbacks: .*"(.*)"/u.exec(inEnglish(one))?.[1]),
      ['claude-sonet', 'gone/model'],
    );
  });

  it('the command line names the new key of an old one', () => {
    for (const [old, present] of Object.entries(OLD_SETTINGS)) {
      const line = readCommandLine([
        '--prompt',
        'x',
        '--workspace',
        '/w',
        '--data',
        '/d',
        '--set',
        `${old}=1`,
      ]);
      assert.throws(
        () => (line.kind === 'command' ? runArguments(line.given) : undefined),
        new RegExp(`no setting belay\\.${old}\\. It is now belay\\.${present}\\.`, 'u'),
      );
      assert.ok(Object.hasOwn(SETTINGS, present) && !Object.hasOwn(SETTINGS, old), old);
    }
  });

  for (const [key, setting] of Object.entries<Setting>(SETTINGS)) {
    if (setting.type !== 'integer' && setting.type !== 'number') continue;
    it(`E7: belay.${key} takes its limits and nothing beyond them`, () => {
      const { minimum, maximum } = setting;
      for (const good of [minimum, maximum]) assert.equal(checkSetting(key, good).value, good);
      for (const bad of [minimum - 1, maximum + 1, Number.NaN, String(minimum)]) {
        const { value, problems } = read(key as SettingKey, bad);
        assert.equal(value, setting.default);
        assert.match(problems.join(), new RegExp(`belay\\.${key} .*default`, 'u'));
      }
    });
  }
});
