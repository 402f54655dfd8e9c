import { call, calls, say, type Script } from '../../support/model-server/turn.ts';
import { median } from '../median.ts';
import { answered, DELTA, heapOf, typing, watch, watched } from './answer-rows.ts';
import { LONG, putSessions, RARE, SHORT } from './long-sessions.ts';
import type { Figures } from './start-rows.ts';
import { Subject } from './subject.ts';

const ROUNDS = 5;

/** A window with a session of 10,000 messages and 20 others; of the floor: typing and scrolling in its plain text. */
export async function longFigures(name: 'Belay' | 'floor'): Promise<Figures> {
  await using subject = await Subject.start(name, {
    'belay.permissions.mode': 'auto',
  });
  await subject.open();
  await answered(subject, 'to warm up', { deltaSize: 60 }, 'Hello.');
  const found = name === 'Belay' ? await opening(subject) : {};
  const paced = await answered(subject, 'over 8 s', { deltaSize: DELTA, gapMs: 2 });
  await subject.workbench.page.waitForTimeout(2000);
  const scrolled = await scrolling(subject);
  await (await subject.input()).focus();
  const keys = await typing(subject);
  const rest = name === 'Belay' ? { ...(await switching(subject)), ...(await huge(subject)) } : {};
  return {
    ...found,
    'in it: lag after the last delta, ms': paced.lag,
    'in it: blocking time, ms': paced.blocked,
    'in it: scrolling, frames a second': scrolled.fps,
    'in it: scrolling, longest gap, ms': scrolled.gap,
    'in it: typing meanwhile, p95, ms': keys.p95,
    ...rest,
  };
}

/** Opening the long session, and finding in it. */
async function opening(subject: Subject): Promise<Figures> {
  const { page } = subject.workbench;
  await putSessions(subject.workbench.server.data);
  await subject.restart();
  await subject.open();
  await page.waitForTimeout(3000);
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    await choose(subject, `short-${round}`);
    await page.waitForTimeout(500);
    times.push(await choose(subject, 'long'));
    await page.waitForTimeout(500);
  }
  return {
    [`open ${LONG} messages: end painted, ms`]: median(times),
    'find in them a word that one has, ms': await finding(subject, RARE),
    'find in them a word that thousands have, ms': await finding(subject, 'position'),
  };
}

/** Opens a session from the list; milliseconds from the click until its end is painted. */
async function choose(subject: Subject, id: string): Promise<number> {
  const frame = await subject.panel();
  await frame.locator('.title-button').click();
  const row = frame.locator(`.session-open[data-session="${id}"]`);
  await row.waitFor();
  const painted = frame.evaluate(untilPainted, `The end of ${id}.`);
  await row.click();
  return painted;
}

/** Milliseconds from the last change of the word until the hits are counted; the median. */
async function finding(subject: Subject, word: string): Promise<number> {
  const frame = await subject.panel();
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    await (await subject.input()).focus();
    await subject.workbench.page.keyboard.press('Control+f');
    const field = frame.locator('.find input');
    await field.fill(`${word}zzz`);
    await frame.locator('.find-count.is-none').waitFor();
    const counted = frame.evaluate(untilCounted);
    await field.fill(word);
    times.push(await counted);
    await field.press('Escape');
  }
  return median(times);
}

/** A fast wheel through what is there. */
async function scrolling(subject: Subject): Promise<{ fps: number; gap: number }> {
  const { page } = subject.workbench;
  const frame = await subject.panel();
  const box = await frame.locator('.scroll').first().boundingBox();
  if (box === null) throw new Error('There is nothing to scroll.');
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await frame.evaluate(watch);
  const gap = frame.evaluate(longestGap, 4000);
  const until = Date.now() + 4000;
  while (Date.now() < until) {
    await page.mouse.wheel(0, -400);
    await page.waitForTimeout(16);
  }
  const found = { gap: await gap, fps: (await frame.evaluate(watched)).fps };
  for (let turn = 0; turn < 40; turn += 1) await page.mouse.wheel(0, 100_000);
  return found;
}

/** Growth of the page while all short sessions are shown once more. */
async function switching(subject: Subject): Promise<Figures> {
  const round = async (): Promise<void> => {
    for (let nth = 0; nth < SHORT; nth += 1) await choose(subject, `short-${nth}`);
  };
  await round();
  const before = await heapOf(await subject.panel());
  const memory = subject.memory();
  await round();
  await round();
  return {
    '20 sessions shown twice more: MB of the page more':
      (await heapOf(await subject.panel())) - before,
    '20 sessions shown twice more: MB of the extension host more': subject.memory() - memory,
  };
}

/** A command that prints 50 MB. */
async function huge(subject: Subject): Promise<Figures> {
  const command = 'seq 1 6500000';
  const script: Script = (request) =>
    JSON.stringify(request.messages.at(-1)).includes('tool_result')
      ? say('It printed much.', { deltaSize: DELTA })
      : calls(call('run_command', { command }));
  const frame = await subject.panel();
  subject.use(script);
  const cpu = subject.cpu();
  await frame.evaluate(watch);
  const input = await subject.input();
  await input.fill('Print 50 MB');
  await input.press('Enter');
  await frame.getByText('It printed much.').first().waitFor({ timeout: 120_000 });
  const felt = await frame.evaluate(watched);
  const memory = subject.memory();
  return {
    'a result of 50 MB: longest task, ms': felt.longest,
    'a result of 50 MB: posted, kB': felt.kilobytes,
    'a result of 50 MB: processor time of the extension host, ms': subject.cpu() - cpu,
    'a result of 50 MB: extension host after it, MB': memory,
  };
}

// What follows runs in the page.

const untilPainted = async (text: string): Promise<number> =>
  new Promise((resolve) => {
    let clicked = 0;
    const options = { once: true, capture: true };
    document.addEventListener('click', () => (clicked = performance.now()), options);
    const look = (): void => {
      const rows = document.querySelectorAll('.row.answer');
      if (clicked > 0 && rows[rows.length - 1]?.textContent?.includes(text) === true)
        requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - clicked)));
      else requestAnimationFrame(look);
    };
    look();
  });

const untilCounted = async (): Promise<number> =>
  new Promise((resolve) => {
    let entered = 0;
    const options = { once: true, capture: true };
    document.addEventListener('input', () => (entered = performance.now()), options);
    const look = (): void => {
      const count = document.querySelector('.find-count')?.textContent ?? '';
      if (entered > 0 && /\d/u.test(count))
        requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - entered)));
      else requestAnimationFrame(look);
    };
    look();
  });

const longestGap = async (ms: number): Promise<number> =>
  new Promise((resolve) => {
    const begun = performance.now();
    let last = begun;
    let gap = 0;
    const frame = (): void => {
      const now = performance.now();
      gap = Math.max(gap, now - last);
      last = now;
      if (now - begun < ms) requestAnimationFrame(frame);
      else resolve(gap);
    };
    requestAnimationFrame(frame);
  });
