// Writes what follows from the tables into package.json, package.nls.json and docs/reference/settings.md: `npm run manifest`.
import { readFile, writeFile } from 'node:fs/promises';
import type { Json } from '../domain/data/json.ts';
import { LANGUAGES, localized } from './localized.ts';
import { manifest } from './manifest.ts';
import { buildSettingsPage } from './settings-table.ts';

const root = new URL('../../', import.meta.url);
const { parts, english } = localized(manifest());

const file = new URL('package.json', root);
const declared = JSON.parse(await readFile(file, 'utf8')) as Record<string, Json>;
const written: Record<string, Json> = {};
for (const [key, value] of Object.entries(declared)) {
  // New parts come before the scripts, where manifests have them.
  if (key === 'scripts') {
    for (const part of Object.keys(parts))
      if (!(part in declared)) written[part] = parts[part] ?? null;
  }
  written[key] = parts[key] ?? value;
}
await writeJson('package.json', written);

await writeJson('package.nls.json', english);
for (const language of LANGUAGES) {
  // Translations stay, in the order of the English texts; those of texts that are gone go. `npm run check` warns of missing ones.
  const name = `package.nls.${language}.json`;
  const known = JSON.parse(await readFile(new URL(name, root), 'utf8')) as Record<string, string>;
  const kept = Object.keys(english).flatMap((key) => {
    const translation = known[key];
    return translation === undefined ? [] : [[key, translation] as const];
  });
  await writeJson(name, Object.fromEntries(kept));
}

await writeFile(new URL('docs/reference/settings.md', root), buildSettingsPage());

async function writeJson(name: string, value: unknown): Promise<void> {
  await writeFile(new URL(name, root), `${JSON.stringify(value, null, 2)}\n`);
}
