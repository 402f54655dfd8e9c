import assert from 'node:assert/strict';
import { SystemClock } from '../../../src/hosts/node/clock.ts';
import { Stage } from '../../unit/panel/stage.ts';
import { session, S } from './fixture-session.ts';
import type { Language, PreviewPage } from './preview.ts';
import { scenes, type Scene } from './scenes.ts';
import { sharedPreview } from './shared-preview.ts';

async function open(
  { prepare, play, click }: Scene,
  width: number,
  language: Language,
): Promise<{ readonly stage: Stage; readonly opened: PreviewPage }> {
  const stage = new Stage(new SystemClock(), (made) => prepare?.(made));
  const preview = await sharedPreview();
  const opened = await preview.open((transport) => stage.panel.line.attach(transport), {
    theme: 'dark',
    width,
    height: 720,
    language,
  });
  await opened.page.locator('.composer textarea').waitFor();
  await opened.page.locator('.loading').waitFor({ state: 'detached' });
  play?.(stage);
  await opened.drawn();
  for (const selector of click ?? []) await opened.page.locator(selector).first().click();
  await opened.drawn();
  return { stage, opened };
}

const closed = async ({ stage, opened }: Awaited<ReturnType<typeof open>>): Promise<void> => {
  await opened.close();
  stage.panel.dispose();
};

/** Buttons whose words are wider than they are, and how much wider the page is than its window. */
const tooWide = async ({ page }: PreviewPage): Promise<readonly string[]> =>
  page.evaluate(() => {
    const wide = document.documentElement.scrollWidth - window.innerWidth;
    const buttons = [...document.querySelectorAll<HTMLElement>('.button')].filter(
      (one) => one.checkVisibility() && one.scrollWidth > one.clientWidth + 1,
    );
    return [
      ...(wide > 0 ? [`the page: ${wide} px`] : []),
      ...buttons.map((one) => one.textContent ?? ''),
    ];
  });

describe('languages', () => {
  for (const name of ['welcome', 'plan', 'group', 'server-form', 'meter']) {
    it(`${name}: texts half as long again are all translated, and fit at 300 px`, async () => {
      const scene = scenes[name];
      assert.ok(scene);
      const shown = await open(scene, 300, 'pseudo');
      const { page } = shown.opened;
      assert.deepEqual(await tooWide(shown.opened), []);
      const english = await page.evaluate(() =>
        [...document.querySelectorAll<HTMLElement>('button, input, textarea, summary, h1, legend')]
          .filter(
            (one) => one.checkVisibility() && one.closest('.markdown, .session, .todo') === null,
          )
          .map(
            (one) =>
              one.getAttribute('aria-label') ?? one.getAttribute('placeholder') ?? one.textContent,
          )
          .filter((text) => /\p{L}{3}/u.test(text) && !text.includes('‹')),
      );
      // A title, a choice or a mode that the person or the model has named.
      assert.deepEqual(
        english.filter((text) => !NAMED.test(text)),
        [],
      );
      await closed(shown);
    });
  }

  it('German stands in the page, with its language', async () => {
    const shown = await open(scenes['welcome'] ?? {}, 300, 'de');
    const { page } = shown.opened;
    await page.getByRole('button', { name: 'API-Schlüssel festlegen' }).waitFor();
    assert.equal(await page.locator('html').getAttribute('lang'), 'de');
    assert.deepEqual(await tooWide(shown.opened), []);
    await closed(shown);
  });

  it('a text goes in the direction of its script, and code from left to right', async () => {
    const shown = await open(RIGHT_TO_LEFT, 300, 'en');
    const { page } = shown.opened;
    const directionOf = async (selector: string): Promise<string> =>
      page
        .locator(selector)
        .first()
        .evaluate((one) => getComputedStyle(one).direction);
    assert.equal(await directionOf('.markdown p:has-text("שלום")'), 'rtl');
    assert.equal(await directionOf('.markdown ul'), 'rtl');
    assert.equal(await directionOf('.markdown p:has-text("Hello")'), 'ltr');
    assert.equal(await directionOf('.markdown pre'), 'ltr');
    assert.equal(await directionOf('.markdown code'), 'ltr');
    const bidi = await page
      .locator('.request-text')
      .evaluate((one) => getComputedStyle(one).unicodeBidi);
    assert.equal(bidi, 'plaintext');
    await closed(shown);
  });

  it('at 200 % zoom, 170 px of a narrow side bar, nothing is wider than the panel', async () => {
    for (const name of ['welcome', 'done', 'group', 'review-states']) {
      const shown = await open(scenes[name] ?? {}, 170, 'en');
      assert.deepEqual(await tooWide(shown.opened), [], name);
      await closed(shown);
    }
  });
});

const NAMED = /parse|Fix the|Claude|npm|git|Tag|^Run/;

const RIGHT_TO_LEFT: Scene = {
  prepare: (stage) => {
    session(stage);
    stage.store(S, 'user', [{ type: 'text', text: 'למה זה?' }], { origin: 'person' });
    stage.store(
      S,
      'assistant',
      [
        {
          type: 'text',
          text: 'שלום, הקובץ `src/parse.ts` תוקן.\n\n- ראשון\n- שני\n\nHello, this goes on.\n\n```ts\nconst a = 1;\n```\n',
        },
        { type: 'finish', reason: 'end_turn' },
      ],
      { model: 'claude-sonnet-5' },
    );
  },
};
