// Writes what follows from the tables into package.json and the README: `npm run manifest`.
import { readFile, writeFile } from 'node:fs/promises';
import type { Json } from '../domain/json.ts';
import { manifest } from './manifest.ts';
import { withSettingsTable } from './settings-table.ts';

const file = new URL('../../package.json', import.meta.url);
const declared = JSON.parse(await readFile(file, 'utf8')) as Record<string, Json>;
const generated = manifest();
const written: Record<string, Json> = {};
for (const [key, value] of Object.entries(declared)) {
  // New parts come before the scripts, where manifests have them.
  if (key === 'scripts') {
    for (const part of Object.keys(generated))
      if (!(part in declared)) written[part] = generated[part] ?? null;
  }
  written[key] = generated[key] ?? value;
}
await writeFile(file, `${JSON.stringify(written, null, 2)}\n`);

const readme = new URL('../../README.md', import.meta.url);
await writeFile(readme, withSettingsTable(await readFile(readme, 'utf8')));
