import { setTimeout as delay } from 'node:timers/promises';
import { pendingListRows } from './pending-list-rows.ts';
import { Preview } from '../ui/panel-preview/preview.ts';
import type { Page } from 'playwright-core';
import { begin, deltas, DELTAS, END, fill, openPanel, say, SESSION, watch } from './panel-drive.ts';

type Row = Readonly<Record<string, string | number>>;

/** The panel outside of VS Code, its host in this process: how it feels, and what it costs. */
export async function run(): Promise<readonly Row[]> {
  await using preview = await Preview.start();
  return [
    await paced(preview),
    await atOnce(preview),
    await typing(preview),
    ...(await long(preview, 300)),
    ...(await long(preview, 10_000)),
    ...(await pendingListRows(preview)),
  ];
}

/** The long answer over 8 s. */
async function paced(preview: Preview): Promise<Row> {
  const { stage, opened } = await openPanel(preview, (made) => fill(made, 30));
  begin(stage);
  await delay(200);
  opened.posted.messages = 0;
  opened.posted.bytes = 0;
  const felt = await watch(opened.page);
  const cpu = process.cpuUsage();
  const started = performance.now();
  const parts = deltas();
  for (const [index, text] of parts.entries()) {
    say(stage, text);
    const due = started + ((index + 1) / DELTAS) * 8000;
    if (due - performance.now() > 4) await delay(due - performance.now());
  }
  const end = performance.now();
  await shown(opened.page);
  const lag = performance.now() - end;
  const spent = process.cpuUsage(cpu);
  const row = {
    what: 'long answer over 8 s',
    'lag ms': Math.round(lag),
    ...(await felt()),
    posts: opened.posted.messages,
    kB: Math.round(opened.posted.bytes / 1000),
    'host cpu ms': Math.round((spent.user + spent.system) / 1000),
  };
  await opened.close();
  return row;
}

/** The long answer in one tick. */
async function atOnce(preview: Preview): Promise<Row> {
  const { stage, opened } = await openPanel(preview, (made) => fill(made, 30));
  begin(stage);
  await delay(200);
  opened.posted.messages = 0;
  opened.posted.bytes = 0;
  const felt = await watch(opened.page);
  const parts = deltas();
  const started = performance.now();
  for (const text of parts) say(stage, text);
  await shown(opened.page);
  const total = performance.now() - started;
  const row = {
    what: 'long answer at once',
    'total ms': Math.round(total),
    ...(await felt()),
    posts: opened.posted.messages,
    kB: Math.round(opened.posted.bytes / 1000),
  };
  await opened.close();
  return row;
}

/** Keys pressed while an answer streams: from the key to the next painted frame. */
async function typing(preview: Preview): Promise<Row> {
  const { stage, opened } = await openPanel(preview, (made) => fill(made, 30));
  begin(stage);
  const { page } = opened;
  await page.locator('.composer textarea').focus();
  await page.evaluate(() => {
    const times: number[] = [];
    Object.assign(window, { times });
    document.addEventListener(
      'input',
      (event) => {
        requestAnimationFrame(() => {
          const channel = new MessageChannel();
          channel.port1.addEventListener('message', () =>
            times.push(performance.now() - event.timeStamp),
          );
          channel.port1.start();
          channel.port2.postMessage(0);
        });
      },
      true,
    );
  });
  const parts = deltas();
  let next = 0;
  const timer = setInterval(() => {
    for (let count = 0; count < 8 && next < parts.length; count += 1, next += 1)
      say(stage, parts[next] ?? '');
  }, 16);
  await page.keyboard.type(
    'the quick brown fox jumps over the lazy dog and then some more words follow',
    { delay: 70 },
  );
  clearInterval(timer);
  const times = (
    await page.evaluate(() => (window as unknown as { times: number[] }).times)
  ).toSorted((a, b) => a - b);
  await opened.close();
  const at = (share: number): number =>
    Math.round(times[Math.floor(times.length * share)] ?? Number.NaN);
  return {
    what: 'typing while streaming',
    'p50 ms': at(0.5),
    'p95 ms': at(0.95),
    keys: times.length,
  };
}

/** Opening a long session, and scrolling through it. */
async function long(preview: Preview, messages: number): Promise<Row[]> {
  const { stage, opened } = await openPanel(preview, (made) => {
    fill(made, messages);
    made.lastSession = undefined;
  });
  const { page } = opened;
  const opens = await watch(page);
  const started = performance.now();
  void stage.panel.show(SESSION);
  await page.locator('.row').last().waitFor();
  await page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
  );
  const opening = performance.now() - started;
  await delay(500);
  const opened2 = await opens();
  const scrolls = await watch(page);
  await page.mouse.move(200, 300);
  for (let step = 0; step < 120; step += 1) {
    await page.mouse.wheel(0, -400);
    await delay(16);
  }
  const scrolled = await scrolls();
  const rows = await page.locator('.row').count();
  await opened.close();
  return [
    {
      what: `open ${messages} messages`,
      'total ms': Math.round(opening),
      ...opened2,
      kB: Math.round(opened.posted.bytes / 1000),
    },
    { what: `scroll up in ${messages}`, ...scrolled, rows },
  ];
}

/** Waits until the end of the answer is painted. */
async function shown(page: Page): Promise<void> {
  await page.waitForFunction(
    (end) => {
      const texts = document.querySelectorAll('.row.answer .markdown');
      return texts.item(texts.length - 1)?.lastElementChild?.textContent?.includes(end) === true;
    },
    END,
    { polling: 'raf' },
  );
}
