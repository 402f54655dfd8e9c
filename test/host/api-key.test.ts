import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { ApiKey } from '../../src/hosts/vscode/secrets/api-key.ts';
import { checkApiKey } from '../../src/hosts/vscode/secrets/api-key-form.ts';

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

describe('the API key', () => {
  it('is read from the secret storage, else from the environment', async () => {
    const secrets = new MapSecrets();
    const apiKey = new ApiKey(secrets, { ANTHROPIC_API_KEY: ' from-environment ' }, log);
    assert.equal(await apiKey.read(), 'from-environment');
    assert.equal(await apiKey.source(), 'environment');
    await apiKey.store(` ${KEY}\n`);
    assert.equal(await apiKey.read(), KEY);
    assert.equal(await apiKey.source(), 'stored');
    await apiKey.remove();
    assert.equal(await apiKey.read(), 'from-environment');
    const bare = new ApiKey(secrets, {}, log);
    assert.equal(await bare.read(), undefined);
    assert.equal(await bare.source(), 'none');
  });

  it('tells when it changed, also in another window', async () => {
    const secrets = new MapSecrets();
    const apiKey = new ApiKey(secrets, {}, log);
    let told = 0;
    apiKey.onChanged(() => (told += 1));
    const elsewhere = new ApiKey(secrets, {}, log);
    await elsewhere.store(KEY);
    assert.equal(told, 1);
    await secrets.store('other', 'x');
    assert.equal(told, 1);
    apiKey.dispose();
    await elsewhere.remove();
    assert.equal(told, 1);
  });

  it('stays what it was when the person gives up', async () => {
    const apiKey = new ApiKey(new MapSecrets(), {}, log);
    await apiKey.store(KEY);
    const asked = apiKey.ask();
    await vscode.commands.executeCommand('workbench.action.closeQuickOpen');
    assert.equal(await asked, false);
    assert.equal(await apiKey.read(), KEY);
  });

  it('a system without a working keychain: the environment counts, and storing says what to do', async () => {
    const broken = new MapSecrets();
    broken.get = () => Promise.reject(new Error('no keychain'));
    broken.store = () => Promise.reject(new Error('no keychain'));
    const apiKey = new ApiKey(broken, { ANTHROPIC_API_KEY: 'from-environment' }, log);
    assert.equal(await apiKey.read(), 'from-environment');
    assert.equal(await apiKey.source(), 'environment');
    assert.match(problems.at(-1) ?? '', /secret storage/);
    await assert.rejects(apiKey.store(KEY), { code: 'config', message: /ANTHROPIC_API_KEY/ });
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
