import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from 'playwright-core';
import type { Part } from '../../../src/domain/message.ts';
import { SystemClock } from '../../../src/hosts/node/clock.ts';
import { Stage } from '../../unit/panel/stage.ts';
import { pictures } from '../pictures.ts';
import { violations } from './axe.ts';
import { eventually } from './eventually.ts';
import { begin, call, result, S, session } from './fixture-session.ts';
import { bundle, type Preview, type PreviewPage, type PreviewTheme } from './preview.ts';
import { sharedPreview } from './shared-preview.ts';

const LOOKS: readonly (readonly [PreviewTheme, number])[] = [
  ['dark', 600],
  ['light', 300],
  ['highContrast', 300],
  ['dark', 300],
];

const ANSWER = `Change \`src/parse.ts\` as lines 10–16 of it show; src/parse.ts:21 stays, src/gone.ts:3 is gone.

\`\`\`ts
export const last = 1;
\`\`\`

\`\`\`bash
npm test
\`\`\`
`;

const RICH = `Steps ~~old~~ new[^1]:

- [x] one
- [ ] two
  - nested
    1. deep

<details>
<summary>The *log*</summary>

Inside with \`src/parse.ts\`.

\`\`\`diff
@@ -1,2 +1,2 @@
-const a = 1;
+const a = 2;
 const b = 3;
\`\`\`

</details>

The sum $\\sum_{i=1}^n i$ costs $5 or $10:

$$
\\frac{n(n+1)}{2} = \\begin{pmatrix} 1 & 2 \\\\ 3 & 4 \\end{pmatrix}
$$

No formula: $\\nosuchthing$

| a | b |
|---|--:|
| $x^2$ | 1 |

[^1]: From the [paper](https://example.com),
    page 3.
`;

