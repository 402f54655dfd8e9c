// Packs the translations of l10n/: for the host and for the pages one file with the English texts once and each
// language's beside them in their order. One by one, in a package that compresses each of its files alone, they took
// 140 kB; so they take 73.
import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { compressed } from './packed-code.mjs';

const translations = path.resolve(import.meta.dirname, '../l10n');

/**
 * Writes `bundle.l10n.br` and `panel.l10n.br`. A text that a language lacks is English there.
 * @param {string} into an existing folder
 * @param {boolean} production as small as possible; else as fast
 * @param {string} from the folder of the translations
 */
export async function packTexts(into, production, from = translations) {
  const names = await readdir(from);
  for (const bundle of ['bundle', 'panel']) {
    /** @type {Map<string, Record<string, string>>} */
    const languages = new Map();
    for (const name of names.filter((one) => one.startsWith(`${bundle}.`) && one.endsWith('.json')))
      languages.set(
        name.split('.')[2] ?? '',
        JSON.parse(await readFile(path.join(from, name), 'utf8')),
      );
    const english = [...new Set([...languages.values()].flatMap((texts) => Object.keys(texts)))];
    const packed = {
      english,
      languages: Object.fromEntries(
        [...languages].map(([language, texts]) => [
          language,
          english.map((text) => texts[text] ?? text),
        ]),
      ),
    };
    const content = compressed(JSON.stringify(packed), production);
    await writeFile(path.join(into, `${bundle}.l10n.br`), content);
  }
}
