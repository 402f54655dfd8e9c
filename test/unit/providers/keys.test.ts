import assert from 'node:assert/strict';
import { environmentKey } from '../../../src/providers/anthropic/environment-key.ts';
import { createAnthropicProvider } from '../../../src/providers/anthropic/provider.ts';
import { createCatalog } from '../../../src/providers/catalog/catalog.ts';
import { SystemClock } from '../../../src/hosts/node/clock.ts';
import { KeyedAddresses } from '../../../src/window/keys/keyed-addresses.ts';
import { LocalPages } from '../../support/web/local-pages.ts';

const KEY = 'sk-ant-test-0123456789';

describe('a key that is gone', () => {
  it('holds every request back at an address that had it, until the person says so; others need none', async () => {
    await using server = await LocalPages.open((_request, response) =>
      response.setHeader('content-type', 'application/json').end('{"data":[]}'),
    );
    const kept = new Map<string, unknown>();
    const memory = {
      get: (key: string) => kept.get(key),
      update: async (key: string, value: unknown) => void kept.set(key, value),
    };
    let key: string | undefined;
    let address = server.at('');
    // A new one each time, as after a reload of the window.
    const ask = async () => {
      const { signal } = new AbortController();
      const provider = createAnthropicProvider({
        apiKey: async () => key,
        baseUrl: () => address,
        cacheTtl: () => '5m',
        catalog: createCatalog({ offered: ['anthropic'] }),
        clock: new SystemClock(),
        keyed: new KeyedAddresses(memory),
      });
      return provider.fetchModels?.(signal);
    };
    await ask();
    assert.equal(server.seen.length, 1, 'an address that never had a key needs none');
    key = KEY;
    await ask();
    key = '';
    await assert.rejects(ask(), {
      code: 'auth',
      message: /key for 127\.0\.0\.1:\d+ is gone, and nothing was sent/u,
    });
    assert.equal(server.seen.length, 2);
    address = address.replace('127.0.0.1', 'localhost');
    await ask().catch(() => undefined);
    address = server.at('');
    await new KeyedAddresses(memory).forget(address);
    await ask();
    assert.equal(server.seen.filter(({ headers }) => headers['x-api-key'] === undefined).length, 3);
  });

  it('is unset where the variable is empty or blank', () => {
    for (const [value, expected] of [
      ['', undefined],
      ['  \n', undefined],
      [undefined, undefined],
      [' k ', 'k'],
    ] as const)
      assert.equal(environmentKey({ ANTHROPIC_API_KEY: value }), expected);
  });
});
