import { setTimeout as delay } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { PendingWork } from '../support/pending-work.ts';
import type { Preview } from '../ui/panel-preview/preview.ts';
import { full } from '../ui/panel-preview/review-scenes.ts';
import { fill, openPanel, SESSION, watch } from './panel-drive.ts';

type Row = Readonly<Record<string, string | number>>;

/** Edits of the agent while the list is read. */
const EDITS = 50;

/** 300 pending changes in 40 files: the list is unfolded, walked through, and follows the agent. */
export async function pendingListRows(preview: Preview): Promise<Row[]> {
  let work: PendingWork | undefined;
  const { stage, opened } = await openPanel(preview, (made) => {
    fill(made, 30);
    const [request] = made.messages.get(SESSION) ?? [];
    work = new PendingWork(made.clock);
    made.reviews = work.reviews;
    made.roots = [work.folder];
    void full(work, { sessionId: SESSION, messageId: request?.id ?? '' });
  });
  const { page } = opened;
  const place = (count: number): Promise<unknown> =>
    page.waitForFunction((rows) => document.querySelectorAll('.review-row').length >= rows, count, {
      polling: 'raf',
    });
  await page.locator('.review .dock-label').waitFor();
  const unfolding = await watch(page);
  const begun = performance.now();
  await page.locator('.review .dock-label').click();
  await place(41);
  await click(page, '.review-row.is-file .review-fold');
  await place(341);
  const total = performance.now() - begun;
  const unfolded = await unfolding();

  const walking = await watch(page);
  await page.locator('.review-row').first().focus();
  for (let step = 0; step < 150; step += 1) await page.keyboard.press('ArrowDown');
  const walked = await walking();

  opened.posted.messages = 0;
  opened.posted.bytes = 0;
  const following = await watch(page);
  const name = 'src/part-00/values.ts';
  for (let edit = 0; edit < EDITS; edit += 1) {
    const document = work?.reviews.find(work.at(name))?.document;
    const lines = document?.kind === 'text' ? [...document.lines] : [];
    await work?.again(name, [...lines.slice(0, -1), `  // ${edit}`].join('\n'));
    await delay(20);
  }
  await delay(600);
  const followed = await following();
  const { messages: posts, bytes } = opened.posted;
  await opened.close();
  stage.panel.dispose();
  work?.[Symbol.dispose]();
  return [
    { what: 'unfold 300 changes in 40 files', 'total ms': Math.round(total), ...unfolded },
    { what: 'walk through 150 of them', ...walked },
    { what: `${EDITS} edits meanwhile`, ...followed, posts, kB: Math.round(bytes / 1000) },
  ];
}

/** All at once, as nobody can: what it costs at most. */
async function click(page: Page, selector: string): Promise<void> {
  await page.locator(selector).evaluateAll((buttons) => {
    for (const button of buttons) if (button instanceof HTMLElement) button.click();
  });
}
