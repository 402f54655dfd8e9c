// Packs the translations of l10n/: for the host and for the pages one file with the English texts once and each
// language's beside them in their order. One by one, in a package that compresses each of its files alone, they took
// 140 kB; so they take 73.
import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { compressed } from './packed-code.mjs';

const folder = path.resolve(import.meta.dirname, '../l10n');

/**
 * Writes `bundle.l10n.br` and `panel.l10n.br`.
 * @param {string} into an existing folder
 * @param {boolean} production as small as possible; else as fast
 */
export async function packTexts(into, production) {
  const names = await readdir(folder);
  for (const bundle of ['bundle', 'panel']) {
    /** @type {string[]} */
    let english = [];
    /** @type {Record<string, readonly string[]>} */
    const languages = {};
    for (const name of names.filter((one) => one.startsWith(`${bundle}.`))) {
      /** @type {Record<string, string>} */
      const texts = JSON.parse(await readFile(path.join(folder, name), 'utf8'));
      const [, , language = ''] = name.split('.');
      if (english.length === 0) english = Object.keys(texts);
      languages[language] = english.map((text) => texts[text] ?? text);
    }
    const packed = compressed(JSON.stringify({ english, languages }), production);
    await writeFile(path.join(into, `${bundle}.l10n.br`), packed);
  }
}
