import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type {
  FileChange,
  Language,
  Place,
  Related,
} from '../../../src/core/ports/editor/language.ts';
import { changedText } from '../../../src/tools/language/changed-text.ts';

/** The workspace that the contract is about, by relative path. */
export const LANGUAGE_FILES: Readonly<Record<string, string>> = {
  'tsconfig.json':
    '{ "compilerOptions": { "strict": true, "module": "nodenext", "noEmit": true } }\n',
  'package.json': '{ "type": "module" }\n',
  'shape.ts': [
    '/** The area of a square. */',
    'export function area(side: number): number {',
    '  return side * side;',
    '}',
    '',
    'export interface Shape {',
    '  side: number;',
    '}',
    '',
  ].join('\n'),
  'user.ts': [
    "import { area } from './shape.js';",
    "import type { Shape } from './shape.js';",
    '',
    'export function total(shapes: Shape[]): number {',
    '  return shapes.reduce((sum, shape) => sum + area(shape.side), 0);',
    '}',
    '',
  ].join('\n'),
  'unsorted.ts': [
    "import { readFile } from 'node:fs/promises';",
    "import { area } from './shape.js';",
    "import { total } from './user.js';",
    '',
    'export const both = [total, area];',
    '',
  ].join('\n'),
  'notes.txt': 'area is written here, too\n',
};

export interface LanguagePlace {
  readonly language: Language;
  /** The folder with `LANGUAGE_FILES`, absolute and real. */
  readonly folder: string;
}

