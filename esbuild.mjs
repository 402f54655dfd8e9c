// Bundles Belay into dist/: `node esbuild.mjs [--production] [--watch]`.
//
// Everything that runs in Node (the extension, the headless host, the store's worker) is built together with code
// splitting, so that modules used by several entries exist once in a process and `await import('./heavy.ts')` becomes
// a chunk that is read from disk when it is first needed. esbuild splits only ES modules, and a VS Code extension
// starts fastest as CommonJS, so each finished chunk is then translated from ESM to CommonJS, one by one.
// All files lie flat in dist/: `__dirname` and `import.meta.url` mean dist/ in every chunk.
import { readFileSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import * as esbuild from 'esbuild';
import { namedIcons } from './build/icons.mjs';
import { createNotices, NOTICES_FILE } from './build/notices.mjs';
import { addLoadedWith, compressed, packCode } from './build/packed-code.mjs';
import { packTexts } from './build/texts.mjs';

const root = path.dirname(fileURLToPath(import.meta.url));
const dist = path.join(root, 'dist');

/** Of Belay. */
const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));

/** Output name (without extension) → source, for what runs in Node. */
export const hostEntries = {
  extension: 'src/extension.ts',
  headless: 'src/headless.ts',
  'store-worker': 'src/store/worker.ts',
  'snapshot-worker': 'src/hosts/node/workspace-snapshots/worker.ts',
  'pdf-worker': 'src/hosts/node/pdf/pdf-worker.ts',
  'isolated-process': 'src/hosts/node/isolated/isolated-process.ts',
  'picture-worker': 'src/hosts/node/pictures/picture-worker.ts',
  'sheet-worker': 'src/hosts/node/sheets/sheet-worker.ts',
  'page-worker': 'src/hosts/node/web/page-worker.ts',
  'line-worker': 'src/hosts/node/search/line-worker.ts',
};

/** Output name → source, for pages in webviews. Each is built alone: what two need is in both, and each loads one file. */
export const panelEntries = {
  panel: 'webview/main.tsx',
  center: 'webview/center/main.tsx',
  diagram: 'webview/diagram/main.ts',
};

/**
 * Kinds of diagrams that are drawn, by how their files begin. The others, and what only they need (layouts with half a
 * megabyte of their own, formulas), would take more of the package than all of these: 950 kB packed instead of 340.
 */
const DIAGRAMS =
  /^(?:flowDiagram|sequenceDiagram|classDiagram|stateDiagram|erDiagram|ganttDiagram|dagre)-/;

/** @type {(production: boolean) => esbuild.BuildOptions} */
const common = (production) => ({
  absWorkingDir: root,
  bundle: true,
  format: 'esm',
  splitting: true,
  write: false,
  metafile: true,
  minify: production,
  legalComments: 'none',
  sourcemap: production ? false : 'inline',
  sourcesContent: false,
  logLevel: 'warning',
  outdir: 'dist',
});

/** What the program reads from beside its own chunks. */
const beside = ['src/providers/catalog/models.json.br'].map((file) => path.join(root, file));

/** The code of the picture codecs, which is kept compressed. */
const codecs = [
  'node_modules/@jsquash/jpeg/codec/dec/mozjpeg_dec.wasm',
  'node_modules/@jsquash/jpeg/codec/enc/mozjpeg_enc.wasm',
  'node_modules/@jsquash/png/codec/pkg/squoosh_png_bg.wasm',
  'node_modules/@jsquash/resize/lib/resize/pkg/squoosh_resize_bg.wasm',
  'node_modules/@jsquash/webp/codec/dec/webp_dec.wasm',
].map((file) => path.join(root, file));

/** An empty module. */
const noSignatures = path.join(root, 'src/hosts/node/pdf/no-signatures.cjs');

/**
 * Options for what runs in Node.
 * @type {(production: boolean, chunks?: Readonly<Record<string, readonly string[]>>) => esbuild.BuildOptions} chunks that
 * a page loads with its script, by its name: its document asks for them at once
 */
const hostOptions = (production, chunks = {}) => ({
  ...common(production),
  entryPoints: hostEntries,
  platform: 'node',
  target: 'node24',
  external: ['vscode'],
  define: {
    BELAY_VERSION: JSON.stringify(version),
    BELAY_PAGE_CHUNKS: JSON.stringify(JSON.stringify(chunks)),
  },
  // The PDF library signs with them; Belay only reads text, and they are a quarter of the whole package.
  alias: { pkijs: noSignatures, asn1js: noSignatures },
  // Libraries' ES modules are smaller than their CommonJS twins and can be shaken.
  mainFields: ['module', 'main'],
  outExtension: { '.js': '.cjs' },
  chunkNames: '[name]-[hash]',
  plugins: [withoutEnvironment(), translateToCommonJs(production, 'host')],
});

