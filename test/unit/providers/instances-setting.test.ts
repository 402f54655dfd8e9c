import assert from 'node:assert/strict';
import { inEnglish } from '../../../src/domain/text/told.ts';
import { createNamedCatalog } from '../../../src/providers/named-catalog.ts';
import { defaultInstance } from '../../../src/providers/anthropic/instance.ts';
import { ModelNames } from '../../../src/providers/instance.ts';
import type { Instances } from '../../../src/providers/instance.ts';
import { readInstances } from '../../../src/providers/instances-setting.ts';

const only = (id: string, entry: unknown) => readInstances({ [id]: entry });

describe('the setting model.providers', () => {
  it('a preset is enough; what stands beside it wins', () => {
    const { instances, problems } = readInstances({
      groq: { preset: 'groq' },
      openai: { preset: 'openai', key: 'OPENAI_API_KEY' },
      box: { preset: 'ollama', baseUrl: 'http://10.0.0.2:11434', models: ['llama', { id: 'q' }] },
      own: { wire: 'messages', baseUrl: 'https://gateway.example', name: 'Work' },
    });
    assert.deepEqual(problems, []);
    const [groq, openai, box, own] = instances;
    assert.deepEqual(
      [groq?.name, groq?.wire, groq?.baseUrl, groq?.key, groq?.keyVariables],
      ['Groq', 'chat', 'https://api.groq.com/openai/v1', { secret: 'groq' }, ['GROQ_API_KEY']],
    );
    assert.deepEqual([openai?.wire, openai?.key], ['responses', { variable: 'OPENAI_API_KEY' }]);
    assert.deepEqual([box?.key, box?.listed?.map(({ id }) => id)], [undefined, ['llama', 'q']]);
    assert.deepEqual([own?.name, own?.preset], ['Work', 'other-messages']);
  });

  it('the variable of a preset is for its own address only', () => {
    const variables = (entry: object) =>
      only('x', entry).instances.map(({ keyVariables }) => keyVariables);
    assert.deepEqual(variables({ preset: 'groq', baseUrl: 'https://other.example' }), [[]]);
    const azure = (baseUrl: string) => variables({ preset: 'azure', baseUrl });
    assert.deepEqual(azure('https://me.openai.azure.com/openai/v1'), [['AZURE_OPENAI_API_KEY']]);
    assert.deepEqual(azure('https://me.openai.azure.com.example/openai/v1'), [[]]);
  });

  const KEY = 'sk-proj-Secret0123456789';
  for (const [id, entry, said] of [
    ['a/b', { preset: 'groq' }, /a name is/],
    ['anthropic', { preset: 'anthropic' }, /Belay itself/],
    ['x', 3, /no object/],
    ['x', { preset: 'nope' }, /no such preset/],
    ['x', {}, /neither preset nor wire/],
    ['x', { wire: 'soap', baseUrl: 'https://a.example' }, /wire is one of/],
    ['x', { wire: 'chat' }, /no baseUrl/],
    ['x', { wire: 'chat', baseUrl: 'file:///etc' }, /no http or https/],
    ['x', { preset: 'azure' }, /with your resource/],
    ['x', { preset: 'groq', apiKey: KEY }, /Set API Key/],
    ['x', { preset: 'groq', key: KEY }, /belongs into no setting/],
    ['x', { preset: 'groq', modls: [] }, /no field modls/],
    ['x', { preset: 'groq', models: [{ id: 'm', contextWindow: -1 }] }, /contextWindow/],
    ['x', { preset: 'groq', models: [7] }, /no id/],
    ['x', { preset: 'groq', flags: { cache: 'much' } }, /cache is one of none, key, marks/],
    ['x', { preset: 'groq', flags: { speed: 1 } }, /no flag speed/],
  ] as const) {
    it(`${JSON.stringify({ [id]: entry })}: is passed over by name, the others stand`, () => {
      const { instances, problems } = readInstances({ [id]: entry, good: { preset: 'groq' } });
      assert.deepEqual(
        instances.map((one) => one.id),
        ['good'],
      );
      assert.equal(problems.length, 1);
      const problem = inEnglish(problems[0] ?? assert.fail());
      assert.match(problem, said);
      assert.ok(problem.startsWith(`belay.model.providers: the entry ${id} is passed over: `));
      assert.ok(!problem.includes(KEY), 'a key is not shown');
    });
  }

  it('models are known by the catalog of the preset; a list offers only its own; a change counts at once', () => {
    const first = defaultInstance(() => '');
    let present: Instances = [first];
    const catalog = createNamedCatalog(new ModelNames(() => present));
    assert.ok(catalog.models.every(({ provider }) => provider === 'anthropic'));
    present = [
      first,
      ...readInstances({
        fast: { preset: 'groq' },
        box: { preset: 'ollama', models: [{ id: 'llama', contextWindow: 4096 }] },
      }).instances,
    ];
    const ids = catalog.models.map(({ id }) => id);
    assert.ok(ids.includes('fast/openai/gpt-oss-120b'));
    assert.equal(catalog.defaultModel('fast'), 'fast/openai/gpt-oss-120b');
    assert.deepEqual(
      ids.filter((id) => id.startsWith('box/')),
      ['box/llama'],
    );
    assert.equal(catalog.lookup('box/llama').contextWindow, 4096);
    assert.notEqual(catalog.lookup('fast/openai/gpt-oss-120b').prices, undefined);
  });
});