/** What every implementation of `Language` does. `open` is called once. */
export function languageContract(open: () => Promise<LanguagePlace>): void {
  let language: Language;
  let folder: string;
  const { signal } = new AbortController();
  const at = (name: string): string => path.join(folder, name);

  /** The place of a word in a line of a file, 1-based. */
  const place = (name: string, line: number, word: string): Place => {
    const text = LANGUAGE_FILES[name]?.split('\n')[line - 1] ?? '';
    return { path: at(name), line, column: text.indexOf(word) + 1 };
  };
  const shown = (found: readonly Related[]): readonly string[] =>
    found.map((one) => `${path.relative(folder, one.path)}:${one.line}`).toSorted();
  const afterwards = async (changes: readonly FileChange[]): Promise<Record<string, string>> => {
    const texts: Record<string, string> = {};
    for (const { path: file, edits } of changes) {
      const text = changedText(await readFile(file, 'utf8'), edits);
      texts[path.relative(folder, file)] = text ?? assert.fail('the changes overlap');
    }
    return texts;
  };

  before(async () => {
    ({ language, folder } = await open());
  });

  it('finds the definition in another file, from the first question on', async () => {
    const use = place('user.ts', 5, 'area');
    assert.deepEqual(shown(await language.related('definition', use, signal)), ['shape.ts:2']);
  });

  it('finds every reference, the declaration included', async () => {
    const found = await language.related('references', place('shape.ts', 2, 'area'), signal);
    assert.deepEqual(shown(found), [
      'shape.ts:2',
      'unsorted.ts:2',
      'unsorted.ts:5',
      'user.ts:1',
      'user.ts:5',
    ]);
    const column = found.find((one) => one.path === at('user.ts') && one.line === 5)?.column;
    assert.equal(column, place('user.ts', 5, 'area').column);
  });

  it('tells who calls, and what is called', async () => {
    const callers = await language.related('callers', place('shape.ts', 2, 'area'), signal);
    assert.deepEqual(
      callers.map(({ name }) => name),
      ['total'],
    );
    assert.deepEqual(shown(callers), ['user.ts:5']);
    const callees = await language.related('callees', place('user.ts', 4, 'total'), signal);
    assert.ok(callees.some(({ name, path: file }) => name === 'area' && file === at('shape.ts')));
  });

  it('shows what the mouse would show', async () => {
    const text = await language.hover(place('user.ts', 5, 'area'), signal);
    assert.match(text, /area\(side: number\): number/u);
    assert.match(text, /The area of a square/u);
    assert.equal(await language.hover(place('shape.ts', 4, '}'), signal), '');
  });

  it('lists the declarations of a file and of the workspace', async () => {
    const outline = await language.outline(at('shape.ts'), signal);
    assert.deepEqual(
      outline.map(({ name, kind, line, depth, container }) => [name, kind, line, depth, container]),
      [
        ['area', 'function', 2, 0, ''],
        ['Shape', 'interface', 6, 0, ''],
        ['side', 'property', 7, 1, 'Shape'],
      ],
    );
    const found = await language.symbols('total', signal);
    assert.ok(
      found.some((one) => one.path === at('user.ts') && one.line === 4),
      JSON.stringify(found),
    );
  });

  it('renames in all files at once and writes nothing itself', async () => {
    const changes = await language.rename(place('shape.ts', 6, 'Shape'), 'Square', signal);
    const texts = await afterwards(changes);
    assert.deepEqual(Object.keys(texts).toSorted(), ['shape.ts', 'user.ts']);
    assert.match(texts['shape.ts'] ?? '', /export interface Square \{/u);
    assert.match(texts['user.ts'] ?? '', /Square/u);
    assert.equal(await readFile(at('shape.ts'), 'utf8'), LANGUAGE_FILES['shape.ts']);
    await assert.rejects(language.rename(place('shape.ts', 3, 'return'), 'x', signal), {
      code: 'invalid',
    });
  });

  it('offers to organize imports, as an edit', async () => {
    const [organize, ...others] = await language.actions(
      {
        path: at('unsorted.ts'),
        line: 1,
        column: 1,
        endLine: 6,
        endColumn: 1,
        kind: 'source.organizeImports',
        waitMs: 10_000,
      },
      signal,
    );
    assert.equal(organize?.kind, 'source.organizeImports');
    assert.deepEqual(others, []);
    const texts = await afterwards(organize?.changes ?? []);
    assert.equal(texts['unsorted.ts']?.includes('readFile'), false);
    assert.match(texts['unsorted.ts'] ?? '', /area/u);
  });

  it('sees a problem right after a file was written by something else, and that it is gone again', async () => {
    const ask = () => language.problems({ paths: [at('shape.ts')], waitMs: 10_000 }, signal);
    assert.deepEqual(await ask(), { problems: [], unanswered: [] });
    const text = LANGUAGE_FILES['shape.ts'] ?? '';
    await writeFile(at('shape.ts'), text.replace('return side * side', "return 'square'"));
    const { problems, unanswered } = await ask();
    assert.deepEqual(
      problems.map(({ path: file, line, severity, source, code }) => [
        file,
        line,
        severity,
        source,
        code,
      ]),
      [[at('shape.ts'), 3, 'error', 'ts', '2322']],
    );
    assert.match(problems[0]?.message ?? '', /not assignable/u);
    assert.deepEqual(unanswered, []);
    await writeFile(at('shape.ts'), text);
    assert.deepEqual((await ask()).problems, []);
  });

  it('offers a quick fix for a problem', async () => {
    const text =
      "export const found = totl([]);\nimport { total as totl2 } from './user.js';\nexport { totl2 };\n";
    await writeFile(at('fixable.ts'), text.replace('totl([])', 'total([])'));
    const actions = await language.actions(
      {
        path: at('fixable.ts'),
        line: 1,
        column: 1,
        endLine: 1,
        endColumn: 30,
        kind: 'quickfix',
        waitMs: 10_000,
      },
      signal,
    );
    const titles = actions.map(({ title }) => title).join('\n');
    assert.ok(
      actions.some(({ changes = [] }) => changes.length > 0),
      titles || 'none',
    );
    assert.ok(
      actions.every(({ kind }) => kind.startsWith('quickfix')),
      titles,
    );
  });

  it('knows nothing of a language that nobody serves, and says so', async () => {
    assert.deepEqual(await language.served(at('notes.txt')), {
      language: 'plaintext',
      served: false,
    });
    assert.equal((await language.served(at('user.ts'))).served, true);
    const nothing = await language.related('definition', place('notes.txt', 1, 'area'), signal);
    assert.deepEqual(nothing, []);
    const { problems, unanswered } = await language.problems(
      { paths: [at('notes.txt')], waitMs: 0 },
      signal,
    );
    assert.deepEqual([problems, unanswered], [[], [at('notes.txt')]]);
  });

  it('D4: fails with not_found for a file that is not there, and stops at once when it is told to', async () => {
    await assert.rejects(language.outline(at('nowhere.ts'), signal), { code: 'not_found' });
    await assert.rejects(
      language.related('references', place('shape.ts', 2, 'area'), AbortSignal.abort()),
      { name: 'AbortError' },
    );
  });
}
