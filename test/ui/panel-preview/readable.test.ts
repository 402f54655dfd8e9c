import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { SystemClock } from '../../../src/hosts/node/clock.ts';
import { Stage } from '../../unit/panel/stage.ts';
import { faintTexts } from './contrast.ts';
import { eventually } from './eventually.ts';
import { begin, history, S, said, session } from './fixture-session.ts';
import type { PreviewPage } from './preview.ts';
import { scenes } from './scenes.ts';
import { sharedPreview } from './shared-preview.ts';

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

async function open(
  prepare: (stage: Stage) => void,
  width: number,
): Promise<{ readonly stage: Stage; readonly opened: PreviewPage }> {
  const stage = new Stage(new SystemClock(), prepare);
  const preview = await sharedPreview();
  const opened = await preview.open((transport) => stage.panel.line.attach(transport), {
    theme: 'dark',
    width,
    height: 720,
  });
  await opened.page.locator('.composer textarea').waitFor();
  await opened.page.locator('.loading').waitFor({ state: 'detached' });
  return { stage, opened };
}

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
    const { stage, opened } = await open((made) => {
      session(made);
      history(made);
    }, 300);
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
    await opened.close();
    stage.panel.dispose();
  });

  for (const name of ['done', 'busy', 'edit', 'error', 'retrying', 'handoff', 'review-cards']) {
    it(`in the scene ${name}, in every theme`, async () => {
      const scene = scenes[name];
      assert.ok(scene);
      const { stage, opened } = await open((made) => scene.prepare?.(made), 300);
      scene.play?.(stage);
      await delay(300);
      await readable(opened);
      await opened.close();
      stage.panel.dispose();
    });
  }

  it('secondary buttons have the border of secondary buttons', async () => {
    const { stage, opened } = await open((made) => {
      session(made);
      history(made);
    }, 300);
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
    await opened.close();
    stage.panel.dispose();
  });
});

describe('the card of a change', () => {
  for (const width of [250, 300, 380, 450]) {
    it(`names its file at ${width} px, whatever else it says`, async () => {
      const scene = scenes['review-cards'];
      assert.ok(scene);
      const { stage, opened } = await open((made) => scene.prepare?.(made), width);
      scene.play?.(stage);
      await opened.page.locator('.call-review').first().waitFor();
      await opened.drawn();
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
      await opened.close();
      stage.panel.dispose();
    });
  }
});
