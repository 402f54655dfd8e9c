import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { glob, readFile } from 'node:fs/promises';
import type { Json } from '../../../src/domain/data/json.ts';
import { toDeclaredKey } from '../../../src/domain/settings/setting-objects.ts';
import { SETTINGS } from '../../../src/domain/settings/settings.ts';
import type { CommandDeclaration } from '../../../src/manifest/commands.ts';
import { COMMANDS } from '../../../src/manifest/commands.ts';
import { INTERNAL_COMMANDS } from '../../../src/manifest/internal-commands.ts';
import { LENT_TOOL_NAMES, lentName } from '../../../src/manifest/lent-tool-names.ts';
import { localized } from '../../../src/manifest/localized.ts';
import { manifest } from '../../../src/manifest/manifest.ts';
import { buildSettingsPage } from '../../../src/manifest/settings-table.ts';

const root = new URL('../../../', import.meta.url);

interface PackageJson {
  readonly activationEvents: readonly string[];
  readonly capabilities: {
    readonly untrustedWorkspaces: {
      readonly supported: string;
      readonly restrictedConfigurations: readonly string[];
    };
  };
  readonly extensionKind: readonly string[];
  readonly contributes: {
    readonly configuration: readonly {
      readonly properties: Readonly<Record<string, Readonly<Record<string, Json>>>>;
    }[];
    readonly commands: readonly { readonly command: string; readonly category: string }[];
    readonly languageModelTools: readonly unknown[];
    readonly menus: {
      readonly commandPalette: readonly { readonly command: string; readonly when: string }[];
    };
    readonly keybindings: readonly { readonly command: string; readonly key: string }[];
    readonly walkthroughs: readonly {
      readonly steps: readonly {
        readonly description: string;
        readonly media: { readonly svg: string };
      }[];
    }[];
  };
}

const packageJson = async (): Promise<PackageJson & Record<string, unknown>> =>
  JSON.parse(await readFile(new URL('package.json', root), 'utf8')) as PackageJson &
    Record<string, unknown>;

/** What VS Code makes of the manifest where it speaks English. */
const inEnglish = async (): Promise<PackageJson> => {
  const texts = localized(manifest()).english;
  const declared = JSON.stringify(await packageJson());
  return JSON.parse(
    declared.replaceAll(/"%([\w.]+)%"/g, (_, key: string) => JSON.stringify(texts[key] ?? '')),
  ) as PackageJson;
};

