import assert from 'node:assert/strict';
import { faintTexts } from './contrast.ts';
import { eventually } from './eventually.ts';
import { begin, S, said } from './fixture-session.ts';
import type { PreviewPage } from './preview.ts';
import { scenes } from './scenes.ts';
import { openScene, openStage } from './staged.ts';

const THEMES = ['dark', 'light', 'highContrast', 'highContrastLight'] as const;
/** What WCAG 2 asks of ordinary text (AA). */
const READABLE = 4.5;

const MARKDOWN = `# Heading

Text with \`code\`, [a link](https://example.com), **bold**, ~~gone~~ and \`src/parse.ts:12\`, see src/route.ts:24.

[\`linked code\`](src/parse.ts)

> A quote with \`code\` and [a link](src/a.ts)

| a | \`b\` |
| --- | --- |
| 1 | [c](src/c.ts) |

\`\`\`diff
@@ -1 +1 @@
-old line
+new line
\`\`\`

\`\`\`ts
// comment
const text: string = 'text'; if (text === null) throw new Error(\`\${1 + 2}\`);
\`\`\`
`;

async function readable(opened: PreviewPage): Promise<void> {
  const faint: unknown[] = [];
  for (const theme of THEMES) {
    await opened.look({ theme, width: 300, height: 720 });
    for (const text of await faintTexts(opened.page, READABLE)) faint.push({ theme, ...text });
  }
  assert.deepEqual(faint, []);
}

describe('what the panel shows can be read', () => {
  it('in an answer, in every theme', async () => {
    const { stage, opened, close } = await openStage();
    begin(stage);
    stage.publish(S, said(MARKDOWN), {
      type: 'message.completed',
      message: {
        id: 'live',
        sessionId: S,
        seq: (stage.messages.get(S)?.length ?? 0) + 1,
        role: 'assistant',
        parts: [{ type: 'text', text: MARKDOWN }],
        createdAt: 0,
      },
    });
    await opened.page.locator('.hljs-addition').waitFor();
    await opened.page.locator('.hljs-comment').last().waitFor();
    await opened.showAll();
    await readable(opened);
    const colours = await opened.page.evaluate(() =>
      ['.hljs-addition', '.hljs-deletion'].map(
        (selector) => getComputedStyle(document.querySelector(selector) ?? document.body).color,
      ),
    );
    assert.notEqual(colours[0], colours[1]);
    await close();
  });

  it('secondary buttons have the border of secondary buttons', async () => {
    const { stage, opened, close } = await openStage();
    begin(stage);
    const stop = opened.page.locator('.run-status .button');
    await stop.waitFor();
    await opened.page.evaluate(() => {
      const { style } = document.documentElement;
      style.setProperty('--vscode-button-border', 'rgb(1, 2, 3)');
      style.setProperty('--vscode-button-secondaryBorder', 'rgb(4, 5, 6)');
    });
    await eventually(async () =>
      assert.equal(
        await stop.evaluate((button) => getComputedStyle(button).borderTopColor),
        'rgb(4, 5, 6)',
      ),
    );
    await close();
  });
});

describe('the card of a change', () => {
  for (const width of [250, 300, 380, 450]) {
    it(`names its file at ${width} px, whatever else it says`, async () => {
      const scene = scenes['review-cards'];
      assert.ok(scene);
      const { opened, close } = await openScene(scene, { width });
      await opened.page.locator('.call-review').first().waitFor();
      const names = await opened.page.locator('.subject .base').evaluateAll((bases) =>
        bases.map((base) => {
          const box = base.getBoundingClientRect();
          const line = base.closest('.tool-line')?.getBoundingClientRect();
          return {
            name: base.textContent ?? '',
            cut: base.scrollWidth > base.clientWidth || box.right > (line?.right ?? 0) + 1,
          };
        }),
      );
      assert.ok(names.length > 1);
      assert.deepEqual(
        names.filter(({ cut }) => cut),
        [],
      );
      await close();
    });
  }
});