/**
 * Options for one page.
 * @type {(production: boolean, name: keyof typeof panelEntries) => esbuild.BuildOptions}
 */
export const pageOptions = (production, name) => ({
  ...common(production),
  entryPoints: { [name]: panelEntries[name] },
  platform: 'browser',
  target: 'chrome138', // the Chromium of VS Code 1.123's Electron or newer
  chunkNames: `${name}-[name]-[hash]`,
  assetNames: '[name]',
  loader: { '.ttf': 'file', '.svg': 'file' },
  jsx: 'automatic',
  jsxImportSource: 'preact',
  // The page of a diagram holds its script.
  ...(name === 'diagram' ? { splitting: false } : {}),
  plugins: [
    languageFirst(),
    namedIcons(),
    ...(name === 'diagram' ? [someDiagrams()] : []),
    writeOutputs(name, production),
  ],
});

/**
 * Lets every module of a page that has texts load the page's language first.
 * @returns {esbuild.Plugin}
 */
function languageFirst() {
  const translations = 'webview/texts/translations.ts';
  const own = [translations, 'src/domain/text/language.ts'];
  return {
    name: 'language-first',
    setup(build) {
      build.onResolve({ filter: /^@vscode\/l10n$/ }, ({ importer }) =>
        own.includes(path.relative(root, importer).replaceAll(path.sep, '/'))
          ? undefined
          : { path: path.join(root, translations) },
      );
    },
  };
}

/**
 * Leaves out the kinds of diagrams that are not drawn.
 * @returns {esbuild.Plugin}
 */
function someDiagrams() {
  return {
    name: 'some-diagrams',
    setup(build) {
      build.onResolve({ filter: /^mermaid$/ }, () => ({
        path: path.join(root, 'node_modules/mermaid/dist/mermaid.esm.min.mjs'),
      }));
      build.onResolve({ filter: /./ }, ({ importer, kind, path: file }) => {
        if (kind !== 'dynamic-import' || !importer.includes('mermaid')) return undefined;
        if (DIAGRAMS.test(path.basename(file))) return undefined;
        return { path: 'left-out', namespace: 'diagrams' };
      });
      build.onLoad({ filter: /./, namespace: 'diagrams' }, () => ({
        contents: "throw new Error('diagrams of this kind are not drawn here.');",
      }));
    },
  };
}

/**
 * Makes `@anthropic-ai/sdk` read no environment variable: its client reads headers from one whatever it is given.
 * @returns {esbuild.Plugin}
 */
function withoutEnvironment() {
  return {
    name: 'without-environment',
    setup(build) {
      build.onLoad(
        { filter: /@anthropic-ai[/\\]sdk[/\\]internal[/\\]utils[/\\]env\.mjs$/ },
        () => ({
          contents: 'export const readEnv = () => undefined;',
        }),
      );
    },
  };
}

/**
 * Translates each ES module that esbuild made to CommonJS and writes it.
 * @param {boolean} production
 * @param {string} [meta] name of the metafile; none is written without
 * @returns {esbuild.Plugin}
 */
function translateToCommonJs(production, meta) {
  return {
    name: 'commonjs',
    setup(build) {
      build.onEnd(async (result) => {
        if (result.errors.length > 0) return;
        const folder = path.resolve(root, build.initialOptions.outdir ?? dist);
        await mkdir(folder, { recursive: true });
        const codes = new Map(
          await Promise.all(
            (result.outputFiles ?? []).map(async (file) => {
              const code = await asCommonJs(file, production);
              return /** @type {const} */ ([path.basename(file.path), code]);
            }),
          ),
        );
        if (production && result.metafile !== undefined)
          await packCode(codes, result.metafile, new Set(Object.values(hostEntries)), folder);
        await Promise.all(
          [...codes].map(async ([name, code]) => writeFile(path.join(folder, name), code)),
        );
        await Promise.all(
          beside.map(async (file) =>
            write(path.join(folder, path.basename(file)), await readFile(file)),
          ),
        );
        await Promise.all(
          codecs.map(async (file) =>
            write(
              path.join(folder, `${path.basename(file)}.br`),
              compressed(await readFile(file), production),
            ),
          ),
        );
        if (meta === undefined) return;
        await packTexts(folder, production);
        await writeMeta(meta, result.metafile);
      });
    },
  };
}

/**
 * An ES module that esbuild made, as CommonJS.
 * @type {(file: esbuild.OutputFile, production: boolean) => Promise<string>}
 */
async function asCommonJs(file, production) {
  const usesUrl = file.text.includes('import.meta.url');
  const { code } = await esbuild.transform(file.text, {
    format: 'cjs',
    platform: 'node',
    target: 'node24',
    minify: production,
    legalComments: 'none',
    sourcemap: production ? false : 'inline',
    sourcesContent: false,
    sourcefile: path.basename(file.path),
    // `import()` of a chunk becomes `require`: one module system, and it works in every extension host.
    supported: { 'dynamic-import': false },
    define: { 'import.meta.url': '__moduleUrl' },
    banner: usesUrl ? 'const __moduleUrl=require("node:url").pathToFileURL(__filename).href;' : '',
  });
  return code;
}

