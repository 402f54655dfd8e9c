import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { ApiKey } from '../../src/hosts/vscode/secrets/api-key.ts';
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
const log = { error: (message: string): void => void problems.push(message) };

const KEY = 'sk-ant-test-0123456789';

/** A key of a window over these secrets. */
function keyOf(
  storage: vscode.SecretStorage,
  environment: Readonly<Record<string, string | undefined>> = {},
  address = '',
): ApiKey {
  const kept = new Map<string, unknown>();
  const keyed = new KeyedAddresses({
    get: (key) => kept.get(key),
    update: async (key, value) => void kept.set(key, value),
  });
  return new ApiKey({ storage, environment, keyed, address: () => address, log });
}

describe('the API key', () => {
  it('is read from the secret storage, else from the environment', async () => {
    const secrets = new MapSecrets();
    const apiKey = keyOf(secrets, { ANTHROPIC_API_KEY: ' from-environment ' });
    assert.equal(await apiKey.read(), 'from-environment');
    assert.equal(await apiKey.source(), 'environment');
    await apiKey.store(` ${KEY}\n`);
    assert.equal(await apiKey.read(), KEY);
    assert.equal(await apiKey.source(), 'stored');
    await apiKey.remove();
    assert.equal(await apiKey.read(), 'from-environment');
    const bare = keyOf(secrets);
    assert.equal(await bare.read(), undefined);
    assert.equal(await bare.source(), 'none');
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

  it('stays what it was when the person gives up', async () => {
    const apiKey = keyOf(new MapSecrets());
    await apiKey.store(KEY);
    const asked = apiKey.ask();
    await vscode.commands.executeCommand('workbench.action.closeQuickOpen');
    await asked;
    assert.equal(await apiKey.read(), KEY);
  });

  it('a system without a working keychain: the environment counts, and storing says what to do', async () => {
    const broken = new MapSecrets();
    broken.get = () => Promise.reject(new Error('no keychain'));
    broken.store = () => Promise.reject(new Error('no keychain'));
    const apiKey = keyOf(broken, { ANTHROPIC_API_KEY: 'from-environment' });
    assert.equal(await apiKey.read(), 'from-environment');
    assert.equal(await apiKey.source(), 'environment');
    assert.match(problems.at(-1) ?? '', /secret storage/);
    await assert.rejects(apiKey.store(KEY), { code: 'config', message: /ANTHROPIC_API_KEY/ });
  });

  it('is gone at an address that had it: that is known until the person answers', async () => {
    const secrets = new MapSecrets();
    const apiKey = keyOf(secrets, { ANTHROPIC_API_KEY: '  ' }, 'http://127.0.0.1:9/v1/');
    assert.equal(await apiKey.lost(), undefined);
    // Nobody answers there: it is kept, unchecked, and meant for that address.
    await apiKey.checkAndStore(KEY);
    assert.equal(await apiKey.read(), KEY);
    assert.equal(await apiKey.lost(), undefined);
    await secrets.delete('belay.anthropicApiKey');
    assert.equal(await apiKey.lost(), '127.0.0.1:9');
    await apiKey.doWithout();
    assert.equal(await apiKey.lost(), undefined);
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
