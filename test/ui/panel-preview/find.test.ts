import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { SystemClock } from '../../../src/hosts/node/clock.ts';
import { Stage } from '../../unit/panel/stage.ts';
import { eventually } from './eventually.ts';
import { begin, S, said, session } from './fixture-session.ts';
import type { Preview, PreviewPage } from './preview.ts';
import { sharedPreview } from './shared-preview.ts';

/** Messages of the long session: every tenth names the needle, as bold text. */
const MESSAGES = 1000;

function long(stage: Stage): void {
  session(stage);
  for (let index = 1; index <= MESSAGES; index += 1) {
    const word = index % 10 === 5 ? ' with a **Needle** in it' : '';
    const isPerson = index % 50 === 1;
    const text = {
      type: 'text',
      text: `Message number ${index}${word}.\n\nAnd more of it.`,
    } as const;
    stage.store(S, isPerson ? 'user' : 'assistant', [text], isPerson ? { origin: 'person' } : {});
  }
}

describe('finding in the conversation, in a browser', () => {
  let preview: Preview;
  let stage: Stage;
  let opened: PreviewPage;
  let page: Page;

  async function open(prepare: (made: Stage) => void = long): Promise<void> {
    stage = new Stage(new SystemClock(), prepare);
    opened = await preview.open((transport) => stage.panel.line.attach(transport), {
      theme: 'dark',
      width: 300,
      height: 640,
    });
    page = opened.page;
    await page.locator('.row, .empty').first().waitFor();
  }

  const field = () => page.locator('.find input');
  const count = (words: string): Promise<void> =>
    eventually(async () => assert.equal(await page.locator('.find-count').innerText(), words));
  /** Whether the hit is in sight, and its text as it is marked. */
  const marked = (name: string): Promise<{ text: string; inSight: boolean }[]> =>
    page.evaluate(
      (key) =>
        [...(CSS.highlights.get(key) ?? [])].map((range) => {
          const { top, bottom } = (range as Range).getBoundingClientRect();
          const box = document.querySelector('.scroll')?.getBoundingClientRect();
          const inSight = box !== undefined && top >= box.top && bottom <= box.bottom;
          return { text: (range as Range).toString(), inSight };
        }),
      name,
    );
  const inSight = (message: string): Promise<void> =>
    eventually(async () => {
      const [hit] = await marked('belay-find-current');
      assert.equal(hit?.inSight, true);
      const text = await page.evaluate(() => {
        const [range] = CSS.highlights.get('belay-find-current') ?? [];
        return (range as Range).startContainer.parentElement?.closest('.row')?.textContent ?? '';
      });
      assert.ok(text.includes(message), `${text} is ${message}`);
    });

  before(async () => {
    preview = await sharedPreview();
  });
  afterEach(async () => {
    assert.deepEqual(opened.console, [], 'nothing is reported by the browser');
    await opened.close();
    stage.panel.dispose();
  });

  it('finds over the whole session, also where it is not loaded, and gives the focus back', async () => {
    await open();
    await page.locator('.composer textarea').focus();
    await page.keyboard.press('Control+f');
    await field().fill('needle');
    await count('100 of 100');
    await inSight('number 995');
    await field().press('Shift+Enter');
    await count('99 of 100');
    await inSight('number 985');
    for (let step = 0; step < 2; step += 1) await field().press('Enter');
    await count('1 of 100');
    await inSight('Message number 5 ');
    const all = await marked('belay-find');
    assert.ok(all.length > 1 && all.every(({ text }) => text === 'Needle'));
    await field().press('Shift+Enter');
    await count('100 of 100');
    await inSight('number 995');
    await page.getByRole('button', { name: 'Match case' }).click();
    await count('None');
    await field().press('Escape');
    await page.locator('.find').waitFor({ state: 'detached' });
    await eventually(async () => assert.equal((await marked('belay-find')).length, 0));
    assert.equal(
      await page.evaluate(() => document.activeElement?.tagName.toLowerCase()),
      'textarea',
    );
    await page.locator('.to-end').click();
    await page.getByText(`Message number ${MESSAGES}.`).waitFor();
  });

  it('counts and marks what an answer says while it is being written, and stays where it is', async () => {
    await open((made) => {
      session(made);
      made.store(S, 'user', [{ type: 'text', text: 'An apple?' }], { origin: 'person' });
    });
    begin(stage);
    await page.keyboard.press('Control+f');
    await field().fill('apple');
    await count('1 of 1');
    stage.publish(S, said('One *apple* and another ap'));
    await count('1 of 2');
    stage.publish(S, said('ple.'));
    await count('1 of 3');
    assert.equal((await marked('belay-find')).length, 3);
    assert.equal(await page.evaluate(() => document.activeElement?.tagName), 'INPUT');
  });

  it('goes from a hit of the search in all sessions to its message, and marks it', async () => {
    await open((made) => {
      long(made);
      made.addSession({ id: 'other', title: 'Other' });
      made.lastSession = 'other';
    });
    await page.locator('.title-button').click();
    await page.locator('.search input').fill('number 125 with');
    const hit = page.locator('.session-hit').first();
    await hit.waitFor();
    assert.equal(await hit.locator('mark').innerText(), 'number 125 with');
    await page.locator('.search input').press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await count('1 of 1');
    await inSight('number 125 with');
  });

  it('marks each message of the person beside the scroll bar, says it, and goes there by click and key', async () => {
    await open();
    const strip = page.getByRole('slider', { name: 'Your messages' });
    await eventually(async () => assert.equal(await strip.locator('.tick').count(), 20));
    const box = await strip.boundingBox();
    assert.ok(box !== null);
    await page.mouse.move(box.x + 4, box.y + 2);
    const line = page.locator('.tick-line');
    await eventually(async () => assert.equal(await line.innerText(), 'Message number 1.'));
    await page.mouse.click(box.x + 4, box.y + 2);
    await page.getByText('Message number 1.', { exact: true }).waitFor();
    await eventually(async () =>
      assert.equal(await strip.getAttribute('aria-valuetext'), '1 of 20: Message number 1.'),
    );
    await strip.focus();
    await strip.press('End');
    await strip.press('ArrowUp');
    assert.equal(await line.innerText(), 'Message number 901.');
    await strip.press('Enter');
    await page.locator('.request', { hasText: 'Message number 901.' }).waitFor();
    await eventually(async () =>
      assert.ok(
        await page.locator('.request', { hasText: 'number 901.' }).evaluate((row) => {
          const { top, bottom } = row.getBoundingClientRect();
          return top >= 0 && bottom <= window.innerHeight;
        }),
      ),
    );
    assert.equal(await page.evaluate(() => document.activeElement?.className), 'timeline');
  });

  it('draws messages that lie at the same place as one mark, and draws none anew while an answer grows', async () => {
    await open((made) => {
      session(made);
      for (let index = 1; index <= 2000; index += 1)
        made.store(S, 'user', [{ type: 'text', text: `Request ${index}` }], { origin: 'person' });
    });
    const strip = page.getByRole('slider', { name: 'Your messages' });
    await eventually(async () =>
      assert.match((await strip.getAttribute('aria-valuetext')) ?? '', /^199\d of 2000: /u),
    );
    const marks = await strip.locator('.tick').count();
    assert.ok(marks > 100 && marks < 260, `${marks} marks`);
    await strip.evaluate((element) => {
      const changed = new MutationObserver((list) =>
        Object.assign(window, { redrawn: list.length }),
      );
      changed.observe(element, { subtree: true, childList: true, attributeFilter: ['style'] });
    });
    begin(stage);
    stage.publish(S, said('An answer that is less than a step high.'));
    await page.getByText('less than a step').waitFor();
    await page.evaluate(
      () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
    );
    const redrawn = await page.evaluate(() => (window as { redrawn?: number }).redrawn ?? 0);
    assert.ok(redrawn < 10, `${redrawn} changes`);
    const box = await strip.boundingBox();
    assert.ok(box !== null);
    await page.mouse.move(box.x + 4, box.y + 1);
    await eventually(async () =>
      assert.match(await page.locator('.tick-line').innerText(), /^Request [1-9]$/u),
    );
  });

  it('has no marks where there are few messages of the person', async () => {
    await open((made) => {
      session(made);
      for (const text of ['One', 'Two'])
        made.store(S, 'user', [{ type: 'text', text }], { origin: 'person' });
    });
    await page.getByText('Two').waitFor();
    assert.equal(await page.locator('.timeline').count(), 0);
  });

  it('brings earlier messages back with the arrow keys, of this session first', async () => {
    await open((made) => {
      session(made);
      for (const text of ['First', 'Two\nlines'])
        made.store(S, 'user', [{ type: 'text', text }], { origin: 'person' });
      made.store('other', 'user', [{ type: 'text', text: 'Elsewhere' }], { origin: 'person' });
    });
    const input = page.locator('.composer textarea');
    const has = (text: string): Promise<void> =>
      eventually(async () => assert.equal(await input.inputValue(), text));
    await input.press('ArrowUp');
    await has('Two\nlines');
    await page.waitForFunction(() => document.querySelector('textarea')?.selectionStart === 9);
    await input.press('ArrowUp');
    await has('Two\nlines');
    await input.press('ArrowUp');
    await has('First');
    await input.press('ArrowUp');
    await has('Elsewhere');
    await input.press('ArrowUp');
    await has('Elsewhere');
    await input.press('ArrowDown');
    await has('First');
    await input.press('End');
    await input.pressSequentially('!');
    await input.press('ArrowUp');
    await has('First!');
    await input.fill('');
    await input.pressSequentially('typed');
    await input.press('ArrowUp');
    await has('typed');
  });
});
