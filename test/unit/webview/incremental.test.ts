import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { IncrementalMarkdown, type Parsed } from '../../../webview/markdown/incremental.ts';
import { answerLexer, type MarkdownToken } from '../../../webview/markdown/syntax.ts';

/** The finished blocks, as their sources. */
function blocksOf(parsed: Parsed): string[] {
  return parsed.groups.flatMap((group) =>
    group.map(({ token }) => `${token.type}: ${token.raw.trim()}`),
  );
}

/** The same of one parse of the whole. */
function whole(text: string): string[] {
  return answerLexer()
    .lex(text)
    .filter((token) => token.type !== 'space' && token.type !== 'def')
    .map((token) => `${token.type}: ${token.raw.trim()}`);
}

/** Feeds a text in pieces of these lengths; gives the finished result. */
function grow(text: string, lengths: readonly number[]): Parsed {
  const markdown = new IncrementalMarkdown();
  let shown = 0;
  for (let turn = 0; shown < text.length; turn += 1) {
    shown += lengths[turn % lengths.length] ?? 1;
    markdown.update(text.slice(0, shown), false);
  }
  return finish(markdown, text);
}

function finish(markdown: IncrementalMarkdown, text: string): Parsed {
  let parsed = markdown.update(text, true);
  while (parsed.behind) parsed = markdown.update(text, true);
  return parsed;
}

function tokensOf({ groups, tail }: Parsed): readonly MarkdownToken[] {
  return [...groups.flat().map(({ token }) => token), ...tail];
}

const SAMPLE = `# Title

A paragraph with \`code\`,
on two lines.

- one
- two

  still two
- three

1. a
2. b

\`\`\`ts
const a = 1;

const b = 2;
\`\`\`

| a | b |
|---|---|
| 1 | 2 |

> quoted
lazily

Setext
======

    indented code

<div>
html
</div>

~~~
tilde
\`\`\`
~~~

The end.
`;

