// Packs into one compressed file the chunks that are not needed at the start. A package compresses each of its files
// alone, which costs small chunks a third of their size (measured: 610 kB to 478 for 1.8 MB).
import { copyFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';

/** What is loaded until the panel is shown and can be used; all else is loaded later, or in a process of its own. */
const STARTS = new Set([
  'src/extension.ts',
  'src/compose/vscode/window.ts',
  'src/store/worker.ts',
  'src/hosts/node/workspace-snapshots/worker.ts',
]);

/**
 * @param {Uint8Array | string} contents
 * @param {boolean} production as small as possible; else as fast
 * @returns {Uint8Array}
 */
export const compressed = (contents, production) =>
  brotliCompressSync(contents, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: production ? constants.BROTLI_MAX_QUALITY : 1,
      [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
    },
  });

/**
 * Takes out of `codes` the chunks that are loaded later, writes them into `folder` as one file with its loader, and lets
 * the others load them from there.
 * @param {Map<string, string>} codes code by file name
 * @param {import('esbuild').Metafile} metafile
 * @param {ReadonlySet<string>} entries sources of the programs
 * @param {string} folder
 */
export async function packCode(codes, metafile, entries, folder) {
  const later = loadedLater(metafile, entries);
  const own = /require\("(\.\/[\w.-]+\.cjs)"\)/g;
  const packed = [...codes].filter(([name]) => later.has(name));
  for (const [name, code] of codes)
    if (later.has(name)) codes.delete(name);
    else
      codes.set(
        name,
        code.replaceAll(own, (call, id) =>
          later.has(id.slice(2)) ? `require("./packed-code.cjs")("${id}")` : call,
        ),
      );
  const list = packed.map(([name, code]) => [name, Buffer.byteLength(code)]);
  const whole = [JSON.stringify(list), '\n', ...packed.map(([, code]) => code)].join('');
  await writeFile(path.join(folder, 'packed-code.br'), compressed(whole, true));
  await copyFile(
    path.join(import.meta.dirname, 'packed-code.cjs'),
    path.join(folder, 'packed-code.cjs'),
  );
}

/**
 * Adds an output, and all that it imports when it is loaded.
 * @param {import('esbuild').Metafile['outputs']} outputs
 * @param {string} file
 * @param {Set<string>} loaded
 * @returns {Set<string>} `loaded`
 */
export function addLoadedWith(outputs, file, loaded) {
  if (loaded.has(file)) return loaded;
  loaded.add(file);
  for (const { kind, path: imported, external } of outputs[file]?.imports ?? [])
    if (kind === 'import-statement' && external !== true) addLoadedWith(outputs, imported, loaded);
  return loaded;
}

/**
 * Names of the files, other than entries, that are not part of a start.
 * @param {import('esbuild').Metafile} metafile
 * @param {ReadonlySet<string>} entries
 */
function loadedLater({ outputs }, entries) {
  /** @type {Set<string>} */
  const early = new Set();
  for (const [file, { entryPoint = '' }] of Object.entries(outputs))
    if (STARTS.has(entryPoint)) addLoadedWith(outputs, file, early);
    else if (entries.has(entryPoint)) early.add(file);
  return new Set(
    Object.keys(outputs)
      .filter((file) => !early.has(file))
      .map((file) => path.basename(file)),
  );
}
