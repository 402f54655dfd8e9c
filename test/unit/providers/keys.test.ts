import assert from 'node:assert/strict';
import { inEnglish } from '../../../src/domain/text/told.ts';
import { addressOf, keyHeaders } from '../../../src/providers/anthropic/address.ts';
import { defaultInstance } from '../../../src/providers/anthropic/instance.ts';
import { createAnthropicProvider } from '../../../src/providers/anthropic/provider.ts';
import { createCatalog } from '../../../src/providers/catalog/catalog.ts';
import { SystemClock } from '../../../src/hosts/node/clock.ts';
import { isBearerToken } from '../../../src/providers/instance.ts';
import { readInstances } from '../../../src/providers/instances-setting.ts';
import { variable } from '../../../src/providers/environment-keys.ts';
import { checkApiKey, checkKeyForm } from '../../../src/window/keys/api-key-form.ts';
import { KeyedAddresses } from '../../../src/window/keys/keyed-addresses.ts';
import { modelRequest, outcomeOf } from '../../support/model-call.ts';
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
      assert.equal(variable({ ANTHROPIC_API_KEY: value }, 'ANTHROPIC_API_KEY'), expected);
  });
});

describe('kinds of keys', () => {
  const key = (name: string) =>
    defaultInstance(
      () => '',
      () => name,
    );

  it('a token goes as authorization and under no other name; a key as both where a server may know one only', () => {
    assert.deepEqual(
      [key(''), key('ANTHROPIC_API_KEY'), key('ANTHROPIC_AUTH_TOKEN')].map(isBearerToken),
      [false, false, true],
    );
    const names = (...given: Parameters<typeof keyHeaders>): string[] =>
      Object.keys(keyHeaders(...given)).toSorted();
    const gateway = 'https://gateway.example';
    assert.deepEqual(names('k', gateway), ['anthropic-version', 'authorization', 'x-api-key']);
    assert.deepEqual(names('k', gateway, true), ['anthropic-version', 'authorization']);
    assert.deepEqual(names('k', addressOf('')), ['anthropic-version', 'authorization']);
    assert.deepEqual(names('k', 'https://x/v1/projects/p/locations/r'), ['authorization']);
  });

  it('the default provider is called by the host it is at', () => {
    assert.equal(defaultInstance(() => '').name, 'Anthropic');
    assert.equal(
      defaultInstance(() => 'https://gw.example:8443/anthropic').name,
      'gw.example:8443',
    );
  });

  const works = /SigV4.*AWS_BEARER_TOKEN_BEDROCK.*bedrock-mantle\.\{region\}\.api\.aws\/anthropic/;

  for (const [what, entry] of [
    [
      'an address that wants signatures',
      { preset: 'bedrock', baseUrl: 'https://bedrock-runtime.eu-west-1.amazonaws.com' },
    ],
    [
      'a profile',
      {
        preset: 'bedrock',
        baseUrl: 'https://bedrock-mantle.eu-west-1.api.aws/anthropic',
        key: 'AWS_PROFILE',
      },
    ],
    [
      'an access key',
      { wire: 'messages', baseUrl: 'https://a.example', key: 'AKIAIOSFODNN7EXAMPLE' },
    ],
  ] as const) {
    it(`SigV4: ${what} is refused with what works`, () => {
      const { instances, problems } = readInstances({ aws: entry });
      assert.deepEqual(instances, []);
      assert.match(inEnglish(problems[0] ?? assert.fail()), works);
    });
  }

  it('SigV4: an access key is not taken for a key', () => {
    for (const check of [checkApiKey, checkKeyForm]) {
      assert.equal(check('AKIAIOSFODNN7EXAMPLE')?.severity, 'error');
      assert.match(check('ASIAIOSFODNN7EXAMPLE')?.message ?? '', works);
    }
  });

  it('SigV4: as the default provider’s address it is refused before anything is sent', async () => {
    const provider = createAnthropicProvider({
      apiKey: async () => Promise.resolve('k'),
      baseUrl: () => 'https://bedrock-runtime.us-east-1.amazonaws.com',
      cacheTtl: () => '5m',
      catalog: createCatalog({ offered: ['anthropic'] }),
      clock: new SystemClock(),
      fetch: async () => Promise.reject(new Error('sent')),
    });
    const { failure } = await outcomeOf(provider.call, modelRequest());
    assert.equal(failure?.code, 'config');
    assert.match(failure.message, works);
  });
});