describe('markdown that grows', () => {
  it('gives the blocks of one parse of the whole, wherever it is cut', () => {
    for (let length = 1; length <= 40; length += 1) {
      assert.deepEqual(blocksOf(grow(SAMPLE, [length])), whole(SAMPLE), `pieces of ${length}`);
    }
  });

  it('gives the blocks of one parse for any mix of blocks and pieces', () => {
    const blocks = fc.constantFrom(
      'A paragraph of text.',
      'Another one\nwith two lines',
      '# Heading',
      '- one\n- two\n  - nested',
      '* [ ] task\n* [x] done',
      '1. first\n2. second',
      '> quote\n> more',
      '```js\nlet a;\n\nlet b;\n```',
      '```md\n# T\n\n```sh\nls\n```\n\nTail\n```',
      '```md\n```sh\nls\n```\nnot closed',
      '~~~markdown\n- ~~~js\n  1\n  ~~~\n~~~',
      '- item\n\n  ```md\n  ```js\n  ```\n  ```',
      '<details>\n\n```md\n```sh\n</details>\n```\n</details>\n```\n\n</details>',
      '**注意：**请看~~“三~五”~~天',
      '````\n```\n````',
      '~~~py\nprint()\n~~~',
      '| a | b |\n|---|:-:|\n| 1 | `2` |',
      '---',
      '    indented',
      '<b>html</b>',
      'Text with **bold** and [link](a.md) and <i>tags</i>',
      '<details>\n<summary>More</summary>\n\nin *it*\n\n```\n</details>\n```\n\n</details>',
      'A claim.[^1]',
      '[^1]: The note\n    goes on\n[^b]: another',
      'Text before\n$$\nx^2\n$$',
      '\\[\na = b\n\\]',
      'From $5 to $10, $$ and \\[ open',
    );
    fc.assert(
      fc.property(
        fc.array(blocks, { maxLength: 12 }),
        fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1 }),
        (parts, lengths) => {
          const text = parts.join('\n\n');
          assert.deepEqual(blocksOf(grow(text, lengths)), whole(text));
        },
      ),
      { numRuns: 400 },
    );
  });

  const nested: readonly (readonly [what: string, text: string, ...blocks: string[]])[] = [
    [
      'its fenced blocks',
      '```markdown\n# Readme\n\n```bash\nnpm i\n```\n\nTail\n```\n\nAfter.',
      '# Readme\n\n```bash\nnpm i\n```\n\nTail',
      'After.',
    ],
    [
      'blocks that follow each other',
      '```md\n```sh\nls\n```\n```ts\n1\n```\n```\nAfter.',
      '```sh\nls\n```\n```ts\n1\n```',
      'After.',
    ],
    [
      'blocks in blocks, in list items and quotations',
      '~~~MD title=a.md\n~~~mdx\n~~~js\n1\n~~~\n~~~\n- ~~~sh\n  ls\n  ~~~\n1.  ~~~\n    x\n    ~~~\n> ~~~ts\n> 2\n> ~~~\n```js\n~~~\nAfter.',
      '~~~mdx\n~~~js\n1\n~~~\n~~~\n- ~~~sh\n  ls\n  ~~~\n1.  ~~~\n    x\n    ~~~\n> ~~~ts\n> 2\n> ~~~\n```js',
      'After.',
    ],
    [
      'shorter and longer fences',
      '   ````md\n   ```js\n   1\n   ```\n   `````ts\n   ````\n   `````\n   ````\nAfter.',
      '```js\n1\n```\n`````ts\n````\n`````',
      'After.',
    ],
    [
      'an inner block that is not closed only while the answer grows',
      '```md\n# Readme\n```bash\nnpm i\n```\nAfter.\n\n```sh\nls\n```\n\nEnd.',
      '# Readme\n```bash\nnpm i',
      'After.',
      'ls',
      'End.',
    ],
    ['its lines to the end of the answer', '```md\n```js\n1', '```js\n1'],
  ];
  for (const [what, text, ...blocks] of nested)
    it(`keeps in a block of markdown ${what}, wherever it is cut`, () => {
      for (let length = 1; length <= text.length; length += 1) {
        const tokens = tokensOf(grow(text, [length])).filter(({ type }) => type !== 'space');
        assert.deepEqual(
          tokens.map((token) => ('text' in token ? token.text : '')),
          blocks,
          `pieces of ${length}`,
        );
      }
    });

  it('keeps a block of markdown open while the answer grows', () => {
    const text = 'See:\n\n```md\n# Title\n```sh\nls\n```\nMore\n\nand more';
    for (let shown = text.indexOf('#'); shown <= text.length; shown += 1) {
      const markdown = new IncrementalMarkdown();
      const { code, tail } = markdown.update(text.slice(0, shown), false);
      assert.equal(code?.language, 'md');
      assert.deepEqual(tail, []);
    }
  });

  it('never changes a finished group', () => {
    const text = SAMPLE.repeat(6);
    const markdown = new IncrementalMarkdown();
    let before: Parsed['groups'] = [];
    for (let shown = 0; shown < text.length; shown += 17) {
      const { groups } = markdown.update(text.slice(0, shown), false);
      for (const [index, group] of before.slice(0, -1).entries())
        assert.equal(groups[index], group);
      before = groups;
    }
    assert.ok(before.length > 3);
  });

  it('shows what is open: the last block, or a code block without lexing it', () => {
    const markdown = new IncrementalMarkdown();
    const paragraph = markdown.update('One.\n\nTwo', false);
    assert.deepEqual(blocksOf(paragraph), []);
    assert.deepEqual(
      paragraph.tail.filter(({ type }) => type !== 'space').map(({ raw }) => raw),
      ['One.', 'Two'],
    );
    const code = markdown.update('One.\n\nTwo\n\n```ts title\nlet a;\n\nlet', false);
    assert.deepEqual(code.code, { language: 'ts title', text: 'let a;\n\nlet' });
    assert.deepEqual(blocksOf(code), ['paragraph: One.', 'paragraph: Two']);
    const closed = markdown.update(
      'One.\n\nTwo\n\n```ts title\nlet a;\n\nlet b;\n```\n\nNext\n',
      false,
    );
    assert.equal(closed.code, null);
    assert.equal(blocksOf(closed).at(-1), 'code: ```ts title\nlet a;\n\nlet b;\n```');
  });

  it('does not take inline code at the start of a line for a code block', () => {
    const markdown = new IncrementalMarkdown();
    assert.equal(markdown.update('```not a fence``` but text\nmore', false).code, null);
  });

  it('takes a bounded step, so that a huge text does not block the panel', () => {
    const text = 'A line of text.\n\n'.repeat(8000);
    const markdown = new IncrementalMarkdown();
    const first = markdown.update(text, true);
    assert.equal(first.behind, true);
    const taken = blocksOf(first).length;
    assert.ok(taken > 100 && taken < 2000, `${taken} blocks in the first step`);
    const last = finish(markdown, text);
    assert.deepEqual(blocksOf(last), whole(text));
  });

  it('lexes a paragraph without an end only now and then, and shows all of it all the same', () => {
    const markdown = new IncrementalMarkdown();
    const word = 'endless **bold** text ';
    let text = '';
    for (let turn = 0; turn < 480; turn += 1) {
      text += word;
      const { tail } = markdown.update(text, false);
      const shown = tail.map(({ raw }) => raw).join('');
      if (turn % 100 === 0) assert.equal(shown.length, text.length);
    }
    assert.deepEqual(blocksOf(finish(markdown, text)), whole(text));
  });

  const huge: readonly (readonly [what: string, text: string])[] = [
    ['a line', 'word '.repeat(100_000)],
    [
      'a nested list',
      Array.from({ length: 1000 }, (_, at) => `${' '.repeat(2 * at)}- item\n`).join(''),
    ],
    ['quotations in quotations', `${'>'.repeat(20_000)} x\n`],
    ['marks of emphasis', '_a*'.repeat(100_000)],
    ['brackets', '['.repeat(300_000)],
    ['items', '- item\n'.repeat(20_000)],
    ['dollars', '$'.repeat(300_000)],
    ['formulas', '$x$ '.repeat(50_000)],
    ['opened formulas', '\\( \\[ $$ '.repeat(30_000)],
    ['opened formulas in lines', '\\[ a\n$$ b\n'.repeat(20_000)],
    ['details in details', '<details>\n'.repeat(20_000)],
    ['details', '<details>\n</details>\n'.repeat(10_000)],
    ['marks of notes', '[^1]'.repeat(50_000)],
    ['notes', '[^a]: b\n'.repeat(20_000)],
    ['a long note', `[^a]: ${'b\n'.repeat(50_000)}`],
  ];
  for (const [what, text] of huge)
    it(`takes ${what} without an end in pieces, and shows all of it`, () => {
      const markdown = new IncrementalMarkdown();
      const blocks = tokensOf(finish(markdown, text));
      assert.equal(
        blocks
          .map(({ raw }) => raw)
          .join('')
          .trimEnd(),
        text.trimEnd(),
      );
      assert.ok(blocks.every(({ raw }) => raw.length < 40_000));
    });

  it('takes a table of 10,000 rows in pieces that all have its head', () => {
    const text = `| a | b |\n|---|---|\n${'| 1 | **2** |\n'.repeat(10_000)}`;
    const blocks = tokensOf(finish(new IncrementalMarkdown(), text));
    assert.ok(blocks.length > 5);
    assert.ok(blocks.every(({ type, raw }) => type === 'table' && raw.length < 40_000));
    const rows = blocks.flatMap((token) => (token.type === 'table' ? token.rows : []));
    assert.equal(rows.length, 10_000);
  });

  it('cuts a code block of 5 MB out without lexing it, and goes on behind it', () => {
    const code = 'const a = 1;\n'.repeat(400_000);
    const blocks = tokensOf(finish(new IncrementalMarkdown(), `\`\`\`ts\n${code}\`\`\`\nend\n`));
    assert.deepEqual(
      blocks.map((token) => [token.type, 'text' in token ? token.text.length : 0]),
      [
        ['code', code.length - 1],
        ['paragraph', 3],
      ],
    );
  });

  it('keeps a code block whole that begins behind a long list', () => {
    const text = `${'- item of a list\n'.repeat(900)}\n\`\`\`ts\n${'code line\n'.repeat(1900)}\`\`\`\n\nEnd`;
    assert.deepEqual(blocksOf(finish(new IncrementalMarkdown(), text)), whole(text));
  });

  it('begins anew with another text', () => {
    const markdown = new IncrementalMarkdown();
    markdown.update('One.\n\nTwo.\n\n', false);
    assert.deepEqual(blocksOf(finish(markdown, '# Other')), ['heading: # Other']);
  });

  it('resolves links whose definitions came in an earlier block', () => {
    const text = '[a]: https://example.com\n\nSee [a].\n\nAnd [a] again.\n';
    const parsed = grow(text, [7]);
    const last = parsed.groups.at(-1)?.at(-1)?.token;
    assert.ok(last?.type === 'paragraph');
    assert.ok(last.tokens.some((token) => token.type === 'link'));
  });
});
