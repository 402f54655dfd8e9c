// The third-party notice of the package: every npm package whose code or data is shipped, with its licence text.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '..');

/** Where the notice is in the package, within `dist/`. */
export const NOTICES_FILE = 'ThirdPartyNotices.txt';

/** Files in which packages keep their licence, a copyright notice, or the licence of code that they contain. */
const LICENCE_FILE = /^(?:licen[cs]e|copying|notice)(?:[.-](?:md|txt|codec\.md|mit|apache.*))?$/iu;

/** Folders of a package that are searched for these files. */
const LICENCE_FOLDERS = ['.', 'codec'];

/** Packages that arrive bundled within another one: their names are in no metafile. */
const BUNDLES = ['mermaid'];

/** The bundled list of models is made from the data of this package (`npm run catalog`), which is not installed. */
const MODEL_DATA = {
  name: '@earendil-works/pi-ai (data in the list of models)',
  licence: 'MIT',
  author: 'Mario Zechner',
};

/** @typedef {{ readonly name: string, readonly version?: string, readonly licence: string, readonly text: string }} Notice */

/**
 * Finds the packages whose files are in the bundles.
 * @param {readonly import('esbuild').Metafile[]} metafiles
 * @returns {readonly string[]} their folders, relative to the root of the project, sorted
 */
export function findBundledPackages(metafiles) {
  const folders = new Set(
    metafiles.flatMap(({ inputs }) => Object.keys(inputs).flatMap(findPackageFolder)),
  );
  for (const name of BUNDLES)
    if (folders.has(`node_modules/${name}`)) addDependencies(`node_modules/${name}`, folders);
  return [...folders].toSorted((one, other) => one.localeCompare(other, 'en'));
}

/** @type {(file: string) => readonly string[]} */
function findPackageFolder(file) {
  const match = /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/u.exec(file);
  return match === null ? [] : [match[0]];
}

/** @type {(folder: string, folders: Set<string>) => void} */
function addDependencies(folder, folders) {
  for (const name of Object.keys(readManifest(folder).dependencies ?? {})) {
    if (name.startsWith('@types/')) continue;
    const nested = `${folder}/node_modules/${name}`;
    const found = [nested, `node_modules/${name}`].find((one) => hasManifest(one));
    if (found === undefined || folders.has(found)) continue;
    folders.add(found);
    addDependencies(found, folders);
  }
}

/** @type {(folder: string) => boolean} */
const hasManifest = (folder) => existsSync(path.join(root, folder, 'package.json'));

/** @type {(folder: string) => { name: string, version: string, license?: string | { type: string }, author?: string | { name: string }, dependencies?: Record<string, string> }} */
const readManifest = (folder) =>
  JSON.parse(readFileSync(path.join(root, folder, 'package.json'), 'utf8'));

/**
 * Reads the licence of a package. Throws when it has no text and its licence is not MIT.
 * @param {string} folder relative to the root of the project
 * @returns {Notice}
 */
function readNotice(folder) {
  const { name, version, license = '', author = '' } = readManifest(folder);
  const licence = typeof license === 'string' ? license : license.type;
  const text = LICENCE_FOLDERS.flatMap((part) => readLicences(path.join(root, folder, part))).join(
    '\n\n',
  );
  const who = typeof author === 'string' ? author : author.name;
  return { name, version, licence, text: text === '' ? writeMit(name, licence, who) : text };
}

/** @type {(folder: string) => readonly string[]} */
const readLicences = (folder) =>
  existsSync(folder)
    ? readdirSync(folder)
        .filter((name) => LICENCE_FILE.test(name))
        .toSorted()
        .map((name) => readFileSync(path.join(folder, name), 'utf8').trim())
    : [];

/** @type {(name: string, licence: string, author: string) => string} */
function writeMit(name, licence, author) {
  if (licence !== 'MIT') throw new Error(`${name} (${licence}) has no licence text.`);
  const own = readFileSync(path.join(root, 'LICENSE'), 'utf8');
  const holder = author === '' ? `the authors of ${name}` : author;
  return own.replace(/^Copyright .*$/mu, `Copyright (c) ${holder}`).trim();
}

/**
 * Writes the notice: packages with the same text share it.
 * @param {readonly import('esbuild').Metafile[]} metafiles
 * @returns {string}
 */
export function createNotices(metafiles) {
  const bundled = findBundledPackages(metafiles).map(readNotice);
  const { name, licence, author } = MODEL_DATA;
  /** @type {Notice} */
  const data = { name, licence, text: writeMit(name, licence, author) };
  /** @type {Map<string, string[]>} */
  const byText = new Map();
  for (const { name: title, version, licence: kind, text } of [...bundled, data]) {
    const names = byText.get(text) ?? [];
    names.push([title, version, kind && `(${kind})`].filter(Boolean).join(' '));
    byText.set(text, names);
  }
  const sections = [...byText].map(
    ([text, names]) => `${'-'.repeat(80)}\n${names.join('\n')}\n\n${text}\n`,
  );
  return `Belay contains the following third-party software.\n\n${sections.join('\n')}`;
}
