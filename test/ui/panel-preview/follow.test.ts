import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { SystemClock } from '../../../src/hosts/node/clock.ts';
import { Stage } from '../../unit/panel/stage.ts';
import { eventually } from './eventually.ts';
import { begin, history, S, said, session } from './fixture-session.ts';
import type { PreviewPage } from './preview.ts';
import { sharedPreview } from './shared-preview.ts';

const PARAGRAPHS = Array.from({ length: 30 }, (_, index) => `Paragraph ${index}.\n\n`).join('');

/** What lays the conversation out anew, in the page: in one task, or with the growth behind the frame. */
const DISTURBANCES = {
  'content shrinks, a frame passes, and it grows before the browser tells of it': (page: Page) =>
    page.evaluate(async () => {
      const block = document.querySelector<HTMLElement>('.test-block');
      if (block === null) throw new Error('no block');
      const { port1, port2 } = new MessageChannel();
      await new Promise<void>((done) => {
        port1.addEventListener('message', () => {
          block.style.height = '1400px';
          done();
        });
        port1.start();
        requestAnimationFrame(() => {
          block.style.height = '300px';
          port2.postMessage(0);
        });
      });
    }),
  'content shrinks and grows within one task': (page: Page) =>
    page.evaluate(() => {
      const block = document.querySelector<HTMLElement>('.test-block');
      const box = document.querySelector<HTMLElement>('.scroll');
      if (block === null || box === null) throw new Error('no block');
      block.style.height = '200px';
      void box.scrollHeight;
      block.style.height = '1500px';
    }),
  'the input is low for a moment while the answer grows': (page: Page) =>
    page.evaluate(() => {
      const block = document.querySelector<HTMLElement>('.test-block');
      const dock = document.querySelector<HTMLElement>('.dock');
      const box = document.querySelector<HTMLElement>('.scroll');
      if (block === null || dock === null || box === null) throw new Error('no block');
      dock.hidden = true;
      void box.scrollHeight;
      dock.hidden = false;
      block.style.height = '1600px';
    }),
  'what stands above the answer becomes lower': (page: Page) =>
    page.evaluate(() => {
      const row = document.querySelector<HTMLElement>('.row');
      const block = document.querySelector<HTMLElement>('.test-block');
      if (row === null || block === null) throw new Error('no row');
      row.style.display = 'none';
      block.style.height = '1650px';
    }),
  'the panel becomes narrower, wider, lower and higher': async (page: Page) => {
    for (const [width, height] of [
      [250, 640],
      [600, 640],
      [300, 400],
      [360, 800],
      [360, 640],
    ] as const)
      await page.setViewportSize({ width, height });
  },
  'it is zoomed in and out': async (page: Page) => {
    for (const zoom of ['1.25', '2', '0.8', '1'])
      await page.evaluate(async (value) => {
        document.documentElement.style.zoom = value;
        await new Promise((resolve) => requestAnimationFrame(resolve));
      }, zoom);
  },
  'a person types many lines and takes them away': async (page: Page) => {
    const input = page.locator('.composer textarea');
    await input.fill(Array.from({ length: 12 }, (_, index) => `line ${index}`).join('\n'));
    await input.fill('');
  },
  'a card is opened and closed': async (page: Page) => {
    for (let turn = 0; turn < 2; turn += 1)
      await page.evaluate(() => {
        document.querySelector<HTMLElement>('.tool button[aria-expanded]')?.click();
      });
  },
} satisfies Record<string, (page: Page) => Promise<void>>;

/** What a person, or a program that helps one, does to read further up. */
const WAYS_UP = {
  wheel: async (page: Page) => {
    await page.mouse.move(150, 200);
    await page.mouse.wheel(0, -200);
  },
  key: async (page: Page) => {
    await page.locator('.scroll').focus();
    await page.keyboard.press('PageUp');
  },
  'scroll bar': async (page: Page) => {
    await page.evaluate(() => {
      // A scroll bar that takes no room cannot be pressed by tests: what it does is told and done.
      const box = document.querySelector<HTMLElement>('.scroll');
      box?.dispatchEvent(new PointerEvent('pointerdown', { pointerType: 'mouse', button: 1 }));
      box?.scrollBy(0, -200);
      window.dispatchEvent(new PointerEvent('pointerup'));
    });
  },
  'a screen reader': (page: Page) =>
    page.evaluate(() => {
      const rows = document.querySelectorAll('.row.answer');
      rows[rows.length - 2]?.scrollIntoView({ block: 'center' });
    }),
} satisfies Record<string, (page: Page) => Promise<void>>;

