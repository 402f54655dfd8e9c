import assert from 'node:assert/strict';
import * as esbuild from 'esbuild';
import { parseSync } from 'oxc-parser';
import { pageOptions } from '../../esbuild.mjs';
import { assertNone } from './assert-none.ts';
import { sourceOf } from './said-texts.ts';
import { type Node, sourceFiles, visit } from './source-graph.ts';

/** What names an icon: a property or an attribute, a table of them, the element's own name. */
const ICON = /^icon$/;
const TABLE = /^(\w*ICONS|SYMBOLS)$/;

/** Values of them that are no icons of a font. */
const OTHERS = /[^a-z-]/;

/** Where the characters of icons begin; before it are texts. */
const PRIVATE = 0xe0_00;

/** Every icon that a source of the panel's or its host's names, in a property, an attribute, a table or a class. */
function namedIcons(file: string, code: string): string[] {
  const found: string[] = [];
  const take = (value: unknown): void => {
    const node = value as Node | null;
    if (node === null || typeof node !== 'object') return;
    if (node.type === 'Literal' && typeof node.value === 'string') found.push(node.value);
    else if (node.type === 'ConditionalExpression')
      for (const one of [node.consequent, node.alternate]) take(one);
    else if (node.type === 'LogicalExpression')
      for (const one of [node.left, node.right]) take(one);
    else if (/^(JSXExpressionContainer|TSAsExpression|TSSatisfiesExpression)$/.test(node.type))
      take(node.expression);
    else if (node.type === 'ObjectExpression')
      for (const { value: one } of node.properties as readonly Node[]) take(one);
  };
  visit(parseSync(file, code).program, (node) => {
    if (node.type === 'VariableDeclarator' && TABLE.test(nameOf(node.id))) take(node.init);
    if (node.type === 'Property' && ICON.test(nameOf(node.key))) take(node.value);
    if (node.type === 'VariableDeclarator' && ICON.test(nameOf(node.id))) take(node.init);
    if (node.type !== 'JSXOpeningElement') return;
    const isIcon = nameOf(node.name) === 'Icon';
    for (const one of node.attributes as readonly Node[])
      if (ICON.test(nameOf(one.name)) || (isIcon && nameOf(one.name) === 'name')) take(one.value);
  });
  const classes = [...code.matchAll(/codicon-([a-z-]*[a-z])\b/g)].map(([, name = '']) => name);
  return [...found.filter((name) => !OTHERS.test(name)), ...classes];
}

const nameOf = (node: unknown): string => {
  const { name, value } = (node ?? {}) as { readonly name?: unknown; readonly value?: unknown };
  return typeof name === 'string' ? name : typeof value === 'string' ? value : '';
};

/** Characters that a TrueType font can draw: those of the groups of its table `cmap`, format 4. */
function charactersOf(font: DataView): Set<number> {
  const tables = Array.from({ length: font.getUint16(4) }, (_, index) => 12 + 16 * index);
  const entry = tables.find((at) => font.getUint32(at) === 0x63_6d_61_70) ?? 0;
  const cmap = font.getUint32(entry + 8);
  const subtables = Array.from(
    { length: font.getUint16(cmap + 2) },
    (_, index) => cmap + font.getUint32(cmap + 8 + 8 * index),
  );
  const at = subtables.find((one) => font.getUint16(one) === 4) ?? 0;
  const segments = font.getUint16(at + 6) / 2;
  return new Set(
    Array.from({ length: segments }, (_, index) => {
      const end = font.getUint16(at + 14 + 2 * index);
      const start = font.getUint16(at + 16 + 2 * (segments + index));
      return Array.from({ length: end - start + 1 }, (__, more) => start + more);
    }).flat(),
  );
}

/** The icons of a page as it is built: the character of each, and what its font can draw. */
async function built(name: 'panel' | 'center') {
  const { plugins = [], ...options } = pageOptions(true, name);
  const { outputFiles = [] } = await esbuild.build({
    ...options,
    plugins: plugins.filter((plugin) => plugin.name !== 'write'),
  });
  const css = outputFiles.find(({ path }) => path.endsWith('.css'))?.text ?? '';
  const font = outputFiles.find(({ path }) => path.endsWith('.ttf'))?.contents ?? new Uint8Array();
  const icons = css.matchAll(/\.codicon-([a-z0-9-]+):before\{content:"\\([0-9a-f]+)/gu);
  return {
    shown: [...css.matchAll(/content:"\\([0-9a-f]+)/gu)].map(([, code = '']) => parseInt(code, 16)),
    icons: new Map([...icons].map(([, icon = '', code = '']) => [icon, parseInt(code, 16)])),
    draws: charactersOf(new DataView(font.buffer, font.byteOffset, font.byteLength)),
  };
}

describe('icons', () => {
  const used = [
    ...new Set(
      sourceFiles()
        .filter((file) => /^(webview|src\/(panel|tools|core|domain|protocol|window))\//.test(file))
        .flatMap((file) => namedIcons(file, sourceOf(file))),
    ),
  ].filter((name) => !name.startsWith('modifier-'));

  for (const page of ['panel', 'center'] as const)
    it(`${page}: every icon that a source names is in the built style and font`, async () => {
      const { shown, icons, draws } = await built(page);
      assert.ok(used.length > 90, `${used.length} icons were found`);
      assertNone(
        used.filter((name) => !draws.has(icons.get(name) ?? 0)),
        'These icons do not exist, or no source has the name as a text of its own',
      );
      assertNone(
        shown
          .filter((code) => code >= PRIVATE && !draws.has(code))
          .map((code) => code.toString(16)),
        'The font cannot draw these characters of the style',
      );
      assert.ok(draws.size < 300, `${draws.size} characters: those that nobody names are left out`);
    });

  it('a property, an attribute, a table, one of two and a class are found', () => {
    const code = `const ICONS = { a: 'add', b: 'edit' }; const row = { icon: is ? 'file' : 'folder', id: 'x' };
      const view = <p class="codicon codicon-check"><Icon name="close" /><Button icon={'eye'} name="y" /></p>;`;
    assert.deepEqual(namedIcons('x.tsx', code), [
      'add',
      'edit',
      'file',
      'folder',
      'close',
      'eye',
      'check',
    ]);
  });
});
