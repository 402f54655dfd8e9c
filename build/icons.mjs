// The icons of the pages: of the font and the styles of @vscode/codicons only those that the sources name.
import { readdirSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import subsetFont from 'subset-font';

const root = path.resolve(import.meta.dirname, '..');
const codicons = path.join(root, 'node_modules/@vscode/codicons/dist');

/** A style that draws an icon: its name, and its character in hexadecimal. */
const RULE = /\.codicon-([a-z0-9-]+):before \{ content: "\\([0-9a-f]+)" \}\n?/g;

/** A whole text in quotes that may be the name of an icon. Other words are among them; they cost 100 bytes each. */
const NAME = /['"`]([a-z][a-z0-9-]*)['"`]/g;

/** An icon in a style of ours. */
const CHARACTER = /content: '\\([0-9a-f]+)'/g;

/** @type {(folder: string, ending: RegExp) => string[]} */
const textsIn = (folder, ending) =>
  readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => ending.test(file))
    .map((file) => readFileSync(path.join(root, folder, file), 'utf8'));

/** Names in the sources of the pages, and of their host, which sends some. */
const namesInSources = () =>
  new Set(
    ['src', 'webview'].flatMap((folder) =>
      textsIn(folder, /\.tsx?$/).flatMap((text) =>
        [...text.matchAll(NAME)].map(([, name = '']) => name),
      ),
    ),
  );

/**
 * The style sheet of the icons without those that no source names.
 * @param {string} sheet
 * @param {ReadonlySet<string>} names
 */
const stylesOf = (sheet, names) =>
  sheet.replaceAll(RULE, (rule, /** @type {string} */ name) => (names.has(name) ? rule : ''));

/**
 * The font with what a style sheet and our own styles show.
 * @param {string} sheet
 */
async function fontOf(sheet) {
  const codes = [
    ...[...sheet.matchAll(RULE)].map(([, , code = '']) => code),
    ...textsIn('webview/styles', /\.css$/).flatMap((text) =>
      [...text.matchAll(CHARACTER)].map(([, code = '']) => code),
    ),
  ];
  const characters = codes.map((code) => String.fromCodePoint(Number.parseInt(code, 16)));
  const whole = await readFile(path.join(codicons, 'codicon.ttf'));
  return subsetFont(whole, [...new Set(characters)].join(''), { targetFormat: 'truetype' });
}

/**
 * Lets pages have the named icons only.
 * @returns {import('esbuild').Plugin}
 */
export function namedIcons() {
  return {
    name: 'named-icons',
    setup(build) {
      const sheet = async () =>
        stylesOf(await readFile(path.join(codicons, 'codicon.css'), 'utf8'), namesInSources());
      build.onLoad({ filter: /codicon\.css$/ }, async () => ({
        contents: await sheet(),
        loader: 'css',
        resolveDir: codicons,
      }));
      build.onLoad({ filter: /codicon\.ttf$/ }, async () => ({
        contents: await fontOf(await sheet()),
        loader: 'file',
      }));
    },
  };
}