describe('the conversation follows an answer', () => {
  let stage: Stage;
  let opened: PreviewPage;
  let page: Page;

  beforeEach(async () => {
    stage = new Stage(new SystemClock(), (made) => {
      session(made);
      history(made);
    });
    opened = await (
      await sharedPreview()
    ).open((transport) => stage.panel.attach(transport), {
      theme: 'dark',
      width: 360,
      height: 640,
    });
    page = opened.page;
    await page.locator('.row').last().waitFor();
    begin(stage);
    stage.publish(S, said(PARAGRAPHS));
    await page.getByText('Paragraph 29.').waitFor();
    // A block whose height the test decides, at the end of what is written.
    await page.evaluate(() => {
      const block = document.createElement('div');
      block.className = 'test-block';
      block.style.height = '1000px';
      document.querySelector('.rows')?.append(block);
    });
    await followed();
  });
  afterEach(async () => {
    assert.deepEqual(opened.console, [], 'nothing is reported by the browser');
    await opened.close();
    stage.panel.dispose();
  });

  const left = (): Promise<number> =>
    page.locator('.scroll').evaluate((box) => box.scrollHeight - box.scrollTop - box.clientHeight);
  const followed = async (): Promise<void> => {
    await opened.drawn();
    await eventually(async () => assert.ok((await left()) < 5));
    assert.equal(await page.locator('.to-end').count(), 0);
  };
  const grow = (): Promise<void> =>
    page.evaluate(() => {
      const block = document.querySelector<HTMLElement>('.test-block');
      if (block !== null) block.style.height = `${block.offsetHeight + 500}px`;
    });

  for (const [what, disturb] of Object.entries(DISTURBANCES)) {
    it(`when ${what}`, async () => {
      await disturb(page);
      await followed();
      await grow();
      await followed();
    });
  }

  for (const [way, up] of Object.entries(WAYS_UP)) {
    it(`until the person goes up by ${way}, is never pulled down, and goes on at the end`, async () => {
      await up(page);
      await page.locator('.to-end').waitFor();
      const box = page.locator('.scroll');
      await eventually(async () => assert.ok((await left()) > 100));
      // A key scrolls smoothly, whatever is preferred.
      const place = await box.evaluate(async (element) => {
        for (let still = 0, before = -1; still < 10; before = element.scrollTop) {
          await new Promise((resolve) => requestAnimationFrame(resolve));
          still = element.scrollTop === before ? still + 1 : 0;
        }
        return element.scrollTop;
      });
      for (let turn = 0; turn < 3; turn += 1) {
        await grow();
        await opened.drawn();
      }
      assert.equal(await box.evaluate(({ scrollTop }) => scrollTop), place);
      await page.mouse.move(150, 200);
      await eventually(async () => {
        await page.mouse.wheel(0, 900);
        assert.ok((await left()) < 5);
      });
      await eventually(async () => assert.equal(await page.locator('.to-end').count(), 0));
      await grow();
      await followed();
    });
  }

  it('while the output of a card is scrolled, which is not the conversation', async () => {
    await page.evaluate(() => {
      const block = document.querySelector<HTMLElement>('.test-block');
      const inner = document.createElement('pre');
      inner.className = 'test-inner';
      inner.style.cssText = 'height: 300px; overflow-y: auto; margin-top: 700px';
      inner.textContent = 'line\n'.repeat(200);
      block?.append(inner);
      inner.scrollTop = 1000;
    });
    await opened.drawn();
    await page.locator('.test-inner').hover();
    await page.mouse.wheel(0, -100);
    await opened.drawn();
    await grow();
    await followed();
  });

  it('does not jump when the person moves up by a few pixels', async () => {
    await page.mouse.move(150, 200);
    await page.mouse.wheel(0, -6);
    await page.locator('.to-end').waitFor();
    const place = await page.locator('.scroll').evaluate(({ scrollTop }) => scrollTop);
    await grow();
    await opened.drawn();
    assert.equal(await page.locator('.scroll').evaluate(({ scrollTop }) => scrollTop), place);
    await page.locator('.to-end').click();
    await followed();
  });
});
