import assert from 'node:assert/strict';
import { AppContexts } from '../../../src/window/apps/app-contexts.ts';

describe('apps of MCP servers: what they give for the next message', () => {
  it('outlasts a reload, one text an app, and of many apps the latest', async () => {
    const kept = new Map<string, string>();
    const memory = {
      get: (key: string): unknown => JSON.parse(kept.get(key) ?? 'null'),
      update: async (key: string, value: unknown) => void kept.set(key, JSON.stringify(value)),
    };
    const contexts = new AppContexts(memory);
    const given = (text: string) => ({ server: 'seats', tool: 'choose', text });
    assert.equal(contexts.of('call-0'), undefined);
    await contexts.keep('call-0', given('one'));
    await contexts.keep('call-0', given('two'));
    assert.deepEqual(new AppContexts(memory).of('call-0'), given('two'));
    for (let call = 1; call < 10; call += 1) await contexts.keep(`call-${call}`, given('more'));
    await contexts.keep('call-0', given('three'));
    await contexts.keep('call-10', given('last'));
    assert.deepEqual(contexts.of('call-0'), given('three'));
    assert.equal(contexts.of('call-1'), undefined, 'the oldest went');
    await memory.update([...kept.keys()][0] ?? '', [1, ['a'], ['b', {}], 'c']);
    assert.equal(contexts.of('b'), undefined);
  });
});
