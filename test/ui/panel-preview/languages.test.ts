import assert from 'node:assert/strict';
import { session, S } from './fixture-session.ts';
import { layoutFaults } from './page-faults.ts';
import { scenes, type Scene } from './scenes.ts';
import { openScene } from './staged.ts';

describe('languages', () => {
  it('German stands in the page, with its language', async () => {
    const { page, close } = await openScene(scenes['welcome'] ?? {}, {
      width: 300,
      language: 'de',
    });
    await page.getByRole('button', { name: 'API-Schlüssel festlegen' }).waitFor();
    assert.equal(await page.locator('html').getAttribute('lang'), 'de');
    assert.deepEqual(await layoutFaults(page), []);
    await close();
  });

  it('a text goes in the direction of its script, and code from left to right', async () => {
    const { page, close } = await openScene(RIGHT_TO_LEFT, { width: 300 });
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
    await close();
  });
});

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