describe('the manifest', () => {
  it('package.json is what the tables say (npm run manifest writes it)', async () => {
    const declared = await packageJson();
    for (const [part, expected] of Object.entries(localized(manifest()).parts)) {
      assert.deepEqual(declared[part], expected, `${part} is out of date: npm run manifest`);
    }
  });

  it('docs/reference/settings.md lists the settings (npm run manifest writes it)', async () => {
    const page = await readFile(new URL('docs/reference/settings.md', root), 'utf8');
    assert.equal(page, buildSettingsPage());
  });

  it('E7: every setting has a description, a scope, a default of its type and is restricted', async () => {
    const declared = await inEnglish();
    const properties = Object.assign(
      {},
      ...declared.contributes.configuration.map((group) => group.properties),
    ) as Record<string, Record<string, unknown>>;
    assert.deepEqual(
      Object.keys(properties).toSorted(),
      [...new Set(Object.keys(SETTINGS).map((key) => `belay.${toDeclaredKey(key)}`))].toSorted(),
    );
    for (const [key, schema] of Object.entries(properties)) {
      assert.ok(String(schema['markdownDescription']).length > 10, `${key} has no description`);
      const kind = Array.isArray(schema['default']) ? 'array' : typeof schema['default'];
      const expected = schema['type'] === 'integer' ? 'number' : schema['type'];
      assert.equal(kind, expected, `the default of ${key}`);
      assert.ok(
        declared.capabilities.untrustedWorkspaces.restrictedConfigurations.includes(key),
        `${key} would be obeyed in an untrusted workspace`,
      );
    }
  });

  it('shows eight settings first', async () => {
    const { contributes } = await packageJson();
    assert.deepEqual(Object.keys(contributes.configuration[0]?.properties ?? {}), [
      'belay.model.name',
      'belay.model.providers',
      'belay.permissions.mode',
      'belay.permissions.rules',
      'belay.budget',
      'belay.mcp.servers',
      'belay.terminal.sandbox',
      'belay.systemPrompt.add',
    ]);
  });

  it('a new setting changes no order outside its category', async () => {
    const { contributes } = await packageJson();
    assert.ok(contributes.configuration.length > 5, 'there are categories');
    for (const { properties } of contributes.configuration) {
      const orders = Object.values(properties).map(({ order }) => order);
      assert.deepEqual(
        orders,
        orders.map((_, at) => 10 * (at + 1)),
      );
    }
  });

  it('settings that choose what runs or where data goes cannot come from a workspace', () => {
    for (const key of [
      'model.name',
      'model.baseUrl',
      'model.fallbacks',
      'permissions.mode',
    ] as const) {
      assert.ok(['application', 'machine'].includes(SETTINGS[key].scope), key);
    }
  });

  it('Settings Sync takes over nothing that decides what runs, what is allowed and where data goes', async () => {
    const declared = await packageJson();
    const all = declared.contributes.configuration.flatMap(({ properties }) =>
      Object.entries(properties),
    );
    const stays = new Set(
      all.flatMap(([key, { ignoreSync }]) => (ignoreSync === true ? key.slice(6) : [])),
    );
    for (const key of [
      'model.baseUrl',
      'model.keyVariable',
      'model.providers',
      'mcp.servers',
      'mcp.files',
      'permissions.mode',
      'permissions.rules',
      'identity.defaultLevel',
      'secrets.maskToolOutput',
      'terminal.sandbox',
      'tools.extensions',
      'contextServer.enabled',
    ])
      assert.ok(stays.has(key), `${key} would travel`);
    // What a setting says about commands, programs, addresses or rights makes it one of those.
    const telling = /\b(?:command|env|baseUrl|url|allow|sandbox|port)\b/u;
    const travels = new Set(['personas', 'model.catalog', 'tools.disabled', 'memory.enabled']);
    for (const [key, { markdownDescription: _, ...shape }] of all) {
      const name = key.slice(6);
      if (telling.test(JSON.stringify([name, shape])) && !travels.has(name))
        assert.ok(stays.has(name), `${name} is about ${telling.exec(JSON.stringify(shape))?.[0]}`);
    }
    assert.ok(!stays.has('model.name'), 'what a person likes travels');
  });

  it('the state that VS Code keeps for Belay is not synced', async () => {
    for await (const file of glob('src/**/*.ts', { cwd: root }))
      assert.doesNotMatch(await readFile(new URL(file, root), 'utf8'), /setKeysForSync/u, file);
  });

  it('tools for other extensions say what they are in English, and only read', async () => {
    const declared = await packageJson();
    const tools = declared.contributes.languageModelTools as readonly {
      readonly name: string;
      readonly modelDescription: string;
      readonly inputSchema: { readonly type: string };
    }[];
    assert.deepEqual(
      tools.map(({ name }) => name),
      LENT_TOOL_NAMES.map(lentName),
    );
    for (const { name, modelDescription, inputSchema } of tools) {
      assert.doesNotMatch(JSON.stringify([modelDescription, inputSchema]), /%[\w.]+%/u, name);
      assert.equal(inputSchema.type, 'object', name);
    }
  });

  it('wakes once VS Code has started, and for its own files, and runs where the files are', async () => {
    const declared = await packageJson();
    assert.deepEqual(declared.activationEvents, [
      'onStartupFinished',
      'onFileSystem:belay-approval',
      'onWebviewPanel:belay.controlCenter',
      'onWebviewPanel:belay.session',
    ]);
    assert.deepEqual(declared.extensionKind, ['workspace']);
    assert.equal(declared.capabilities.untrustedWorkspaces.supported, 'limited');
  });

  it('offers features that few use only once they are used', async () => {
    const { contributes } = await packageJson();
    const when = (id: string): string | undefined =>
      contributes.menus.commandPalette.find(({ command }) => command === `belay.${id}`)?.when;
    assert.equal(when('choosePersona'), 'belay.hasPersonas');
    assert.equal(when('showFollowUps'), 'belay.hasFollowUps');
    assert.equal(when('copyContextServer'), 'config.belay.contextServer.enabled');
    assert.match(when('setTelemetryKey') ?? '', /config\.belay\.telemetry\.otlpEndpoint/u);
    assert.match(when('showTimeline') ?? '', /config\.belay\.log\.level == debug/u);
    const ids = contributes.commands.map(({ command }) => command);
    for (const id of Object.keys(INTERNAL_COMMANDS)) assert.ok(!ids.includes(id), id);
  });

  it('buttons in title bars have icons or words', () => {
    for (const [id, { icon, shortTitle, places = [] }] of Object.entries<CommandDeclaration>(
      COMMANDS,
    ))
      for (const { group, as } of places)
        if (group.startsWith('navigation'))
          assert.ok(as === 'title' ? shortTitle : (icon ?? shortTitle), `${id} is a button`);
  });

  it('no two keybindings are the same, and each command of a walkthrough exists', async () => {
    const declared = await inEnglish();
    const keys = declared.contributes.keybindings.map((binding) => binding.key);
    assert.equal(new Set(keys).size, keys.length);
    for (const step of declared.contributes.walkthroughs.flatMap((one) => one.steps)) {
      assert.ok(existsSync(new URL(step.media.svg, root)), `${step.media.svg} is missing`);
      for (const [, command] of step.description.matchAll(/\(command:([\w.]+)\)/g)) {
        assert.ok(command !== undefined && Object.hasOwn(COMMANDS, command), command);
      }
    }
  });

  it('every context key in a condition is one that Belay sets', async () => {
    const source = await readFile(new URL('src/manifest/context-key-names.ts', root), 'utf8');
    const known = [...source.matchAll(/readonly (\w+):/g)].map(([, name]) => `belay.${name}`);
    const declared = await packageJson();
    const used = JSON.stringify(declared.contributes).matchAll(/"when":"([^"]*)"/g);
    for (const [, condition] of used) {
      for (const [, key] of (condition ?? '').matchAll(/config\.belay\.([\w.]+)/g))
        assert.ok(Object.hasOwn(SETTINGS, key ?? ''), `${key} in "${condition}" is no setting`);
      for (const [key] of (condition ?? '').matchAll(/(?<!config\.)belay\.\w+/g)) {
        if (key === 'belay.panel' || key === 'belay.session') continue; // a view, a kind of tab
        assert.ok(known.includes(key), `${key} in "${condition}" is never set`);
      }
    }
  });
});
