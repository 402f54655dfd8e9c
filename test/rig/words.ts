// `npm run words`: removes translations of texts that no longer exist, sorts the others, and lists what is not
// translated. New texts of settings and commands need `npm run manifest` first.
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { listMissing, readTranslations } from '../boundary/translations.ts';
import { root } from './processes.ts';

for (const translation of readTranslations()) {
  const { file, english, translated } = translation;
  const keys = Object.keys(english).filter((key) => Object.hasOwn(translated, key));
  const sorted = Object.fromEntries(keys.map((key) => [key, translated[key]]));
  await writeFile(path.join(root, file), `${JSON.stringify(sorted, null, 2)}\n`);
  for (const text of listMissing(translation)) console.log(`${file}: ${JSON.stringify(text)}`);
}
