import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from '../rig/processes.ts';
import { assertNone } from './assert-none.ts';

const PAGE = 'docs/guide/promises.md';
const LINE =
  /^- (?<text>\S.*?\.) \[Test\]\((?<file>[^\s)]+) "(?<title>[^"]+)"\)(?: `(?<ids>[^`]+)`)?$/u;

interface UserPromise {
  readonly text: string;
  readonly file: string;
  readonly title: string;
  readonly ids: readonly string[];
}

interface Manifest {
  readonly commands: readonly { readonly command: string }[];
  readonly configuration: readonly {
    readonly properties: Readonly<
      Record<string, { readonly properties?: object; readonly additionalProperties?: unknown }>
    >;
  }[];
}

interface Page {
  readonly promises: readonly UserPromise[];
  /** Promises whose tests are not written yet. */
  readonly rebuilt: readonly string[];
  readonly wrong: readonly string[];
}

/** Reads a page of promises. Lines below "Being rebuilt" have no test. */
function readPage(markdown: string): Page {
  const [kept = '', below = ''] = markdown.split(/^## Being rebuilt$/mu);
  const list = (text: string): string[] => text.split('\n').filter((line) => line.startsWith('-'));
  const rebuilt = list(below);
  const promises = list(kept).flatMap((line): UserPromise[] => {
    const { text = '', file = '', title = '', ids = '' } = LINE.exec(line)?.groups ?? {};
    const at = path.join(path.dirname(PAGE), file);
    return text === '' ? [] : [{ text, file: at, title, ids: ids.split(' ').filter(Boolean) }];
  });
  const wrong = list(kept).filter((line) => !LINE.test(line));
  return { promises, rebuilt, wrong: [...wrong, ...rebuilt.filter((line) => line.includes(']('))] };
}

/** The titles of the tests of a file, as they are written. */
function readTitles(code: string): readonly string[] {
  const titles = code.matchAll(
    /\bit\(\s*(?<quote>['"`])(?<title>(?:\\.|(?!\k<quote>)[^\\])*)\k<quote>/gsu,
  );
  return [...titles].map(({ groups }) => (groups?.['title'] ?? '').replaceAll(/\\(['"`])/gu, '$1'));
}

/** The commands and settings of the manifest; a button of the view is its command again. */
function readIds(): readonly string[] {
  const { contributes } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
    readonly contributes: Manifest;
  };
  const { commands, configuration } = contributes;
  return [
    ...new Set(commands.map(({ command }) => command.replace(/\.view$/u, ''))),
    ...configuration.flatMap(({ properties }) =>
      Object.entries(properties).flatMap(([key, schema]) =>
        // An object with named properties holds several settings.
        schema.additionalProperties === false && schema.properties !== undefined
          ? Object.keys(schema.properties).map((property) => `${key}.${property}`)
          : [key],
      ),
    ),
  ];
}

const isIn = (id: string, covered: readonly string[]): boolean =>
  covered.some((one) => (one.endsWith('*') ? id.startsWith(one.slice(0, -1)) : one === id));

describe('the promises', () => {
  const { promises, rebuilt, wrong } = readPage(readFileSync(path.join(root, PAGE), 'utf8'));

  it(`are ${promises.length} lines with one test each, and ${rebuilt.length} that are being rebuilt`, () => {
    assert.ok(promises.length > 150);
    assertNone(
      wrong,
      'Write "- A sentence. [Test](file "title")", without a test below "Being rebuilt"',
    );
  });

  it('name tests that exist, by their exact titles, and all of test/promises', () => {
    const named = promises.map(({ file, title }) => `${file} "${title}"`);
    const titles = (file: string): readonly string[] =>
      existsSync(path.join(root, file))
        ? readTitles(readFileSync(path.join(root, file), 'utf8'))
        : [];
    assertNone(
      promises
        .filter(({ file, title }) => !titles(file).includes(title))
        .map(({ text, file, title }) => `${text} ${file} "${title}"`),
    );
    const own = globSync('test/promises/*.test.ts', { cwd: root }).flatMap((file) =>
      titles(file).map((title) => `${file} "${title}"`),
    );
    assertNone(
      own.filter((one) => !named.includes(one)),
      'No promise names these',
    );
  });

  it('name no test twice, and promise nothing twice', () => {
    const names = promises.flatMap(({ text, file, title }) => [text, `${file} "${title}"`]);
    assertNone(names.filter((name, index) => names.indexOf(name) !== index));
  });

  it('cover every command and every setting, and no others', () => {
    const covered = promises.flatMap(({ ids }) => ids);
    const ids = readIds();
    assertNone(
      ids.filter((id) => !isIn(id, covered)),
      'No promise names these',
    );
    assertNone(
      covered.filter((one) => !ids.some((id) => isIn(id, [one]))),
      'These do not exist',
    );
  });

  it('are refused without a test, with a test below "Being rebuilt", and with a quote in a title', () => {
    const good = '- I do this. [Test](../../test/a.test.ts "does it") `belay.a belay.b`';
    assert.deepEqual(readPage(good).promises[0]?.ids, ['belay.a', 'belay.b']);
    assert.deepEqual(readPage(`${good}\n- I do that.`).wrong, ['- I do that.']);
    assert.deepEqual(readPage(`## Being rebuilt\n${good}`).wrong, [good]);
    assert.deepEqual(readTitles("it('does it', () => {});\nit(\n  `it\\'s`,"), ['does it', "it's"]);
  });
});
