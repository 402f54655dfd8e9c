import { readFileSync } from 'node:fs';
import path from 'node:path';
import { LANGUAGES, localized } from '../../src/manifest/localized.ts';
import { manifest } from '../../src/manifest/manifest.ts';
import { root } from '../rig/processes.ts';
import { saidTexts } from './said-texts.ts';

/** One file of translations. */
export interface Translation {
  readonly language: string;
  /** Relative to the root. */
  readonly file: string;
  /** The English texts by key, in the order of the file. */
  readonly english: Readonly<Record<string, string>>;
  /** The translations by key. */
  readonly translated: Readonly<Record<string, string>>;
}

/** Reads all translations: for each language those of the host, of the pages and of the manifest. */
export function readTranslations(): readonly Translation[] {
  const texts = (bundle: 'bundle' | 'panel'): Record<string, string> =>
    Object.fromEntries(
      saidTexts(bundle)
        .toSorted()
        .map((text) => [text, text]),
    );
  const sources = [
    { name: 'l10n/bundle.l10n', english: texts('bundle') },
    { name: 'l10n/panel.l10n', english: texts('panel') },
    { name: 'package.nls', english: localized(manifest()).english },
  ];
  return LANGUAGES.flatMap((language) =>
    sources.map(({ name, english }) => {
      const file = `${name}.${language}.json`;
      const json = readFileSync(path.join(root, file), 'utf8');
      return { language, file, english, translated: JSON.parse(json) as Record<string, string> };
    }),
  );
}

/** Lists the English texts that a file does not translate. Belay shows them in English. */
export function listMissing({
  english,
  translated,
}: Pick<Translation, 'english' | 'translated'>): readonly string[] {
  return Object.entries(english).flatMap(([key, text]) =>
    Object.hasOwn(translated, key) ? [] : [text],
  );
}

/** Describes each language that lacks translations: how many, and how to list them. */
export function describeMissing(translations: readonly Translation[]): readonly string[] {
  return [...Map.groupBy(translations, ({ language }) => language)].flatMap(([language, files]) => {
    const missing = new Set(files.flatMap(listMissing)).size;
    return missing === 0
      ? []
      : [`${language}: ${missing} texts without a translation (\`npm run words\` lists them)`];
  });
}