/**
 * Writes what esbuild made; the script of a diagram's page compressed.
 * @param {string} name of the metafile
 * @param {boolean} production
 * @returns {esbuild.Plugin}
 */
function writeOutputs(name, production) {
  return {
    name: 'write',
    setup(build) {
      build.onEnd(async (result) => {
        if (result.errors.length > 0) return;
        await Promise.all(
          (result.outputFiles ?? []).map((file) =>
            name === 'diagram' && file.path.endsWith('.js')
              ? write(`${file.path}.br`, compressed(file.contents, production))
              : write(file.path, file.contents),
          ),
        );
        await writeMeta(name, result.metafile);
      });
    },
  };
}

/** @type {(file: string, contents: string | Uint8Array) => Promise<void>} */
async function write(file, contents) {
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, contents);
}

/** @type {(name: string, metafile: esbuild.Metafile | undefined) => Promise<void>} */
async function writeMeta(name, metafile) {
  await write(path.join(dist, 'meta', `${name}.json`), JSON.stringify(metafile));
}

/** @type {(production: boolean) => readonly esbuild.BuildOptions[]} */
const allPages = (production) => [
  pageOptions(production, 'panel'),
  pageOptions(production, 'center'),
  pageOptions(production, 'diagram'),
];

/**
 * The chunks that the script of each page imports, one after the other.
 * @type {(metafiles: readonly (esbuild.Metafile | undefined)[]) => Record<string, readonly string[]>}
 */
function chunksOfPages(metafiles) {
  const outputs = Object.assign({}, ...metafiles.map((one) => one?.outputs));
  return Object.fromEntries(
    ['panel', 'center'].map((name) => {
      const [, ...chunks] = addLoadedWith(outputs, `dist/${name}.js`, new Set());
      return [name, chunks.map((file) => path.basename(file))];
    }),
  );
}

/** Removes what an earlier build left, keeping packages (dist/*.vsix). */
async function clean() {
  const names = await readdir(dist).catch(() => []);
  await Promise.all(
    names
      .filter((name) => !name.endsWith('.vsix'))
      .map((name) => rm(path.join(dist, name), { recursive: true, force: true })),
  );
}

/** Builds dist/ once. Rejects when a bundle has errors. */
export async function buildAll({ production = false } = {}) {
  await clean();
  const pages = await Promise.all(allPages(production).map((options) => esbuild.build(options)));
  const chunks = chunksOfPages(pages.map(({ metafile }) => metafile));
  const host = await esbuild.build(hostOptions(production, chunks));
  if (!production) return;
  const metafiles = [...pages, host].flatMap(({ metafile }) => metafile ?? []);
  await write(path.join(dist, NOTICES_FILE), createNotices(metafiles));
}

/**
 * Builds entries that run in plain Node into a folder of their own: tests run the program as it is shipped, whatever
 * happens to dist/ meanwhile.
 * @param {string} folder absolute
 * @param {Record<string, string>} entries output name → source
 */
export async function buildHosts(folder, entries) {
  await esbuild.build({
    ...hostOptions(false),
    entryPoints: entries,
    outdir: folder,
    plugins: [withoutEnvironment(), translateToCommonJs(false)],
  });
}

/**
 * What goes into the bundles, without writing them.
 * @returns {Promise<{ host: esbuild.Metafile, panel: esbuild.Metafile, center: esbuild.Metafile, diagram: esbuild.Metafile }>}
 */
export async function bundleGraphs() {
  /** @type {(options: esbuild.BuildOptions) => Promise<esbuild.Metafile>} */
  const graph = async (options) => {
    const plugins = (options.plugins ?? []).filter(({ name }) => name === 'some-diagrams');
    const { metafile } = await esbuild.build({ ...options, metafile: true, plugins });
    return metafile;
  };
  return {
    host: await graph(hostOptions(true)),
    panel: await graph(pageOptions(true, 'panel')),
    center: await graph(pageOptions(true, 'center')),
    diagram: await graph(pageOptions(true, 'diagram')),
  };
}

/** Builds dist/ and again after every change, until the process ends. */
async function watchAll() {
  await clean();
  for (const options of [hostOptions(false), ...allPages(false)]) {
    const context = await esbuild.context(options);
    // Finished before the line below, which F5 waits for; a fault is printed, and the next change may mend it.
    await context.rebuild().catch(() => undefined);
    await context.watch();
  }
  console.log('watching for changes');
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  if (process.argv.includes('--watch')) await watchAll();
  else await buildAll({ production: process.argv.includes('--production') });
}
