import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import type { CDPSession, Page } from 'playwright-core';
import { SystemClock } from '../../../src/hosts/node/clock.ts';
import { Stage } from '../../unit/panel/stage.ts';
import { eventually } from './eventually.ts';
import { begin, history, S, said, session } from './fixture-session.ts';
import type { PreviewPage } from './preview.ts';
import { sharedPreview } from './shared-preview.ts';

const PARAGRAPHS = Array.from({ length: 30 }, (_, index) => `Paragraph ${index}.\n\n`).join('');

/** A screen that can be touched. */
async function touchable(page: Page): Promise<CDPSession> {
  const browser = await page.context().newCDPSession(page);
  await browser.send('Emulation.setTouchEmulationEnabled', { enabled: true });
  return browser;
}

/**
 * A finger moves the conversation down by so many pixels, or up when they are negative.
 * @param lifted while it moves fast: the rest is momentum
 */
async function swipe(page: Page, distance: number, lifted = false): Promise<void> {
  const browser = await touchable(page);
  const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', y?: number): Promise<unknown> =>
    browser.send('Input.dispatchTouchEvent', {
      type,
      touchPoints: y === undefined ? [] : [{ x: 150, y }],
    });
  const from = distance > 0 ? 120 : 440;
  const steps = 10;
  await send('touchStart', from);
  for (let step = 1; step <= steps; step += 1)
    await send('touchMove', from + (distance * step) / steps);
  if (!lifted) await delay(150);
  await send('touchEnd');
}

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
  'the window is zoomed to 200 % and back, while the answer grows': async (page: Page) => {
    const browser = await page.context().newCDPSession(page);
    for (const scale of [1.25, 2, 1.5, 0.8, 1]) {
      await browser.send('Emulation.setDeviceMetricsOverride', {
        width: Math.round(360 / scale),
        height: Math.round(640 / scale),
        deviceScaleFactor: scale,
        mobile: false,
      });
      await page.evaluate(() => {
        const block = document.querySelector<HTMLElement>('.test-block');
        if (block !== null) block.style.height = `${block.offsetHeight + 150}px`;
      });
    }
  },
  'it is magnified by two fingers': async (page: Page) => {
    const browser = await page.context().newCDPSession(page);
    for (const pageScaleFactor of [2, 1.3, 1])
      await browser.send('Emulation.setPageScaleFactor', { pageScaleFactor });
  },
  'a finger taps, and is held while the answer grows': async (page: Page) => {
    const browser = await touchable(page);
    const touchPoints = [{ x: 150, y: 200 }];
    await browser.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints });
    await browser.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
    await browser.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints });
    await page.evaluate(() => {
      const block = document.querySelector<HTMLElement>('.test-block');
      if (block !== null) block.style.height = '1700px';
    });
    await browser.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
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
  finger: (page: Page) => swipe(page, 300),
  'momentum of a finger': (page: Page) => swipe(page, 120, true),
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
    ).open((transport) => stage.panel.line.attach(transport), {
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

  it('again when a finger, or its momentum, comes to the end, and by nothing else that a finger does', async () => {
    const box = page.locator('.scroll');
    const place = (): Promise<number> => box.evaluate(({ scrollTop }) => scrollTop);
    await swipe(page, 350);
    await page.locator('.to-end').waitFor();
    const before = await place();
    // A tap, a finger that stays, one that goes sideways, one on the input.
    const browser = await touchable(page);
    for (const [x, y, to] of [
      [150, 200, 150],
      [100, 200, 125],
      [150, 560, 150],
    ] as const) {
      const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', at?: number): Promise<unknown> =>
        browser.send('Input.dispatchTouchEvent', {
          type,
          touchPoints: at === undefined ? [] : [{ x: at, y }],
        });
      await send('touchStart', x);
      if (to !== x) await send('touchMove', to);
      await grow();
      await send('touchEnd');
      await opened.drawn();
      assert.equal(await place(), before);
    }
    assert.equal(await page.locator('.to-end').count(), 1);
    await eventually(async () => {
      await swipe(page, -250, true);
      assert.ok((await left()) < 5);
    });
    await eventually(async () => assert.equal(await page.locator('.to-end').count(), 0));
    await grow();
    await followed();
  }).timeout(30_000);

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
