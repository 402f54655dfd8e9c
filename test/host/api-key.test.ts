import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { defaultInstance } from '../../src/providers/anthropic/instance.ts';
import { liveInstances } from '../../src/providers/instances-setting.ts';
import { ProviderKeys } from '../../src/hosts/vscode/secrets/provider-keys.ts';
import { KeyedAddresses } from '../../src/window/keys/keyed-addresses.ts';
import { checkApiKey } from '../../src/window/keys/api-key-form.ts';

/** VS Code's secret storage, kept in this process. */
class MapSecrets implements vscode.SecretStorage {
  readonly #values = new Map<string, string>();
  readonly #changed = new vscode.EventEmitter<vscode.SecretStorageChangeEvent>();
  readonly onDidChange = this.#changed.event;

  keys(): Promise<string[]> {
    return Promise.resolve([...this.#values.keys()]);
  }

  get(key: string): Promise<string | undefined> {
    return Promise.resolve(this.#values.get(key));
  }

  store(key: string, value: string): Promise<void> {
    this.#values.set(key, value);
    this.#changed.fire({ key });
    return Promise.resolve();
  }

  delete(key: string): Promise<void> {
    this.#values.delete(key);
    this.#changed.fire({ key });
    return Promise.resolve();
  }
}

const problems: string[] = [];
const hidden = new Set<string>();
const log = { error: (message: string): void => void problems.push(message) };

const KEY = 'sk-ant-test-0123456789';

/** A key of a window over these secrets. */
function keyOf(
  storage: vscode.SecretStorage,
  environment: Readonly<Record<string, string | undefined>> = {},
  address = '',
  providers: Readonly<Record<string, unknown>> = {},
  keyVariable = '',
): ProviderKeys {
  const kept = new Map<string, unknown>();
  const keyed = new KeyedAddresses({
    get: (key) => kept.get(key),
    update: async (key, value) => void kept.set(key, value),
  });
  return new ProviderKeys({
    storage,
    environment,
    keyed,
    instances: liveInstances(
      [
        defaultInstance(
          () => address,
          () => keyVariable,
        ),
      ],
      () => providers,
    ),
    log,
    hide: (key) => hidden.add(key),
  });
}

describe('the API key', () => {
  it('is read from the secret storage; a variable is offered by its name, and read after a yes', async () => {
    const secrets = new MapSecrets();
    const environment = {
      ANTHROPIC_API_KEY: ' from-environment ',
      ANTHROPIC_AUTH_TOKEN: 'the-token',
      OTHER: 'x',
    };
    const apiKey = keyOf(secrets, environment);
    assert.equal(await apiKey.read(), undefined);
    assert.equal(await apiKey.source(), 'none');
    assert.deepEqual(apiKey.variablesFor(apiKey.instances[0]), [
      'ANTHROPIC_API_KEY',
      'ANTHROPIC_AUTH_TOKEN',
    ]);
    const agreed = keyOf(secrets, environment, '', {}, 'ANTHROPIC_AUTH_TOKEN');
    assert.equal(await agreed.read(), 'the-token');
    assert.equal(await agreed.source(), 'environment');
    await apiKey.store(` ${KEY}\n`);
    assert.equal(await apiKey.read(), KEY);
    assert.equal(await apiKey.source(), 'stored');
    await apiKey.remove();
    const bare = keyOf(secrets);
    assert.equal(await bare.read(), undefined);
    assert.deepEqual(bare.variablesFor(bare.instances[0]), []);
  });

  it('tells when it changed, also in another window', async () => {
    const secrets = new MapSecrets();
    const apiKey = keyOf(secrets);
    let told = 0;
    apiKey.onChanged(() => (told += 1));
    const elsewhere = keyOf(secrets);
    await elsewhere.store(KEY);
    assert.equal(told, 1);
    await secrets.store('other', 'x');
    assert.equal(told, 1);
    apiKey.dispose();
    await elsewhere.remove();
    assert.equal(told, 1);
  });

  it('a system without a working keychain: the environment counts, and storing says what to do', async () => {
    const broken = new MapSecrets();
    broken.get = () => Promise.reject(new Error('no keychain'));
    broken.store = () => Promise.reject(new Error('no keychain'));
    const environment = { ANTHROPIC_API_KEY: 'from-environment' };
    const apiKey = keyOf(broken, environment, '', {}, 'ANTHROPIC_API_KEY');
    assert.equal(await apiKey.read(), 'from-environment');
    assert.equal(await apiKey.source(), 'environment');
    const without = keyOf(broken);
    assert.equal(await without.read(), undefined);
    assert.match(problems.at(-1) ?? '', /secret storage/);
    await assert.rejects(without.store(KEY), {
      code: 'config',
      message: /belay\.model\.keyVariable/,
    });
  });

  it('is gone at an address that had it: that is known until the person answers', async () => {
    const secrets = new MapSecrets();
    const apiKey = keyOf(secrets, { ANTHROPIC_API_KEY: '  ' }, 'http://127.0.0.1:9/v1/');
    assert.equal(await apiKey.lost(), undefined);
    // It is meant for that address.
    await apiKey.store(KEY);
    assert.equal(await apiKey.read(), KEY);
    assert.equal(await apiKey.lost(), undefined);
    await secrets.delete('belay.anthropicApiKey');
    const lost = await apiKey.lost();
    assert.equal(lost?.id, 'anthropic');
    await apiKey.forget(lost);
    assert.equal(await apiKey.lost(), undefined);
  });

  it('each provider of the setting has its own, stored or in the variable that the person named', async () => {
    const secrets = new MapSecrets();
    const providers = {
      box: { wire: 'chat', baseUrl: 'http://127.0.0.1:9', models: ['m'] },
      groq: { preset: 'groq', key: 'MY_GROQ' },
      open: { wire: 'chat', baseUrl: 'http://127.0.0.1:9', key: 'none', models: ['m'] },
    };
    const environment = { MY_GROQ: 'groq-key-123', GROQ_API_KEY: 'nobody said yes to this' };
    const keys = keyOf(secrets, environment, '', providers);
    const [own, box, groq, open] = keys.instances;
    assert.ok(own && box && groq && open);
    const sources = async () => Promise.all(keys.instances.map((one) => keys.source(one)));
    assert.deepEqual(await sources(), ['none', 'none', 'environment', 'unneeded']);
    assert.equal(await keys.read(groq), 'groq-key-123');
    await keys.store('box-key-12345', box);
    assert.deepEqual(await secrets.keys(), ['belay.key.box']);
    assert.equal(await keys.read(box), 'box-key-12345');
    assert.equal(await keys.read(own), undefined);
    assert.equal(await keys.read(open), undefined);
    assert.ok(hidden.has('box-key-12345') && hidden.has('groq-key-123'), 'kept out of the log');
    // Gone without the person's doing: nothing is sent, and it is said.
    await secrets.delete('belay.key.box');
    assert.equal((await keys.lost())?.id, 'box');
    await keys.forget(box);
    assert.equal(await keys.lost(), undefined);
  });

  it('has a form that is checked without showing it', () => {
    assert.equal(checkApiKey(KEY), undefined);
    assert.equal(checkApiKey(`  ${KEY}\n`), undefined);
    assert.equal(checkApiKey('')?.severity, 'error');
    assert.equal(checkApiKey('sk-ant-with blank')?.severity, 'error');
    assert.equal(checkApiKey('sk-ant-schlüssel')?.severity, 'error');
    assert.equal(checkApiKey('short')?.severity, 'error');
    assert.equal(checkApiKey('gateway-key-123')?.severity, 'warning');
    assert.equal(checkApiKey('secret blank inside')?.message.includes('secret'), false);
  });
});
