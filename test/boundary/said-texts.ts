import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parseSync } from 'oxc-parser';
import { root } from '../rig/processes.ts';
import { type Node, sourceFiles, visit } from './source-graph.ts';

/** Who reads the translations: the host has its own, a page gets those of the panel. */
export type Bundle = 'bundle' | 'panel';

/** Rooms whose texts are shown in pages. */
const IN_PAGES = /^(webview|src\/domain|src\/protocol)\//;

/** Every English text that is translated when it is shown, once, in the order of the source. */
export function saidTexts(bundle: Bundle): string[] {
  const files = sourceFiles().filter((file) =>
    bundle === 'panel' ? IN_PAGES.test(file) : file.startsWith('src/'),
  );
  return [...new Set(files.flatMap((file) => textsIn(file, sourceOf(file)).texts))];
}

/**
 * What is said in a language that nobody speaks: each text in ‹brackets› and, by words of points, half as
 * long again. Those are punctuation, so that names which begin with what is seen still do.
 */
export function pseudo(bundle: Bundle): Record<string, string> {
  return Object.fromEntries(
    saidTexts(bundle).map((text) => [
      text,
      `‹${text}${' ……'.repeat(Math.ceil(text.length / 10))}›`,
    ]),
  );
}

/** A place where a text is put together before it is translated, so that no translation can be found. */
export function puzzlingTexts(): string[] {
  return sourceFiles().flatMap((file) => textsIn(file, sourceOf(file)).puzzles);
}

/** A source file's text. */
export const sourceOf = (file: string): string => readFileSync(path.join(root, file), 'utf8');

/** The functions of `domain/text/language.ts` and `tools/face/words.ts` that take English texts, and the arguments that are texts. */
const HELPERS: Readonly<Record<string, (texts: readonly string[]) => string[]>> = {
  count: ([one = '', many = `${one}s`]) => [`{0} ${one}`, `{0} ${many}`],
  plural: ([one = '', many = '']) => [one, many],
  said: (texts) => texts.slice(0, 1),
  counted: ([one = '']) => counted(one),
  countedIfAny: ([one = '']) => counted(one),
  atLeast: ([one = '']) => counted(one),
};

const counted = (one: string): string[] => [
  `{0} ${one}`,
  `{0} ${one}${one.endsWith('ch') ? 'es' : 's'}`,
];

/** Exported for its test. */
export function textsIn(file: string, code: string): { texts: string[]; puzzles: string[] } {
  const texts: string[] = [];
  const puzzles: string[] = [];
  const helpers = [...code.matchAll(/import \{([^}]*)\} from '[^']*\/(?:language|words)\.ts'/g)]
    .map(([, names]) => names)
    .join();
  visit(parseSync(file, code).program, (node) => {
    if (node.type === 'TaggedTemplateExpression' && (node.tag as Node).name === 'told') {
      const { quasis } = node.quasi as Node & {
        readonly quasis: readonly { readonly value: { readonly cooked: string } }[];
      };
      const parts = quasis.map(({ value }) => value.cooked);
      texts.push(parts.reduce((whole, part, index) => `${whole}{${index - 1}}${part}`));
      return;
    }
    if (node.type !== 'CallExpression') return;
    const callee = node.callee as Node;
    const args = node.arguments as readonly Node[];
    const name = typeof callee.name === 'string' ? callee.name : '';
    if (isTranslate(callee)) {
      const [first] = args;
      const text = textOf(first);
      if (text !== undefined) texts.push(text);
      else if (first?.type === 'TemplateLiteral' || first?.type === 'BinaryExpression')
        puzzles.push(`${file}: ${code.slice(first.start, first.start + 60)}`);
    } else if (Object.hasOwn(HELPERS, name) && new RegExp(`\\b${name}\\b`).test(helpers)) {
      const given = (name === 'said' ? args : args.slice(1)).map(textOf);
      // A word that is handed on is counted where it comes from.
      if (given[0] !== undefined)
        texts.push(...(HELPERS[name]?.(given.filter((one) => one !== undefined)) ?? []));
    }
  });
  return { texts, puzzles };
}

/** `l10n.t`, of `@vscode/l10n`. */
export const isTranslate = (callee: Node): boolean =>
  callee.type === 'MemberExpression' &&
  (callee.object as Node).name === 'l10n' &&
  (callee.property as Node).name === 't';

function textOf(node: Node | undefined): string | undefined {
  if (node?.type === 'Literal' && typeof node.value === 'string') return node.value;
  if (node?.type !== 'TemplateLiteral' || (node.expressions as unknown[]).length > 0)
    return undefined;
  const [quasi] = node.quasis as readonly { readonly value: { readonly cooked: string } }[];
  return quasi?.value.cooked;
}
