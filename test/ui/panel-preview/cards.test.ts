import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { SystemClock } from '../../../src/hosts/node/clock.ts';
import { Stage } from '../../unit/panel/stage.ts';
import { pictures } from '../pictures.ts';
import { CARD_SCENES } from './card-scenes.ts';
import type { Preview, PreviewTheme } from './preview.ts';
import type { Scene } from './scenes.ts';
import { sharedPreview } from './shared-preview.ts';
import { TOOL_SAMPLES } from './tool-samples.ts';

const LOOKS: readonly (readonly [PreviewTheme, number])[] = [
  ['dark', 300],
  ['dark', 600],
  ['light', 300],
  ['highContrast', 300],
];

/** What each card of a scene says of its state; the last of those that failed may have happened. */
const STATES: Readonly<Record<keyof typeof CARD_SCENES, RegExp>> = {
  'cards-running': /, running/u,
  'cards-done': /, (?:done|in the background)/u,
  'cards-failed': /, (?:failed|outcome unknown)/u,
  'cards-denied': /, denied/u,
  'cards-canceled': /, canceled/u,
  'cards-unfolded': /, done/u,
};

interface Card {
  readonly name: string;
  /** Parts that stand out of the card, as "class: pixels". */
  readonly outside: readonly string[];
}

/** What scrolls by itself may be wider inside, and what is shortened by "…" is cut on purpose. */
const cardsOf = (page: Page): Promise<readonly Card[]> =>
  page.locator('[data-call]').evaluateAll((cards) =>
    cards.map((card) => {
      const edge = card.getBoundingClientRect();
      const outside = [...card.querySelectorAll('*')].flatMap((part) => {
        const clipped = part.parentElement?.closest('pre, .subject, .note, .icon-button') ?? null;
        if (clipped !== null && card.contains(clipped)) return [];
        const box = part.getBoundingClientRect();
        // A turning icon has a box that is larger than itself; one without a box is not shown.
        if (box.width === 0 || part.classList.contains('codicon-modifier-spin')) return [];
        const over = Math.max(box.right - edge.right, edge.left - box.left);
        return over > 1 ? [`${part.className}: ${over}`] : [];
      });
      return { name: card.getAttribute('aria-label') ?? '', outside };
    }),
  );

describe('the cards of all tools', () => {
  let preview: Preview;

  before(async () => {
    preview = await sharedPreview();
    await mkdir(pictures, { recursive: true });
  });

  for (const [name, scene] of Object.entries(CARD_SCENES) as [keyof typeof CARD_SCENES, Scene][]) {
    it(`${name}: in no theme and width is one too wide, each says its state`, async () => {
      const looks = name === 'cards-unfolded' ? LOOKS.slice(0, 1) : LOOKS;
      const stage = new Stage(new SystemClock(), (made) => scene.prepare?.(made));
      const opened = await preview.open((transport) => stage.panel.line.attach(transport), {
        theme: 'dark',
        width: 300,
        height: 720,
      });
      const { page } = opened;
      await page.locator('.composer textarea').waitFor();
      await page.locator('.loading').waitFor({ state: 'detached' });
      scene.play?.(stage);
      await page
        .locator('[data-call]')
        .nth(TOOL_SAMPLES.length - 1)
        .waitFor();
      await page.waitForFunction(
        (state) =>
          [...document.querySelectorAll('[data-call]')].every((card) =>
            new RegExp(state, 'u').test(card.getAttribute('aria-label') ?? ''),
          ),
        STATES[name].source,
      );
      for (const selector of scene.click ?? []) await page.locator(selector).click();
      for (const [theme, width] of looks) {
        await opened.look({ theme, width, height: 720 });
        await opened.showAll();
        const cards = await cardsOf(page);
        const place = `in ${theme} at ${width} px`;
        assert.equal(cards.length, TOOL_SAMPLES.length, place);
        assert.deepEqual(
          cards.filter(({ outside }) => outside.length > 0),
          [],
          place,
        );
        for (const card of cards) assert.match(card.name, STATES[name], place);
        if (name !== 'cards-unfolded')
          await opened.shoot(path.join(pictures, `${name}-${theme}-${width}.png`));
      }
      assert.equal(await page.locator('.notice').count(), 0);
      assert.deepEqual(opened.console, [], 'nothing is reported by the browser');
      await opened.close();
      stage.panel.dispose();
    });
  }
});
