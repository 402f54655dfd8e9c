import assert from 'node:assert/strict';
import { mkdir, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Theme } from '../rig/workbench.ts';
import { call, calls, fail, say } from '../support/model-server/turn.ts';
import { BelayPage } from './belay-page.ts';

const folder = path.join(import.meta.dirname, 'screenshots');
const THEMES: readonly Theme[] = ['light', 'dark', 'highContrast'];
/** Width of the panel in CSS pixels, and of a window that leaves room for an editor. */
const WIDTHS = [
  { panel: 300, window: 1000 },
  { panel: 600, window: 1300 },
] as const;
const ACTIVITY_BAR = 48;

const STORY = `Here is what I found:

- \`src/pace.ts\` has the rule of thumb, [src/route.ts](src/route.ts) the length and the ascent.
- One test fails: the rests are counted twice.

\`\`\`ts
export const walkingTime = (km: number, up: number): number => (km / 5) * 60 + (up / 600) * 60;
\`\`\`
`;

const EDIT = call('edit_file', {
  path: 'src/pace.ts',
  edits: [{ old_string: 'kilometres / 5', new_string: 'kilometres / 4.5' }],
});

describe('what a person sees', () => {
  let belay: BelayPage;

  before(async () => {
    await mkdir(folder, { recursive: true });
    belay = await BelayPage.start({ viewport: { width: 1000, height: 800 } });
  });
  after(() => belay[Symbol.asyncDispose]());

  async function shoot(name: string): Promise<void> {
    for (const theme of THEMES) {
      await belay.workbench.setTheme(theme);
      for (const { panel, window } of WIDTHS) {
        await belay.workbench.setViewport(window, 800);
        await widen(panel);
        const file = path.join(folder, `${name}-${theme}-${panel}.png`);
        await belay.workbench.screenshot(file);
        assert.ok((await stat(file)).size > 5000, `${file} is empty`);
      }
    }
  }

  /** Drags the edge of the sidebar until the panel is so wide. */
  async function widen(width: number): Promise<void> {
    const { page } = belay;
    const box = await page.locator('.part.sidebar').boundingBox();
    assert.ok(box !== null);
    const y = box.y + box.height / 2;
    await page.mouse.move(box.x + box.width, y);
    await page.mouse.down();
    await page.mouse.move(ACTIVITY_BAR + width + 4, y, { steps: 4 });
    await page.mouse.up();
    await page.mouse.move(page.viewportSize()?.width ?? 900, 10);
  }

  it('nothing yet', async () => {
    await shoot('empty');
  });

  it('an answer while it is written', async () => {
    belay.use(() => say(STORY.repeat(40), { deltaSize: 12, gapMs: 40 }));
    await belay.ask('What is in this workspace?');
    await belay.shows('Here is what I found:');
    await shoot('streaming');
    await (await belay.panel()).getByRole('button', { name: /^Stop/u }).first().click();
    await belay.idle();
  });

  it('a command that waits for a yes', async () => {
    await belay.newSession();
    belay.use((_request, n) =>
      n === 1
        ? calls(
            { type: 'text', text: 'I run the tests.' },
            call('run_command', { command: 'npm test' }),
          )
        : say('I leave it.'),
    );
    await belay.ask('Run the tests.');
    await belay.approval();
    await shoot('approval');
    await (await belay.approval()).getByRole('button', { name: /^Deny/u }).first().click();
    await belay.idle();
  });

  it('an edit as a diff', async () => {
    await belay.newSession();
    belay.use((_request, n) => {
      if (n === 1) return calls(call('read_file', { files: [{ path: 'src/pace.ts' }] }));
      return n === 2 ? calls(EDIT) : say('Fine.');
    });
    await belay.ask('Make the pace a little slower.');
    await belay.approval();
    await belay.until('the diff is open', async () => (await belay.tabs()).length > 0);
    await shoot('diff');
    await (
      await belay.approval()
    )
      .getByRole('button', { name: /^Reject|^Deny/u })
      .first()
      .click();
    await belay.idle();
  });

  it('an error with a way on', async () => {
    await belay.newSession();
    belay.use(() => fail(401, 'authentication_error', 'invalid x-api-key'));
    await belay.ask('Anything.');
    await belay.idle();
    await shoot('error');
  });

  it('the list of sessions', async () => {
    const panel = await belay.panel();
    await panel
      .getByRole('button', { name: /^Sessions/u })
      .first()
      .click();
    await panel.getByText('A day in the mountains').first().waitFor();
    await shoot('sessions');
  });
});
