import assert from 'node:assert/strict';
import { speak } from '../../../src/domain/text/language.ts';
import { pseudo } from '../../boundary/said-texts.ts';
import { violations } from './axe.ts';
import { faintTexts } from './contrast.ts';
import type { PreviewPage, PreviewTheme } from './preview.ts';
import { layoutFaults, untranslated } from './page-faults.ts';
import { scenes } from './scenes.ts';
import { openScene } from './staged.ts';

const THEMES: readonly PreviewTheme[] = ['dark', 'light', 'highContrast', 'highContrastLight'];
/** What WCAG 2 asks of ordinary text (AA). */
const READABLE = 4.5;
/** Scenes whose parts all stand in another one, too. */
const LIKE_OTHERS = new Set([
  'cards-done',
  'cards-denied',
  'cards-canceled',
  'commands',
  'demo',
  'error',
  'menu-of-answer',
  'mode',
  'model-search',
  'questions',
  'review-bar',
  'review-full',
  'review-many',
  'review-one',
  'server-form-hostile',
  'server-page-opened',
  'timeline',
  'unfolded',
]);

describe('the panel for everyone', function () {
  this.timeout(60_000);
  /** One page for all scenes: each new one would cost a process. */
  let used: PreviewPage | undefined;
  before(() => speak('en', pseudo('bundle')));
  after(async () => {
    speak('en');
    await used?.close();
  });

  const names = Object.keys(scenes).filter((name) => !LIKE_OTHERS.has(name));
  for (const [index, name] of names.entries()) {
    it(`${name}: nothing that axe objects to; all translated; readable, whole and still`, async () => {
      const scene = scenes[name];
      assert.ok(scene);
      const { stage, opened, page } = await openScene(scene, {
        width: 300,
        height: 900,
        language: 'pseudo',
        ...(used === undefined ? {} : { page: used }),
      });
      used = opened;
      const found = [...(await untranslated(page)), ...(await layoutFaults(page))];
      // Only colours depend on the theme: axe looks at each scene in one, at each theme in many scenes.
      for (const [at, theme] of THEMES.entries()) {
        await opened.dress(theme);
        if (at === index % THEMES.length)
          for (const one of await violations(page)) found.push(`${theme}: ${one}`);
        for (const { text, where, contrast } of await faintTexts(page, READABLE))
          found.push(`${theme}: ${contrast} to 1: ${text} in ${where}`);
      }
      // 300 × 900 pixels at a zoom of 200 %.
      await page.setViewportSize({ width: 150, height: 450 });
      await opened.drawn();
      for (const one of await layoutFaults(page)) found.push(`at 200 %: ${one}`);
      assert.deepEqual(found, []);
      assert.deepEqual(opened.console, [], 'nothing is reported by the browser');
      stage.panel.dispose();
    });
  }
});
