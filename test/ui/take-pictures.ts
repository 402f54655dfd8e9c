import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { copyFile, mkdir } from 'node:fs/promises';
import path from 'node:path';
import { call, calls, fail, inOrder, say } from '../support/model-server/turn.ts';
import type { BelayPage } from './belay-page.ts';
import { setPanelWidth } from './panel-width.ts';
import { inEachTheme, pictures } from './pictures.ts';
import { useSharedWindow } from './window.ts';

/** The usual one comes last and stays. */
const WIDTHS = [600, 300] as const;

const ANSWER = `## What the planner does

It reads a **route**, measures it, and estimates the walking time with *Naismith's rule*:

| part | file |
|---|---|
| length, ascent | \`src/route.ts\` |
| walking time | \`src/pace.ts\` |

\`\`\`ts
export function walkingTime(kilometres: number, metresUphill: number): number {
  return Math.round((kilometres / 5 + metresUphill / 600) * 60);
}
\`\`\`

1. Ascent adds an hour for every 600 m.
2. Rests are added afterwards, ten minutes for every full hour.

The failing test says that ascent counts downhill, too, because `;

describe('what it looks like', () => {
  let belay: BelayPage;

  useSharedWindow((page) => {
    belay = page;
  });
  beforeEach(() => belay.workbench.setViewport(1400, 900));

  /** A picture for each theme and width; at none does the panel overflow. */
  const show = async (state: string, part: '.part.sidebar' | 'window'): Promise<void> => {
    const { page, workbench } = belay;
    for (const width of WIDTHS) {
      await setPanelWidth(belay, width);
      // Away from everything that would show a hover.
      await page.mouse.move(1200, 890);
      await inEachTheme(workbench, async (theme) => {
        const file = path.join(pictures, `${state}-${theme}-${width}.png`);
        if (part === 'window') await page.screenshot({ path: file });
        else await page.locator(part).screenshot({ path: file });
        assert.ok(existsSync(file));
      });
      const panel = await belay.panel();
      const overflow = await panel.evaluate(() => {
        const { scrollWidth, clientWidth } = document.documentElement;
        return scrollWidth - clientWidth;
      });
      assert.ok(overflow <= 0, `${state} at ${width} px is ${overflow} px too wide`);
    }
  };

  it('empty', async () => {
    await show('empty', '.part.sidebar');
  });

  it('streaming', async () => {
    belay.use(
      inOrder(
        calls(
          call('read_file', { path: 'src/route.ts' }),
          call('search_text', { pattern: 'walkingTime' }),
        ),
        say(ANSWER, { deltaSize: 200, cut: { how: 'hang', at: { events: 7 } } }),
      ),
    );
    await belay.ask('Explain how the walking time is estimated, and why a test fails.');
    await belay.shows('Ascent adds an hour');
    await show('streaming', '.part.sidebar');
    await (await belay.panel()).getByRole('button', { name: /^Stop/ }).click();
    await belay.idle();
  });

  it('approval', async () => {
    belay.use(
      inOrder(
        calls(
          call('run_command', {
            command: 'npm test -- --reporter=spec 2>&1 | tail -n 40 && git status --short',
          }),
        ),
        say('As you wish.'),
      ),
    );
    await belay.ask('Run the tests');
    const card = await belay.approval();
    await show('approval', '.part.sidebar');
    await card.getByRole('button', { name: /^Deny/ }).click();
    await card.getByRole('textbox').press('Enter');
    await belay.shows('As you wish.');
  });

  it('diff', async () => {
    // Of a file that programs obey each edit is asked about.
    await mkdir(path.join(belay.folder, '.github'), { recursive: true });
    await copyFile(
      path.join(belay.folder, 'src/route.ts'),
      path.join(belay.folder, '.github/route.ts'),
    );
    belay.use(
      inOrder(
        calls(call('read_file', { path: '.github/route.ts' })),
        calls(
          call('edit_file', {
            path: '.github/route.ts',
            edits: [
              {
                old_string:
                  'metres += Math.abs(route.points[index].height - route.points[index - 1].height);',
                new_string:
                  'const climb = route.points[index].height - route.points[index - 1].height;\n    if (climb > 0) metres += climb;',
              },
            ],
          }),
        ),
        say('Left as it was.'),
      ),
    );
    await belay.ask('Count only metres uphill');
    const card = await belay.approval();
    await card.getByRole('button', { name: 'Open diff' }).click();
    await belay.page.locator('.monaco-diff-editor .line-insert').first().waitFor();
    await show('diff', 'window');
    await card.getByRole('button', { name: /^Deny/ }).click();
    await card.getByRole('textbox').press('Enter');
    await belay.shows('Left as it was.');
  });

  it('pending changes', async () => {
    const { page, workbench } = belay;
    const chord = async (key: string): Promise<void> => {
      await page.keyboard.press('Control+k');
      await page.keyboard.press(key);
    };
    /** The whole window in each theme. */
    const shoot = async (state: string): Promise<void> => {
      await page.mouse.move(900, 780);
      await inEachTheme(workbench, (theme) =>
        page.screenshot({ path: path.join(pictures, `${state}-${theme}.png`) }),
      );
    };
    await belay.mode('Edit');
    belay.use(
      inOrder(
        calls(call('read_file', { path: 'src/route.ts' })),
        calls(
          call('edit_file', {
            path: 'src/route.ts',
            edits: [
              {
                old_string:
                  'metres += Math.abs(route.points[index].height - route.points[index - 1].height);',
                new_string:
                  'const climb = route.points[index].height - route.points[index - 1].height;\n    if (climb > 0) metres += climb;',
              },
              {
                old_string: '/** The highest point of the route. */',
                new_string: '/** The highest point of the route; the first of equal ones. */',
              },
            ],
          }),
          call('write_file', { path: 'src/rest.ts', content: 'export const rest = 10;\n' }),
        ),
        say('Only metres uphill count now.'),
      ),
    );
    await belay.ask('Count only metres uphill');
    await belay.shows('Only metres uphill count now.');
    await belay.idle();
    await chord('g');
    await page.locator('.statusbar-item', { hasText: 'Change 1 of 3' }).waitFor();
    await page.locator('.editor-container .monaco-editor.focused').waitFor();
    await chord('g');
    await page.locator('.tab.active', { hasText: 'route.ts' }).waitFor();
    const lens = page.locator('.codelens-decoration', { hasText: 'Comment' }).first();
    await lens.waitFor();
    await shoot('review-lenses');
    await page.keyboard.press('Alt+F3');
    await page.locator('.peekview-widget').waitFor();
    await page.keyboard.press('Control+Shift+g');
    await page.locator('.monaco-list-row', { hasText: 'rest.ts' }).first().waitFor();
    await shoot('review-peek');
    await chord('Shift+J');
    await page.locator('.multiDiffEntry').first().waitFor();
    await shoot('review-all');
    await page.locator('.monaco-list-row', { hasText: 'route.ts' }).first().click();
    await page.locator('.tab.active', { hasText: 'Belay: Pending Changes' }).waitFor();
    await page.locator('.monaco-diff-editor .line-insert').first().waitFor();
    await shoot('review-diff');
    await workbench.runCommand('View: Close All Editors');
    await belay.icon.click();
    await belay.panel();
  });

  it('error', async () => {
    belay.use(() => fail(401, 'authentication_error', 'invalid x-api-key'));
    await belay.ask('Which route is the longest?');
    await (await belay.panel()).locator('.notice').first().waitFor();
    await show('error', '.part.sidebar');
  });

  it('session list', async () => {
    belay.use(() => say('The ridge, by two kilometres.'));
    await belay.ask('Which route is the longest?');
    await belay.shows('A day in the mountains');
    await belay.idle();
    const panel = await belay.panel();
    await panel.locator('.header .title button').click();
    await panel.locator('.session').first().waitFor();
    await show('session-list', '.part.sidebar');
  });
});
