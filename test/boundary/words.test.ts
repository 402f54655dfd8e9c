import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { packTexts } from '../../build/texts.mjs';
import { localized } from '../../src/manifest/localized.ts';
import { COMMANDS } from '../../src/manifest/commands.ts';
import { manifest } from '../../src/manifest/manifest.ts';
import { assertNone } from './assert-none.ts';
import { puzzlingTexts, sourceOf, textsIn } from './said-texts.ts';
import { sourceFiles } from './source-graph.ts';
import {
  ENGLISH,
  FAILING,
  REASONING,
  SPEAKING,
  unsaidTexts,
  UNTOLD,
  untoldErrors,
} from './unsaid-texts.ts';
import { describeMissing, readTranslations } from './translations.ts';
import { translationFaults } from './words.ts';

const read = async (file: string): Promise<Record<string, string>> =>
  JSON.parse(await readFile(new URL(`../../${file}`, import.meta.url), 'utf8')) as Record<
    string,
    string
  >;

/** The title of a command by its English one: translated, where it is. */
async function titles(language: string): Promise<(title: string) => string | undefined> {
  const translated = await read(`package.nls.${language}.json`);
  const { english } = localized(manifest());
  const keys = new Map(Object.entries(english).map(([key, text]) => [text, key]));
  const known = new Set<string>(Object.values(COMMANDS).map(({ title }) => title));
  return (title) => (known.has(title) ? (translated[keys.get(title) ?? ''] ?? title) : undefined);
}

describe('words: translations fit the texts that users read', () => {
  it('package.nls.json has the English texts of the manifest (npm run manifest)', async () => {
    assert.deepEqual(await read('package.nls.json'), localized(manifest()).english);
  });

  const translations = readTranslations();
  for (const { language, file, english, translated } of translations)
    it(`${file} has nothing stale, and the placeholders of the English texts`, async () => {
      const faults = translationFaults(english, translated, await titles(language));
      assertNone(faults, '`npm run words` removes what no longer exists');
    });

  it('a text without translation fails nothing: each language has one line with their number', () => {
    const english = { a: 'Go', b: 'New' };
    const missing = describeMissing([
      { language: 'de', file: 'l10n/bundle.l10n.de.json', english, translated: { a: 'Los' } },
      { language: 'de', file: 'package.nls.de.json', english, translated: {} },
      { language: 'ja', file: 'package.nls.ja.json', english, translated: english },
    ]);
    assert.deepEqual(missing, ['de: 2 texts without a translation (`npm run words` lists them)']);
    assert.deepEqual(translationFaults(english, {}, String), []);
  });

  it('a text that only some languages translate is translated in those, and English in others', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'belay-texts-'));
    after(() => rm(folder, { recursive: true, force: true }));
    for (const [language, texts] of Object.entries({
      de: { Go: 'Los' },
      ja: { New: '新規' },
    }))
      for (const bundle of ['bundle', 'panel'])
        await writeFile(
          path.join(folder, `${bundle}.l10n.${language}.json`),
          JSON.stringify(texts),
        );
    await packTexts(folder, false, folder);
    const packed = brotliDecompressSync(await readFile(path.join(folder, 'panel.l10n.br')));
    assert.deepEqual(JSON.parse(packed.toString()), {
      english: ['Go', 'New'],
      languages: { de: ['Los', 'New'], ja: ['Go', '新規'] },
    });
  });

  it('no text is put together before it is translated', () => {
    assertNone(puzzlingTexts());
  });

  it('no text for a person stays English whatever they speak', () => {
    const files = sourceFiles().filter(
      (file) =>
        (SPEAKING.test(file) || REASONING.test(file)) &&
        !Object.keys(ENGLISH).some((one) => file.startsWith(one)),
    );
    assertNone(
      files.flatMap((file) => unsaidTexts(file, sourceOf(file))),
      'Translate these with l10n.t(…)',
    );
  });

  it('no error and no reason stays English whatever they speak', () => {
    const files = sourceFiles().filter((file) => FAILING.test(file));
    const untold = files.map((file) => [file, untoldErrors(file, sourceOf(file))] as const);
    assertNone(
      untold.flatMap(([file, texts]) => (Object.hasOwn(UNTOLD, file) ? [] : texts)),
      'Translate these with told`…`',
    );
    const needless = Object.keys(UNTOLD).filter(
      (name) => !untold.some(([file, texts]) => file === name && texts.length > 0),
    );
    assertNone(needless, 'These files need no exception in UNTOLD');
  });

  it('an error that is not told is found: given to a call, named, chosen, with values', () => {
    const code = `function* f() { throw fault('invalid', 'It is gone.'); throw new SignInError(a ? told\`It went.\` : \`\${x} is lost\`);
      const message = has ? 'Nothing is left.' : told\`It is here.\`; log.warn('It was not so.');
      yield { type: 'warning', message: 'It is damaged.' }; return { problem: \`has no \${x} at all\` };
      const title = 'Not an error'; return { reason: 'busy', why: inEnglish(told\`It is on.\`) }; }`;
    assert.deepEqual(untoldErrors('x.ts', code), [
      'x.ts: It is gone.',
      'x.ts: § is lost',
      'x.ts: Nothing is left.',
      'x.ts: It is damaged.',
      'x.ts: has no § at all',
    ]);
  });

  it('a sentence, an attribute, a text of an element and a property are found, and nothing else', () => {
    const code = `log.error('It could not be shown.'); tell('It is gone.'); tell(l10n.t('It is here.'));
      const row = { title: 'Open', kind: 'file' }; f(has ? \`\${n} files left\` : '');
      const view = <p class="quiet none" title="Close" data-row="a b">Words <b>{l10n.t('x')}</b></p>;`;
    assert.deepEqual(unsaidTexts('x.tsx', code), [
      'x.tsx: It is gone.',
      'x.tsx: Open',
      'x.tsx: § files left',
      'x.tsx: Close',
      'x.tsx: Words',
    ]);
  });

  it('a text, a plural, a marked text and one that is put together are found', () => {
    const code = `import { count, plural, said } from '../domain/text/language.ts';
      l10n.t('One {0}', 1); count(n, 'file'); plural(n, 'a {0}', 'b {0}'); said('Two'); l10n.t(\`x \${y}\`);`;
    assert.deepEqual(textsIn('x.ts', code), {
      texts: ['One {0}', '{0} file', '{0} files', 'a {0}', 'b {0}', 'Two'],
      puzzles: ['x.ts: `x ${y}`);'],
    });
  });

  it('a stale, an empty translation and another placeholder are found', () => {
    const english = { a: 'Keep `x` of {0}', b: 'Open *Belay: Stop*', c: 'Go', d: 'New' };
    const translated = { a: 'Behalte `y` von {0}', b: '*Belay: Halt*', c: ' ', e: 'Alt' };
    const faults = translationFaults(english, translated, () => 'Anhalten');
    assert.deepEqual(
      faults.map((fault) => fault.replace(/[:“].*/s, '').trim()),
      ['no longer exists', '`x` {0} became `y` {0}', 'not', 'empty'],
    );
  });
});
