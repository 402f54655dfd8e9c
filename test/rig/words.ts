// `npm run words`: takes out of l10n/ what is said no more, in the order of the alphabet, and prints what is to be
// translated. Texts of settings and commands: `npm run manifest`.
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { LANGUAGES } from '../../src/manifest/localized.ts';
import { saidTexts } from '../boundary/said-texts.ts';
import { root } from './processes.ts';

for (const bundle of ['bundle', 'panel'] as const) {
  const said = saidTexts(bundle).toSorted();
  for (const language of LANGUAGES) {
    const name = `l10n/${bundle}.l10n.${language}.json`;
    const file = path.join(root, name);
    const known = JSON.parse(await readFile(file, 'utf8')) as Record<string, string>;
    const kept = said.filter((text) => Object.hasOwn(known, text));
    const sorted = Object.fromEntries(kept.map((text) => [text, known[text]]));
    await writeFile(file, `${JSON.stringify(sorted, null, 2)}\n`);
    for (const text of said)
      if (!Object.hasOwn(known, text)) console.log(`${name}: ${JSON.stringify(text)}`);
  }
}
