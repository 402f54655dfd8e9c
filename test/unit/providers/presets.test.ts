import assert from 'node:assert/strict';
import { bundledModels } from '../../../src/providers/catalog/bundle.ts';
import { createCatalog } from '../../../src/providers/catalog/catalog.ts';
import { DEFAULT_MODELS } from '../../../src/providers/catalog/default-models.ts';
import { PRESETS } from '../../../src/providers/catalog/presets.ts';
import { presetFacts } from '../../rig/catalog/first-source.ts';

describe('presets of providers', () => {
  it('are about twenty and more, each once, of every wire', () => {
    assert.ok(PRESETS.length >= 20);
    assert.equal(new Set(PRESETS.map(({ name }) => name)).size, PRESETS.length);
    assert.equal(new Set(PRESETS.map(({ id }) => id)).size, PRESETS.length);
    for (const { id } of PRESETS) assert.match(id, /^[a-z][a-z\d-]*$/);
    for (const wire of ['messages', 'chat', 'responses', 'gemini', 'vscode-lm', 'demo'])
      assert.ok(
        PRESETS.some((preset) => preset.wire === wire),
        wire,
      );
  });

  for (const preset of PRESETS) {
    it(`${preset.id}: address, key and models fit together`, () => {
      const { id, wire, baseUrl, keyVariables, keyUrl, local, list } = preset;
      const defaultModel = DEFAULT_MODELS[id];
      const isOther = id.startsWith('other-');
      if (wire === 'vscode-lm' || wire === 'demo' || isOther) assert.equal(baseUrl, '');
      else {
        const url = new URL(baseUrl.replaceAll(/\{[a-z]+\}/g, 'x'));
        assert.ok(!baseUrl.endsWith('/') && url.search === '' && url.username === '');
        // A key travels over plain HTTP to this machine only.
        if (local === true) assert.deepEqual([url.protocol, url.hostname], ['http:', '127.0.0.1']);
        else assert.equal(url.protocol, 'https:');
      }
      for (const name of keyVariables ?? []) assert.match(name, /^[A-Z][A-Z\d_]*$/);
      if (keyUrl !== undefined) assert.equal(new URL(keyUrl).protocol, 'https:');
      assert.ok(keyUrl === undefined || keyVariables !== undefined, 'a key has a variable');
      const models = bundledModels().models(list ?? id);
      if (list !== undefined) assert.ok(models.length > 0, `the list ${list} is there`);
      if (defaultModel === undefined || wire === 'demo') return;
      const catalog = createCatalog({ offered: [id] });
      const facts = catalog.lookup(defaultModel);
      assert.equal(facts.guessed, undefined);
      assert.ok(facts.contextWindow >= 100_000 && facts.prices !== undefined);
      const small = catalog.lookup(catalog.smallModel(defaultModel));
      assert.ok(small.guessed === undefined && small.prices !== undefined);
      if (preset.smallModel !== undefined) {
        assert.equal(small.id, preset.smallModel);
        assert.ok(small.prices.input < facts.prices.input);
      }
    });
  }

  it('stand in the bundled list as they are: after a change, npm run catalog', () => {
    const expected = presetFacts();
    for (const { id } of PRESETS) assert.deepEqual(bundledModels().preset(id), expected[id]);
    assert.equal(bundledModels().preset('nobody'), undefined);
    for (const id of Object.keys(DEFAULT_MODELS)) assert.ok(id in expected, id);
  });

  it('a list of the catalog without a preset would be dead weight', () => {
    const used = new Set(PRESETS.map((preset) => preset.list ?? preset.id));
    assert.deepEqual(
      bundledModels().providers.filter((provider) => !used.has(provider)),
      [],
    );
  });
});
