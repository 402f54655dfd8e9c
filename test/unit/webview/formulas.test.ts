import assert from 'node:assert/strict';
import type { Token } from 'marked';
import { answerLexer } from '../../../webview/markdown/syntax.ts';
import { type FormulaNode, typeset } from '../../../webview/markdown/typeset.ts';

/** The formulas of a text; those on their own lines begin with `|`. */
function formulas(text: string): readonly string[] {
  const found: string[] = [];
  const walk = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(walk);
    if (typeof value !== 'object' || value === null) return;
    const token = value as Partial<Token>;
    if (token.type === 'formula')
      found.push(`${token['display'] === true ? '|' : ''}${String(token['text'])}`);
    else for (const key of ['tokens', 'items', 'header', 'rows']) walk(token[key as never]);
  };
  walk(answerLexer().lex(text));
  return found;
}

function textOf(nodes: readonly FormulaNode[]): string {
  return nodes.map((node) => (typeof node === 'string' ? node : textOf(node.children))).join('');
}

function namesOf(nodes: readonly FormulaNode[]): readonly string[] {
  return nodes.flatMap((node) =>
    typeof node === 'string' ? [] : [node.name, ...namesOf(node.children)],
  );
}

describe('formulas in an answer', () => {
  it('stand between any of the usual marks', () => {
    const texts: readonly (readonly [text: string, ...found: string[]])[] = [
      ['So $x^2$ and $n$ are.', 'x^2', 'n'],
      ['It is $O(n \\log n)$, \\(a+b\\).', 'O(n \\log n)', 'a+b'],
      ['$$\n\\frac{1}{2}\n$$', '|\\frac{1}{2}'],
      ['Before\n$$E = mc^2$$\nafter', '|E = mc^2'],
      ['\\[\na = b\n\\]', '|a = b'],
      ['- item $2n$\n- \\[x\\]', '2n', '|x'],
      ['| a |\n|---|\n| $y$ |', 'y'],
      ['$\\$5 + x$ and $\\text{a word}$', '\\$5 + x', '\\text{a word}'],
    ];
    for (const [text, ...found] of texts) assert.deepEqual(formulas(text), found, text);
  });

  it('are no prices, no variables of a shell, no code and nothing open', () => {
    for (const text of [
      'Between $5 and $10.',
      'It costs $5 or 10$ a month, $20/month or 30$.',
      '$5-$10, $1,000 and US$5 to A$6',
      'Set $HOME and $PATH, or $HOME:$PATH.',
      'a $100 million deal and a $200 million one',
      '`$x$` and `\\(y\\)`',
      '```\n$$x$$\n```',
      '$$\nx\n\ny\n$$',
      '\\[ open',
      '\\$x\\$',
    ])
      assert.deepEqual(formulas(text), [], text);
  });

  it('become MathML', () => {
    const made = typeset('\\sum_{i=0}^n \\frac{x_i}{2}', true);
    assert.ok('nodes' in made);
    assert.deepEqual(
      [...new Set(namesOf(made.nodes))],
      ['math', 'mrow', 'munderover', 'mo', 'mi', 'mn', 'mfrac', 'msub'],
    );
    assert.match(textOf(made.nodes), /∑/u);
  });

  it('keep invisible operators, and show invisible characters of their texts', () => {
    for (const [tex, text] of [
      ['\\min(x) + \\log x', 'min\u2061(x)+log\u2061x'],
      ['\\operatorname{foo} x', 'foo\u2061x'],
      ['f<U+2061>(x) = a<U+2062>b<U+2063>c<U+2064>d', 'f\u2061(x)=a\u2062b\u2063c\u2064d'],
      ['\\text{a\u2062b}', 'a<U+2062>b'],
      ['a\u200bb', 'a<U+200B>b'],
    ] as const) {
      const made = typeset(tex, false);
      assert.ok('nodes' in made, tex);
      assert.equal(textOf(made.nodes), text, tex);
    }
  });

  it('load and run nothing, hide nothing, and end', () => {
    const started = process.cpuUsage();
    for (const hostile of [
      '\\href{javascript:alert(1)}{x}',
      '\\url{http://evil.example}',
      '\\includegraphics{http://evil.example/p.png}',
      '\\class{a}{x}\\id{b}{y}\\style{color:red}{z}',
      '\\def\\a{\\a\\a}\\a',
      '\\def\\a{xxxxxxxxxx}\\def\\b{\\a\\a\\a\\a\\a\\a\\a\\a\\a\\a}\\def\\c{\\b\\b\\b\\b\\b\\b\\b\\b}\\c\\c\\c\\c\\c\\c\\c\\c\\c\\c',
      '{'.repeat(1400) + 'x' + '}'.repeat(1400),
      '\\frac'.repeat(500),
      'x^'.repeat(1000),
      '\\text{<script>alert(1)</script><img src=x onerror=alert(1)>}',
      '\\char"202E \\color{white}{secret}',
      '\\rule{99999em}{99999em}',
      '\\newcommand{\\x}{\\x\\x}\\x',
      '\\begin{matrix}'.repeat(200),
    ]) {
      const made = typeset(hostile, true);
      if ('problem' in made) continue;
      assert.ok(
        namesOf(made.nodes).every((name) => /^m[a-z]+$/u.test(name)),
        hostile,
      );
      const attributes = JSON.stringify(made.nodes);
      assert.doesNotMatch(attributes, /href|"src"|style"|class"|color|\u202e|9999/u, hostile);
    }
    assert.ok(process.cpuUsage(started).user < 3_000_000);
  });
});