describe('the parts of an answer', () => {
  let preview: Preview;
  let stage: Stage;
  let opened: PreviewPage;
  let page: Page;
  let request: string;

  const open = async (answer: string, before: readonly Part[] = [], code = ''): Promise<void> => {
    stage = new Stage(new SystemClock(), (made) => {
      session(made);
      made.diagramCode = code;
      made.there = new Set(['src/parse.ts']);
      request = made.store(S, 'user', [{ type: 'text', text: 'Fix it' }], { origin: 'person' }).id;
      for (const part of before) {
        made.store(S, 'assistant', [part]);
        if (part.type === 'tool_call') made.store(S, 'tool', [result(part.id, part.name, 'x')]);
      }
      made.store(S, 'assistant', [{ type: 'text', text: answer }]);
    });
    opened = await preview.open((transport) => stage.panel.line.attach(transport), {
      theme: 'dark',
      width: 300,
      height: 640,
    });
    page = opened.page;
    await page.locator('.answer').first().waitFor();
  };
  const shoot = async (name: string): Promise<void> => {
    for (const [theme, width] of LOOKS) {
      await opened.look({ theme, width, height: 640 });
      await opened.shoot(path.join(pictures, `${name}-${theme}-${width}.png`));
    }
  };

  before(async () => {
    preview = await sharedPreview();
    await mkdir(pictures, { recursive: true });
  });
  afterEach(async () => {
    assert.deepEqual(opened.console, [], 'nothing is reported by the browser');
    await opened.close();
    stage.panel.dispose();
  });

  it('a diagram is drawn in place, in the colors of the theme, with its source at hand', async () => {
    const code = new TextDecoder().decode((await bundle('diagram')).get('diagram.js'));
    const FLOW = 'flowchart LR\n  A[Valley] --> B[Summit]';
    await open(
      `\`\`\`mermaid\n${FLOW}\n\`\`\`\n\n\`\`\`mermaid\nflowchart\n  A -->\n\`\`\`\n`,
      [],
      code,
    );
    const picture = page.getByRole('button', { name: 'Open the diagram' });
    await picture.locator('img').waitFor();
    const width = (): Promise<number> =>
      picture.locator('img').evaluate((image: HTMLImageElement) => image.naturalWidth);
    await eventually(async () => assert.ok((await width()) > 100));
    assert.match(
      await page.locator('.diagram-problem').innerText(),
      /cannot be drawn: Parse error/u,
    );
    assert.equal(await page.locator('figure.code pre').count(), 1, 'a mistake keeps its source');
    await shoot('diagram-in-answer');
    assert.deepEqual(await violations(page), []);
    await picture.click();
    await eventually(() => assert.equal(stage.calls.at(-1), `diagram ${FLOW}`));
    await page.getByRole('button', { name: 'Show the source' }).press('Enter');
    assert.equal(await page.locator('figure.code pre').first().innerText(), FLOW);
    const last = page.locator('figure.code').first().locator('.code-actions button').last();
    assert.equal(await last.getAttribute('aria-label'), 'Copy code', 'Copy is the rightmost');
    // The library's sanitizer parses the picture in a document of its own; the policy reports the styles there.
    const others = opened.console.filter((line) => !line.includes('Applying inline style'));
    opened.console.splice(0, Infinity, ...others);
    await page.mouse.move(0, 0);
    await page.locator('textarea').focus();
    const visible = page.locator('figure.code').first().locator('.copy');
    assert.equal(await visible.evaluate((one) => getComputedStyle(one).opacity), '1');
  });

  it('code blocks are used by key at 300 px; files that are there are links', async () => {
    await open(ANSWER);
    const block = page.locator('figure.code');
    const links = page.locator('.answer a');
    await eventually(async () =>
      assert.deepEqual(await links.allInnerTexts(), [
        'src/parse.ts',
        'lines 10–16',
        'src/parse.ts:21',
      ]),
    );
    assert.deepEqual(
      stage.calls.filter((call) => call.startsWith('find')),
      ['find src/parse.ts src/gone.ts'],
      'each path once, all together',
    );
    await links.nth(1).click();
    await eventually(() => assert.equal(stage.calls.at(-1), 'openFile src/parse.ts 10'));
    await shoot('code-blocks');
    const uses = [
      [0, 'Apply to a file', `apply ts export const last = 1; Change src/parse.ts`],
      [0, 'Insert at the cursor', 'insert ts export const last = 1;'],
      [0, 'Open in a new editor', 'open ts export const last = 1;'],
      [1, 'Put into a terminal', 'terminal bash npm test'],
      [1, 'Copy code', 'copy npm test'],
    ] as const;
    for (const [at, name, call] of uses) {
      const button = block.nth(at).getByRole('button', { name });
      const box = await button.boundingBox();
      assert.ok(box !== null && box.x >= 0 && box.x + box.width <= 300, name);
      await button.press('Enter');
      await eventually(() => assert.ok(stage.calls.at(-1)?.startsWith(call), stage.calls.at(-1)));
    }
    const applied = stage.calls.find((call) => call.startsWith('apply')) ?? '';
    assert.ok(applied.endsWith(` ${request}`), 'it belongs to the request that is answered');
    assert.equal(
      await block
        .nth(1)
        .getByRole('button', { name: /^Apply/u })
        .count(),
      0,
    );
    assert.deepEqual(await violations(page), []);
  });

  it('formulas, footnotes, details, diffs and task lists are drawn, all by key', async () => {
    await open(RICH);
    await page.locator('.answer math').first().waitFor();
    const answer = page.locator('.answer');
    assert.equal(await answer.locator('math').count(), 3);
    assert.equal(await answer.locator('math[display="block"] mfrac').count(), 1);
    assert.equal(await answer.locator('code.tex').innerText(), '$\\nosuchthing$');
    assert.match(await answer.innerText(), /costs \$5 or \$10/u);
    const details = answer.locator('details');
    assert.equal(await details.evaluate((one: HTMLDetailsElement) => one.open), false);
    await details.locator('summary').press('Enter');
    assert.equal(await details.evaluate((one: HTMLDetailsElement) => one.open), true);
    await details.locator('.hljs-deletion').waitFor();
    await answer.getByRole('link', { name: 'Note 1', exact: true }).press('Enter');
    await page.locator('.footnote:focus').waitFor();
    await page.locator('.footnote').getByRole('link', { name: /^Back/u }).press('Enter');
    await page.locator('sup a:focus').waitFor();
    for (const [theme, width] of LOOKS) {
      await opened.look({ theme, width, height: 900 });
      await page.locator('.answer').first().scrollIntoViewIfNeeded();
      await opened.shoot(path.join(pictures, `answer-parts-${theme}-${width}.png`));
    }
    assert.deepEqual(await violations(page), []);
  });

  it('many reads in a row are one line that opens by key; the place stays when it does', async () => {
    const calls = Array.from({ length: 12 }, (_, at): Part => ({
      type: 'tool_call',
      id: `r${at}`,
      name: at % 4 === 3 ? 'search_text' : 'read_file',
      input: at % 4 === 3 ? { pattern: `word${at}` } : { path: `src/deep/file-${at}.ts` },
    }));
    await open('So it is.', calls);
    const line = page.locator('.series .tool-line');
    await line.waitFor();
    assert.equal(await line.locator('.tool-title').innerText(), '9 reads · 3 searches');
    assert.equal(await page.locator('.tool:not(.series)').count(), 0);
    await shoot('series');
    assert.deepEqual(await violations(page), []);
    await line.focus();
    await page.keyboard.press('Enter');
    await eventually(async () =>
      assert.equal(await page.locator('.tool:not(.series)').count(), 12),
    );
    assert.equal(await line.getAttribute('aria-expanded'), 'true');
    await opened.shoot(path.join(pictures, 'series-open-dark-300.png'));
    await page.locator('.tool-fold').last().focus();
    await line.press(' ');
    await eventually(async () => assert.equal(await page.locator('.tool:not(.series)').count(), 0));
    assert.equal(await line.evaluate((one) => one === document.activeElement), true);
  });

  it('while a run reads on, its ended calls go into the line, the end stays in sight, and all of it is copied', async () => {
    const long = Array.from({ length: 80 }, (_, at) => `Paragraph **${at}** of it.`).join('\n\n');
    await open(long);
    await page.locator('.answer .message-actions').press('Enter');
    await page.locator('.menu-list:popover-open .item', { hasText: /^Copy$/u }).press('Enter');
    await eventually(() =>
      assert.match(
        stage.calls.at(-1) ?? '',
        /^copy Paragraph 0 of it\.[\s\S]*Paragraph 79 of it\.$/u,
      ),
    );
    begin(stage);
    for (let at = 0; at < 8; at += 1) {
      const path = `src/file-${at}.ts`;
      stage.publish(S, ...call(at, `l${at}`, 'read_file', { path }));
      stage.publish(S, { type: 'tool.started', callId: `l${at}`, name: 'read_file' });
      await page.locator(`[data-call="l${at}"].is-running`).waitFor();
      const ended = result(`l${at}`, 'read_file', 'x');
      stage.publish(S, {
        type: 'tool.finished',
        callId: `l${at}`,
        name: 'read_file',
        replayed: false,
        result: ended,
      });
      await opened.drawn();
      const left = await page
        .locator('.scroll')
        .evaluate((box) => box.scrollHeight - box.scrollTop - box.clientHeight);
      assert.ok(left <= 4, `${left} px below the edge after ${at + 1} calls`);
    }
    await eventually(async () =>
      assert.equal(await page.locator('.series .tool-title').innerText(), '8 reads'),
    );
    assert.equal(await page.locator('.to-end').count(), 0);
  });
});
