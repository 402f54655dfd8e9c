import type { Frame } from 'playwright-core';
import { say } from '../../support/model-server/turn.ts';
import { deltas, END } from '../panel-drive.ts';
import type { Figures } from './start-rows.ts';
import { Subject } from './subject.ts';

const ANSWER = deltas().join('');
/** Characters. */
export const DELTA = 30;

/** Long answers in a window: 120,000 characters in 4,000 deltas, over 8 s, all at once, and while a person types. */
export async function answerFigures(name: 'Belay' | 'floor'): Promise<Figures> {
  await using subject = await Subject.start(name, { 'belay.permissions.mode': 'auto' });
  const { page } = subject.workbench;
  await subject.open();
  await answered(subject, 'to warm up', { deltaSize: 60 }, 'Hello.');
  await page.waitForTimeout(3000);
  const before = subject.memory();
  const paced = await answered(subject, 'over 8 s', { deltaSize: DELTA, gapMs: 2 });
  await page.waitForTimeout(2000);
  const atOnce = await answered(subject, 'at once', { deltaSize: DELTA });
  await page.waitForTimeout(2000);
  const keys = await typing(subject);
  await page.waitForTimeout(2000);
  const idle = await idling(subject, Number(process.env['BELAY_PANEL_IDLE'] ?? 60));
  const shown = await hiding(subject);
  return {
    'long answer over 8 s: lag after the last delta, ms': paced.lag,
    '…: blocking time, ms': paced.blocked,
    '…: longest task, ms': paced.longest,
    '…: frames a second': paced.fps,
    '…: posts': paced.posts,
    '…: posted, kB': paced.kilobytes,
    '…: processor time of the extension host, ms': paced.cpu,
    'all at once: total, ms': atOnce.total,
    'all at once: posts': atOnce.posts,
    'typing meanwhile, p50, ms': keys.p50,
    'typing meanwhile, p95, ms': keys.p95,
    'extension host after three long answers, MB more': shown.memory - before,
    'idle for a minute: processor time of the extension host, ms': idle,
    '100 times hidden and shown: MB of the page more, after a collection': shown.heap,
  };
}

interface Answered {
  readonly lag: number;
  readonly total: number;
  readonly blocked: number;
  readonly longest: number;
  readonly fps: number;
  readonly posts: number;
  readonly kilobytes: number;
  readonly cpu: number;
}

/** One answer, followed to its end on screen. */
export async function answered(
  subject: Subject,
  text: string,
  pace: { readonly deltaSize: number; readonly gapMs?: number },
  answer = ANSWER,
): Promise<Answered> {
  const end = answer === ANSWER ? END : answer;
  let written = 0;
  subject.use(() => say(answer, { ...pace, onWritten: () => (written = Date.now()) }));
  const frame = await subject.panel();
  const before = await frame.evaluate(mark);
  const isBelay = subject.name === 'Belay';
  await frame.evaluate(watch);
  const cpu = subject.cpu();
  const input = await subject.input();
  await input.fill(text);
  const entered = Date.now();
  await input.press('Enter');
  const shown = await frame.evaluate(untilShown, { end, before, isBelay });
  const felt = await frame.evaluate(watched);
  return {
    ...felt,
    lag: shown - written,
    total: shown - entered,
    cpu: subject.cpu() - cpu,
  };
}

/** Milliseconds from a key to the next painted frame, while an answer grows. */
export async function typing(
  subject: Subject,
): Promise<{ readonly p50: number; readonly p95: number }> {
  const frame = await subject.panel();
  await frame.evaluate(() => {
    const times: number[] = [];
    Object.assign(window, { times });
    document.addEventListener(
      'input',
      (event) =>
        requestAnimationFrame(() => {
          const { port1, port2 } = new MessageChannel();
          port1.addEventListener('message', () => times.push(performance.now() - event.timeStamp));
          port1.start();
          port2.postMessage(0);
        }),
      true,
    );
  });
  const input = await subject.input();
  subject.use(() => say(ANSWER, { deltaSize: DELTA, gapMs: 2 }));
  await input.fill('while I type');
  await input.press('Enter');
  await subject.workbench.page.waitForTimeout(800);
  await subject.workbench.page.keyboard.type(
    'a person writes on while the answer grows. '.repeat(2),
    {
      delay: 70,
    },
  );
  const times = await frame.evaluate(() =>
    (window as unknown as { times: number[] }).times.slice(1).toSorted((a, b) => a - b),
  );
  const at = (share: number): number => times[Math.floor(times.length * share)] ?? Number.NaN;
  await input.fill('');
  await subject.workbench.page.waitForTimeout(6000);
  return { p50: at(0.5), p95: at(0.95) };
}

