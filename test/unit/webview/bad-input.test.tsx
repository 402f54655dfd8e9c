import assert from 'node:assert/strict';
import { signal } from '@preact/signals';
import { renderToString } from 'preact-render-to-string';
import { makeVisible } from '../../../src/domain/text/honest-text.ts';
import { block } from '../../../webview/markdown/block.tsx';
import { IncrementalMarkdown } from '../../../webview/markdown/incremental.ts';
import type { MarkdownContext } from '../../../webview/markdown/inline.tsx';
import { plainText } from '../../../webview/markdown/plain-text.ts';
import { PanelContext } from '../../../webview/panel.ts';
import { screenOf } from '../../security/surfaces/panel.ts';

const context: MarkdownContext = {
  files: signal<ReadonlySet<string>>(new Set()),
  there: { has: () => signal(true), want: () => undefined },
  notes: signal<ReadonlySet<string>>(new Set(['1'])),
  open: () => undefined,
};

const panel = screenOf({});

/** An answer on screen, all of it, as it is when it has ended. */
function screen(text: string): string {
  const visible = makeVisible(text.replaceAll('\r\n', '\n'));
  const parser = new IncrementalMarkdown();
  let parsed = parser.update(visible, true);
  while (parsed.behind) parsed = parser.update(visible, true);
  return renderToString(
    <PanelContext.Provider value={panel}>
      {parsed.groups.flat().map(({ token, key }) => block(token, key, context))}
    </PanelContext.Provider>,
  );
}

const HTML =
  '<script>alert(1)</script><img src=x onerror=alert(1)><iframe srcdoc="x"></iframe><svg onload=alert(1)><style>*{}</style><a href="javascript:alert(1)">a</a><form action=//evil><details open ontoggle=alert(1)><summary onclick=alert(1)>x</summary></details>';

/** What a model may send, by mistake or on purpose; what must be on screen of it. */
const INPUTS: Readonly<Record<string, readonly [text: string, seen: RegExp]>> = {
  'broken markdown': [
    '**bold *both** _x\n```ts\nnever closed\n\n| a | b\n|--\n[link](\n[^1]: \n<details>\n$$\n\\[ `',
    /never closed/u,
  ],
  'a line of 1 MB': [`${'word '.repeat(200_000)}end`, /end/u],
  'a line of 1 MB without a blank': [`${'x'.repeat(1_000_000)}END`, /END/u],
  'code of 1 MB in a line': [`\`\`\`js\n${'a'.repeat(1_000_000)}\n\`\`\``, /Show more/u],
  'a table of 10,000 rows': [
    `| a | b |\n|---|---|\n${'| 1 | **2** |\n'.repeat(10_000)}`,
    /Show more: \d+ rows/u,
  ],
  'a table of 2,000 columns': [
    `|${' a |'.repeat(2000)}\n|${'---|'.repeat(2000)}\n|${' b |'.repeat(2000)}`,
    /b/u,
  ],
  '1,000 nested lists': [
    Array.from({ length: 1000 }, (_, at) => `${' '.repeat(2 * at)}- item ${at}`).join('\n'),
    /item 999/u,
  ],
  '1,000 nested quotations': [`${'> '.repeat(1000)}deep`, /deep/u],
  '1,000 nested details': [
    `${'<details>\n'.repeat(1000)}deep\n${'</details>\n'.repeat(1000)}`,
    /deep/u,
  ],
  'HTML and script': [HTML, /&lt;script/u],
  'HTML in every place': [
    `# ${HTML}\n\n- ${HTML}\n\n> ${HTML}\n\n| ${HTML.replaceAll('|', '')} |\n|---|\n| ${HTML} |\n\n[^1]: ${HTML}\n\n<details>\n<summary>${HTML}</summary>\n\n${HTML}\n\n</details>\n\n$\\text{${HTML.replaceAll('$', '')}}$`,
    /&lt;script/u,
  ],
  'a mermaid bomb': [
    `\`\`\`mermaid\nflowchart TD\n${'A-->B\n'.repeat(20_000)}\`\`\``,
    /Copy code/u,
  ],
  'a bomb of formulas': [`${'$\\frac{a}{b}$ '.repeat(5000)}end`, /end/u],
  'codes of a terminal': [
    'a\u001b[31mred\u001b[0m \u001b]8;;https://evil.example\u0007link\u001b]8;;\u0007 b\u0007\u0008\u009b2J',
    /red/u,
  ],
  'invisible characters': [
    'a\u200bb\u202ec\u2066d\ufeffe\u00adf\u{e0041}g `x\u200by` [l\u202ei](a.md)',
    /a.*b.*c/u,
  ],
  'half a character': ['a\ud800b \udfffc', /a.*b/u],
};

/** Elements that an answer is drawn with. */
const ELEMENTS =
  /^(?:div|span|p|a|strong|em|del|code|pre|br|hr|h[3-5]|ul|ol|li|table|thead|tbody|tr|th|td|blockquote|button|figure|figcaption|details|summary|sup)$/u;

/** Characters that steer a terminal, or that nobody sees. */
// oxlint-disable-next-line no-control-regex -- these are what is looked for
const STEERING = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b\u202e\u2066\ufeff\u{e0041}]/u;

describe('bad input in an answer', () => {
  for (const [what, [text, seen]] of Object.entries(INPUTS))
    it(`${what}: it is shown, bounded, as text`, () => {
      const html = screen(text);
      assert.match(html, seen);
      assert.ok(html.length < 6_000_000, `${html.length} characters`);
      const names = new Set(
        [...html.matchAll(/<([a-z][a-z\d]*)/giu)].map(([, name]) => name ?? ''),
      );
      assert.deepEqual(
        [...names].filter((name) => !ELEMENTS.test(name)),
        [],
      );
      assert.doesNotMatch(html, /<[^>]+\s(?:href|src|srcdoc|style|on\w+)=/iu);
      assert.doesNotMatch(html, STEERING);
      assert.ok(plainText(text, 300).length <= 301);
    });
});
