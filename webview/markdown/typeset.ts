import * as l10n from '@vscode/l10n';
import temml from 'temml';
import { makeVisible } from '../../src/domain/text/honest-text.ts';

/** A node of MathML, or text. */
export type FormulaNode =
  | string
  | {
      readonly name: string;
      readonly attributes: Readonly<Record<string, string>>;
      readonly children: readonly FormulaNode[];
    };

/** Nodes that a formula may have: more would keep the panel for longer than a frame or two. */
const MOST_NODES = 4000;
const DEEPEST = 60;
/** Formulas that are remembered. */
const KEPT = 500;

const ELEMENTS =
  /^(?:math|mrow|mi|mn|mo|ms|mtext|mspace|msqrt|mroot|mfrac|msub|msup|msubsup|munder|mover|munderover|mmultiscripts|mprescripts|mtable|mtr|mtd|mpadded|mphantom|mstyle)$/u;
const ATTRIBUTES =
  /^(?:display|displaystyle|scriptlevel|mathvariant|fence|form|stretchy|lspace|rspace|separator|largeop|movablelimits|symmetric|accent|accentunder|linethickness|width|height|depth|voffset|columnspan|rowspan|minsize|maxsize)$/u;

/** An operator that is not drawn: function application, invisible times, separator or plus. */
const OPERATOR = /^[\u2061-\u2064]$/u;

/** A node as the library makes it. */
interface TreeNode {
  readonly type?: string;
  readonly text?: string;
  readonly attributes?: Readonly<Record<string, unknown>>;
  readonly children?: readonly TreeNode[];
}

type Made = { readonly nodes: readonly FormulaNode[] } | { readonly problem: string };

const made = new Map<string, Made>();

/**
 * Makes MathML of TeX. Macros are expanded a bounded number of times; links, pictures, classes, styles and colours of a
 * formula are refused or dropped: what is shown is elements of MathML and visible text;
 * invisible operators stay as they are.
 */
export function typeset(text: string, display: boolean): Made {
  const key = `${display} ${text}`;
  const known = made.get(key);
  if (known !== undefined) return known;
  if (made.size >= KEPT) made.clear();
  const fresh = make(text, display);
  made.set(key, fresh);
  return fresh;
}

function make(text: string, displayMode: boolean): Made {
  try {
    // The answer's invisible characters are shown by their names already.
    const tex = text.replaceAll(/<U\+(206[1-4])>/gu, (_, code: string) =>
      String.fromCodePoint(Number.parseInt(code, 16)),
    );
    const tree = temml.__renderToMathMLTree(tex, {
      displayMode,
      throwOnError: true,
      trust: false,
      maxExpand: 500,
      maxSize: [40, 20],
    }) as TreeNode;
    const left = { nodes: MOST_NODES };
    return { nodes: convert(tree, left, 0) };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return {
      problem: l10n.t(
        'This is no formula that can be shown: {0}',
        makeVisible(reason).slice(0, 300),
      ),
    };
  }
}

function convert(node: TreeNode, left: { nodes: number }, depth: number): readonly FormulaNode[] {
  left.nodes -= 1;
  if (left.nodes < 0 || depth > DEEPEST) throw new Error('It is too large.');
  if (node.text !== undefined)
    return [OPERATOR.test(node.text) ? node.text : makeVisible(node.text)];
  const children = (node.children ?? []).flatMap((child) => convert(child, left, depth + 1));
  const name = node.type ?? '';
  if (!ELEMENTS.test(name)) return children;
  const attributes = Object.entries(node.attributes ?? {}).flatMap(([key, value]) =>
    ATTRIBUTES.test(key) && (typeof value === 'string' || typeof value === 'number')
      ? [[key, String(value)] as const]
      : [],
  );
  return [{ name, attributes: Object.fromEntries(attributes), children }];
}
