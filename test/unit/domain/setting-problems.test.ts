import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { checkSetting } from '../../../src/domain/settings/read-settings.ts';
import { speak } from '../../../src/domain/text/language.ts';
import { inEnglish, inWords, type Told } from '../../../src/domain/text/told.ts';
import { readInstances } from '../../../src/providers/instances-setting.ts';
import { readUpdates } from '../../../src/providers/catalog/updates.ts';

describe('what is wrong in a setting', () => {
  afterEach(() => speak('en'));

  it('is one sentence in English, and in the language of the person', async () => {
    const german = new URL('../../../l10n/bundle.l10n.de.json', import.meta.url);
    speak('de', JSON.parse(await readFile(german, 'utf8')) as Record<string, string>);
    const both = (told?: Told): readonly string[] =>
      told === undefined ? [] : [inEnglish(told), inWords(told)];
    assert.deepEqual(both(checkSetting('loop.maxIterations', 'many').problem?.message), [
      'The setting belay.loop.maxIterations is "many", but a whole number from 1 to 100000 is expected. The default 50 is used.',
      'Die Einstellung belay.loop.maxIterations ist "many", aber erwartet wird eine ganze Zahl von 1 bis 100000. Es gilt die Voreinstellung 50.',
    ]);
    assert.deepEqual(both(readInstances({ x: { wire: 'chat' } }).problems[0]), [
      'belay.model.providers: the entry x is passed over: it has no baseUrl.',
      'belay.model.providers: Der Eintrag x wird übergangen: er hat keine baseUrl.',
    ]);
    const model = { id: 'm', contextWindow: -1 };
    const [problem] = readInstances({ x: { preset: 'groq', models: [model] } }).problems;
    assert.deepEqual(both(problem), [
      'belay.model.providers: the entry x is passed over: of one of its models contextWindow is not a positive whole number.',
      'belay.model.providers: Der Eintrag x wird übergangen: bei einem seiner Modelle: contextWindow ist keine positive ganze Zahl.',
    ]);
    assert.deepEqual(
      both(readUpdates({ m: { vision: 1 } }).problems[0])[1],
      'belay.model.catalog: Der Eintrag m wird übergangen: vision ist weder true noch false.',
    );
  });
});