/** Processor time of the extension host over so many seconds in which nothing happens. */
async function idling(subject: Subject, seconds: number): Promise<number> {
  const before = subject.cpu();
  await subject.workbench.page.waitForTimeout(seconds * 1000);
  return subject.cpu() - before;
}

/** Growth of the page over 100 times in which it was hidden and shown. */
async function hiding(
  subject: Subject,
): Promise<{ readonly heap: number; readonly memory: number }> {
  const memory = subject.memory();
  const { page } = subject.workbench;
  const before = await heapOf(await subject.panel());
  for (let time = 0; time < 100; time += 1) {
    await page.keyboard.press('Control+b');
    await page.waitForTimeout(60);
  }
  await page.waitForTimeout(1000);
  return { heap: (await heapOf(await subject.panel())) - before, memory };
}

/** Megabytes of the script's heap in use in the page's process, garbage not counted. */
export async function heapOf(frame: Frame): Promise<number> {
  const session = await frame
    .page()
    .context()
    .newCDPSession(frame)
    .catch(() => frame.page().context().newCDPSession(frame.page()));
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  await session.detach();
  return usedSize / 1e6;
}

// What follows runs in the page.

/** Marks Belay's last answer, and counts the pieces of text of the floor. */
const mark = (): number => {
  const answers = document.querySelectorAll('.row.answer');
  Object.assign(window, { lastAnswer: answers[answers.length - 1] });
  return document.querySelector('.scroll')?.childNodes.length ?? 0;
};

export const watch = (): void => {
  const felt = { frames: 0, blocked: 0, longest: 0, posts: 0, bytes: 0, from: performance.now() };
  const off = new AbortController();
  const observer = new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) {
      felt.blocked += duration - 50;
      felt.longest = Math.max(felt.longest, duration);
    }
  });
  observer.observe({ entryTypes: ['longtask'] });
  window.addEventListener(
    'message',
    ({ data }) => {
      felt.posts += 1;
      felt.bytes += JSON.stringify(data).length;
    },
    { signal: off.signal },
  );
  const frame = (): void => {
    felt.frames += 1;
    if (!off.signal.aborted) requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
  Object.assign(window, { felt, over: () => (off.abort(), observer.disconnect()) });
};

export const watched = () => {
  const { felt, over } = window as unknown as {
    readonly felt: Record<'frames' | 'blocked' | 'longest' | 'posts' | 'bytes' | 'from', number>;
    readonly over: () => void;
  };
  over();
  return {
    blocked: felt.blocked,
    longest: felt.longest,
    posts: felt.posts,
    kilobytes: felt.bytes / 1000,
    fps: (felt.frames / (performance.now() - felt.from)) * 1000,
  };
};

const untilShown = async ({
  end,
  before,
  isBelay,
}: {
  readonly end: string;
  readonly before: number;
  readonly isBelay: boolean;
}): Promise<number> =>
  new Promise((resolve, reject) => {
    const latest = Date.now() + 180_000;
    const { lastAnswer } = window as unknown as { readonly lastAnswer: Element | undefined };
    /** The end of Belay's new answer. */
    const answer = (): string => {
      const answers = document.querySelectorAll('.row.answer');
      const last = answers[answers.length - 1];
      return (
        (last === lastAnswer
          ? ''
          : last?.querySelector('.markdown')?.lastElementChild?.textContent) ?? ''
      );
    };
    /** What the floor has behind the question; the end may lie in two pieces. */
    const pieces = (): string =>
      [...(document.querySelector('.scroll')?.childNodes ?? [])]
        .slice(before + 1)
        .slice(-2)
        .map((node) => node.textContent)
        .join('');
    const look = (): void => {
      const text = isBelay ? answer() : pieces();
      if (text.includes(end)) resolve(Date.now());
      else if (Date.now() > latest) reject(new Error(`"${end}" was not shown: "${text}"`));
      else requestAnimationFrame(look);
    };
    look();
  });
