import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { LANGUAGES, localized } from '../../src/manifest/localized.ts';
import { COMMANDS } from '../../src/manifest/commands.ts';
import { manifest } from '../../src/manifest/manifest.ts';
import { puzzlingTexts, saidTexts, sourceOf, textsIn } from './said-texts.ts';
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
import { translationFaults } from './words.ts';

const read = async (file: string): Promise<Record<string, string>> =>
  JSON.parse(await readFile(new URL(`../../${file}`, import.meta.url), 'utf8')) as Record<
    string,
    string
  >;

/** The translated title of a command, by its English one. */
async function titles(language: string): Promise<(title: string) => string | undefined> {
  const translated = await read(`package.nls.${language}.json`);
  const { english } = localized(manifest());
  const keys = new Map(Object.entries(english).map(([key, text]) => [text, key]));
  const known = new Set<string>(Object.values(COMMANDS).map(({ title }) => title));
  return (title) => (known.has(title) ? translated[keys.get(title) ?? ''] : undefined);
}

describe('words: what a person reads is there in every language', () => {
  it('package.nls.json has the English texts of the manifest (npm run manifest)', async () => {
    assert.deepEqual(await read('package.nls.json'), localized(manifest()).english);
  });

  for (const language of LANGUAGES) {
    it(`${language}: the manifest, whole, nothing stale, with the same placeholders`, async () => {
      const { english } = localized(manifest());
      const translated = await read(`package.nls.${language}.json`);
      assert.deepEqual(translationFaults(english, translated, await titles(language)), []);
    });
  }

  for (const bundle of ['bundle', 'panel'] as const) {
    const english = Object.fromEntries(saidTexts(bundle).map((text) => [text, text]));
    for (const language of LANGUAGES) {
      it(`${language}: the texts of the ${bundle}, whole, nothing stale, with the same placeholders`, async () => {
        const translated = await read(`l10n/${bundle}.l10n.${language}.json`);
        assert.deepEqual(
          translationFaults(english, translated, await titles(language)),
          [],
          'npm run words',
        );
      });
    }
  }

  it('no text is put together before it is translated', () => {
    assert.deepEqual(puzzlingTexts(), []);
  });

  it('no text for a person stays English whatever they speak', () => {
    const files = sourceFiles().filter(
      (file) =>
        (SPEAKING.test(file) || REASONING.test(file)) &&
        !Object.keys(ENGLISH).some((one) => file.startsWith(one)),
    );
    assert.deepEqual(
      files.flatMap((file) => unsaidTexts(file, sourceOf(file))),
      [],
      'l10n.t(…), then npm run words',
    );
  });

  it('no error and no reason stays English whatever they speak', () => {
    const files = sourceFiles().filter((file) => FAILING.test(file));
    const untold = files.map((file) => [file, untoldErrors(file, sourceOf(file))] as const);
    assert.deepEqual(
      untold.flatMap(([file, texts]) => (Object.hasOwn(UNTOLD, file) ? [] : texts)),
      [],
      'told`…`, then npm run words',
    );
    const needless = Object.keys(UNTOLD).filter(
      (name) => !untold.some(([file, texts]) => file === name && texts.length > 0),
    );
    assert.deepEqual(needless, [], 'exceptions without a text');
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

  it('a missing, a stale, an empty translation and another placeholder are found', () => {
    const english = { a: 'Keep `x` of {0}', b: 'Open *Belay: Stop*', c: 'Go', d: 'New' };
    const translated = { a: 'Behalte `y` von {0}', b: '*Belay: Halt*', c: ' ', e: 'Alt' };
    const faults = translationFaults(english, translated, () => 'Anhalten');
    assert.deepEqual(
      faults.map((fault) => fault.replace(/[:“].*/s, '').trim()),
      ['not translated', 'no longer said', '`x` {0} became `y` {0}', 'not', 'empty'],
    );
  });
});
