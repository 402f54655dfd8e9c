import assert from 'node:assert/strict';
import type { SetupParts } from '../../../src/hosts/vscode/panel/panel-setup.ts';
import { WindowSetup } from '../../../src/hosts/vscode/panel/panel-setup.ts';
import { ProviderKeys } from '../../../src/hosts/vscode/secrets/provider-keys.ts';
import { defaultInstance } from '../../../src/providers/anthropic/instance.ts';
import { liveInstances } from '../../../src/providers/instances-setting.ts';
import { KeyedAddresses } from '../../../src/window/keys/keyed-addresses.ts';

/** A window's setup over keys that are kept in this process. */
async function windowWith(environment: Readonly<Record<string, string>> = {}, keyVariable = '') {
  const secrets = new Map<string, string>();
  const kept = new Map<string, unknown>();
  const nothing = () => ({ dispose: () => undefined });
  const changes: ((change: { key: string }) => void)[] = [];
  const storage = {
    get: async (key: string) => Promise.resolve(secrets.get(key)),
    store: async (key: string, value: string) => void secrets.set(key, value),
    delete: async (key: string) => void secrets.delete(key),
    onDidChange: (listener: (change: { key: string }) => void) => {
      changes.push(listener);
      return nothing();
    },
  };
  const providers = {
    box: { wire: 'chat', name: 'My Box', baseUrl: 'http://127.0.0.1:9', models: ['m'] },
  };
  const keys = new ProviderKeys({
    storage: storage as unknown as ConstructorParameters<typeof ProviderKeys>[0]['storage'],
    environment,
    keyed: new KeyedAddresses({
      get: (key) => kept.get(key),
      update: async (key, value) => void kept.set(key, value),
    }),
    instances: liveInstances(
      [
        defaultInstance(
          () => '',
          () => keyVariable,
        ),
      ],
      () => providers,
    ),
    log: { error: () => undefined },
    hide: () => undefined,
  });
  const parts = {
    keys,
    settings: { onChanged: nothing, get: () => '' },
    workspace: { onTrusted: nothing, onRootsChanged: nothing, trusted: true, roots: [] },
    models: { onChange: nothing, demo: 'demo' },
    checks: { onChanged: nothing },
    recentModels: { onChanged: nothing },
  } as unknown as SetupParts;
  const lose = async (name: string): Promise<void> => {
    secrets.delete(name);
    for (const told of changes) told({ key: name });
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { keys, lose, setup: await WindowSetup.make(parts) };
}

describe('keys that want an answer, as the panel is told of them', () => {
  it('an added provider that lost its key is named with its host, until its key is back', async () => {
    const { keys, lose, setup } = await windowWith();
    const box = keys.instances[1];
    assert.ok(box);
    assert.deepEqual(setup.keyNews(), { lost: undefined, offered: undefined });
    await keys.store('box-key-12345', box);
    await lose('belay.key.box');
    assert.equal(setup.keyNews().lost, 'My Box (127.0.0.1:9)');
    await keys.forget(box);
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(setup.keyNews().lost, undefined);
    setup.dispose();
  });

  it('a variable of the environment is offered by its name, until there is a yes to it', async () => {
    const environment = { ANTHROPIC_AUTH_TOKEN: 'token-12345' };
    const before = await windowWith(environment);
    assert.equal(before.setup.keyNews().offered, 'ANTHROPIC_AUTH_TOKEN');
    assert.equal(before.setup.hasKey() && (await before.keys.read()) !== undefined, false);
    const after = await windowWith(environment, 'ANTHROPIC_AUTH_TOKEN');
    assert.equal(after.setup.keyNews().offered, undefined);
    assert.equal(await after.keys.read(), 'token-12345');
  });
});
