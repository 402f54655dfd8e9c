// Bundles Belay into dist/: `node esbuild.mjs [--production] [--watch]`.
//
// Everything that runs in Node (the extension, the headless host, the store's worker) is built together with code
// splitting, so that modules used by several entries exist once in a process and `await import('./heavy.ts')` becomes
// a chunk that is read from disk when it is first needed. esbuild splits only ES modules, and a VS Code extension
// starts fastest as CommonJS, so each finished chunk is then translated from ESM to CommonJS, one by one.
// All files lie flat in dist/: `__dirname` and `import.meta.url` mean dist/ in every chunk.
import { copyFile, mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { brotliCompressSync } from 'node:zlib';
import * as esbuild from 'esbuild';

const root = path.dirname(fileURLToPath(import.meta.url));
const dist = path.join(root, 'dist');

/** Output name (without extension) → source, for what runs in Node. */
export const hostEntries = {
  extension: 'src/extension.ts',
  headless: 'src/headless.ts',
  'store-worker': 'src/store/worker.ts',
  'snapshot-worker': 'src/hosts/node/workspace-snapshots/worker.ts',
  'pdf-worker': 'src/hosts/node/pdf/pdf-worker.ts',
  'isolated-process': 'src/hosts/node/isolated/isolated-process.ts',
  'picture-worker': 'src/hosts/node/pictures/picture-worker.ts',
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
const beside = [
  'src/providers/catalog/models.json.br',
  // The code of the picture codecs.
  'node_modules/@jsquash/jpeg/codec/dec/mozjpeg_dec.wasm',
  'node_modules/@jsquash/jpeg/codec/enc/mozjpeg_enc.wasm',
  'node_modules/@jsquash/png/codec/pkg/squoosh_png_bg.wasm',
  'node_modules/@jsquash/resize/lib/resize/pkg/squoosh_resize_bg.wasm',
  'node_modules/@jsquash/webp/codec/dec/webp_dec.wasm',
].map((file) => path.join(root, file));

/** An empty module. */
const noSignatures = path.join(root, 'src/hosts/node/pdf/no-signatures.cjs');

/** @type {(production: boolean) => esbuild.BuildOptions} */
const hostOptions = (production) => ({
  ...common(production),
  entryPoints: hostEntries,
  platform: 'node',
  target: 'node24',
  external: ['vscode'],
  // The PDF library signs with them; Belay only reads text, and they are a quarter of the whole package.
  alias: { pkijs: noSignatures, asn1js: noSignatures },
  // Libraries' ES modules are smaller than their CommonJS twins and can be shaken.
  mainFields: ['module', 'main'],
  outExtension: { '.js': '.cjs' },
  chunkNames: '[name]-[hash]',
  plugins: [...(production ? [compressRanks()] : []), translateToCommonJs(production, 'host')],
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
  plugins: [...(name === 'diagram' ? [someDiagrams()] : []), writeOutputs(name)],
});

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
 * The tokenizer's table of 100,000 strings is a third of the package. Brotli makes it a fifth smaller than the
 * package's own compression can (measured: 443 kB to 356), and it is read once, when it is first needed.
 * @returns {esbuild.Plugin}
 */
function compressRanks() {
  return {
    name: 'ranks',
    setup(build) {
      build.onLoad({ filter: /bpeRanks.cl100k_base\.js$/ }, async ({ path: file }) => {
        const { default: ranks } = await import(pathToFileURL(file).href);
        const packed = brotliCompressSync(JSON.stringify(ranks)).toString('base64');
        return {
          contents: `import { brotliDecompressSync } from 'node:zlib';
            export default JSON.parse(brotliDecompressSync(Buffer.from('${packed}', 'base64')).toString());`,
        };
      });
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
        await Promise.all(
          (result.outputFiles ?? []).map(async (file) => {
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
              banner: usesUrl
                ? 'const __moduleUrl=require("node:url").pathToFileURL(__filename).href;'
                : '',
            });
            await write(file.path, code);
          }),
        );
        const folder = path.resolve(root, build.initialOptions.outdir ?? dist);
        await Promise.all(
          beside.map((file) => copyFile(file, path.join(folder, path.basename(file)))),
        );
        if (meta !== undefined) await writeMeta(meta, result.metafile);
      });
    },
  };
}

/**
 * Writes what esbuild made.
 * @param {string} name of the metafile
 * @returns {esbuild.Plugin}
 */
function writeOutputs(name) {
  return {
    name: 'write',
    setup(build) {
      build.onEnd(async (result) => {
        if (result.errors.length > 0) return;
        await Promise.all(
          (result.outputFiles ?? []).map((file) => write(file.path, file.contents)),
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
const allOptions = (production) => [
  hostOptions(production),
  pageOptions(production, 'panel'),
  pageOptions(production, 'center'),
  pageOptions(production, 'diagram'),
];

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
  await Promise.all(allOptions(production).map((options) => esbuild.build(options)));
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
    plugins: [translateToCommonJs(false)],
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
  for (const options of allOptions(false)) {
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
