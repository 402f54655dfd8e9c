// Whether the conversation follows long answers to their end in a real VS Code with the packaged extension: while nothing
// else happens, while a person types, while cards are opened and while the panel is resized. Fails when one is lost.
import { setTimeout as delay } from 'node:timers/promises';
import type { Frame } from 'playwright-core';
import { makePackage } from '../rig/package.ts';
import { call, calls, say } from '../support/model-server/turn.ts';
import { BelayPage } from '../ui/belay-page.ts';
import { setPanelWidth } from '../ui/panel-width.ts';
import { ANSWER_END, mixedMarkdown } from './follow/mixed-markdown.ts';

/** 50 answers are what is promised; fewer with BELAY_FOLLOW_ANSWERS. */
const ANSWERS = Number(process.env['BELAY_FOLLOW_ANSWERS'] ?? 50);
/** The number of the first answer: a long bench can be run in parts. */
const FIRST = Number(process.env['BELAY_FOLLOW_FIRST'] ?? 0);
/** The long answer of the measurements of other products: 120,000 characters in 4,000 deltas over 8 s. */
const CHARACTERS = 120_000;
const DELTA = 30;
const GAP_MS = 2;

const WIDTHS = [300, 250, 600] as const;
const KINDS = ['nothing else', 'typing', 'cards opening', 'resizing', 'scrolled up'] as const;

type Kind = (typeof KINDS)[number];

interface Seen {
  /** How often the way to the latest message was offered. */
  readonly offered: number;
  /** Pixels between what is seen and the end. */
  readonly left: number;
  /** Pixels that a row on screen moved since the person scrolled up. */
  readonly moved: number;
}

export async function run(): Promise<readonly Readonly<Record<string, string | number>>[]> {
  await makePackage();
  await using belay = await BelayPage.start({
    settings: { 'belay.permissions.mode': 'auto', 'workbench.reduceMotion': 'off' },
  });
  await belay.workbench.setViewport(1280, 860);
  const rows: Record<string, string | number>[] = [];
  for (let index = FIRST; index < FIRST + ANSWERS; index += 1) {
    const kind = KINDS[index % KINDS.length] ?? 'nothing else';
    const width = WIDTHS[Math.floor(index / KINDS.length) % WIDTHS.length] ?? 300;
    await setPanelWidth(belay, width);
    const { took, ...seen } = await answer(belay, index, kind);
    const lost = kind === 'scrolled up' ? seen.moved > 1 : seen.offered > 0 || seen.left > 24;
    rows.push({ answer: index, kind, width, seconds: took, ...seen, lost: lost ? 'LOST' : '' });
    console.log(JSON.stringify(rows.at(-1)));
  }
  const lost = rows.filter((row) => row['lost'] !== '').length;
  if (lost > 0) process.exitCode = 1;
  return [
    ...KINDS.map((kind) => {
      const these = rows.filter((row) => row['kind'] === kind);
      return {
        while: kind,
        answers: these.length,
        lost: these.filter(({ lost: l }) => l !== '').length,
      };
    }),
    { while: 'all', answers: rows.length, lost },
  ];
}

/** One long answer in a session of its own. */
async function answer(
  belay: BelayPage,
  index: number,
  kind: Kind,
): Promise<Seen & { readonly took: number }> {
  await belay.newSession();
  belay.use((request) =>
    JSON.stringify(request.messages.at(-1)).includes('tool_result')
      ? say(mixedMarkdown(index, CHARACTERS), { deltaSize: DELTA, gapMs: GAP_MS })
      : calls(
          call('read_file', { path: 'src/pace.ts' }),
          call('search_text', { pattern: 'Naismith' }),
          call('list_files', { path: '.' }),
        ),
  );
  const started = Date.now();
  await belay.ask(`Answer number ${index}`);
  const frame = await belay.panel();
  await frame.locator('.row.answer .markdown').last().waitFor();
  await watch(frame);
  let over = false;
  const done = frame
    .waitForFunction(
      (end) => {
        const texts = document.querySelectorAll('.row.answer .markdown');
        return texts.item(texts.length - 1)?.lastElementChild?.textContent?.includes(end) === true;
      },
      ANSWER_END,
      { timeout: 60_000 },
    )
    .finally(() => {
      over = true;
    });
  await Promise.all([done, meanwhile(belay, kind, () => over)]);
  await belay.idle();
  await delay(500);
  const seen = await frame.evaluate(() => {
    const box = document.querySelector('.scroll');
    const { offered, moved } = (window as unknown as { seen: { offered: number; moved: number } })
      .seen;
    const left = box === null ? Number.NaN : box.scrollHeight - box.scrollTop - box.clientHeight;
    return { offered, left: Math.round(left), moved: Math.round(moved) };
  });
  if (kind === 'typing' || kind === 'resizing') await (await belay.input()).fill('');
  return { ...seen, took: Math.round((Date.now() - started) / 1000) };
}

/** Begins to count what must not happen. */
async function watch(frame: Frame): Promise<void> {
  await frame.evaluate(() => {
    const seen = { offered: 0, moved: 0 };
    Object.assign(window, { seen });
    const conversation = document.querySelector('.conversation');
    if (conversation === null) return;
    new MutationObserver((records) => {
      for (const node of records.flatMap((record) => [...record.addedNodes]))
        if (node instanceof HTMLElement && node.classList.contains('to-end')) seen.offered += 1;
    }).observe(conversation, { childList: true });
  });
}

/** What a person does while the answer grows. */
async function meanwhile(belay: BelayPage, kind: Kind, over: () => boolean): Promise<void> {
  const frame = await belay.panel();
  if (kind === 'typing') {
    const input = await belay.input();
    await input.focus();
    for (let key = 0; !over(); key += 1) {
      if (key % 40 === 39) await input.press('Control+a');
      else if (key % 9 === 8) await input.press('Shift+Enter');
      else await belay.page.keyboard.type('word ', { delay: 30 });
    }
  } else if (kind === 'cards opening') {
    for (let turn = 0; !over(); turn += 1) {
      await frame.evaluate((number) => {
        const cards = document.querySelectorAll<HTMLElement>('.tool button[aria-expanded]');
        cards[number % Math.max(1, cards.length)]?.click();
      }, turn);
      await delay(150);
    }
  } else if (kind === 'resizing') {
    const widths = [420, 250, 600, 300, 280, 700];
    for (let turn = 0; !over(); turn += 1) {
      await setPanelWidth(belay, widths[turn % widths.length] ?? 300);
      await belay.workbench.setViewport(1280, turn % 2 === 0 ? 700 : 860);
      await delay(100);
    }
  } else if (kind === 'scrolled up') await scrollUp(belay, frame);
}

/** Scrolls up in the middle of the answer; from then on what is seen must stay where it is. */
async function scrollUp(belay: BelayPage, frame: Frame): Promise<void> {
  await delay(2500);
  const bounds = await (await frame.frameElement()).boundingBox();
  if (bounds === null) throw new Error('The panel is not on screen.');
  await belay.page.mouse.move(bounds.x + 100, bounds.y + 200);
  for (let turn = 0; turn < 4; turn += 1) {
    await belay.page.mouse.wheel(0, -120);
    await delay(60);
  }
  await delay(700);
  await frame.evaluate(() => {
    const { seen } = window as unknown as { seen: { moved: number } };
    const at = document.elementFromPoint(60, 200);
    const top = at?.getBoundingClientRect().top ?? Number.NaN;
    const look = (): void => {
      const now =
        at?.isConnected === true ? at.getBoundingClientRect().top : Number.POSITIVE_INFINITY;
      seen.moved = Math.max(seen.moved, Math.abs(now - top));
      requestAnimationFrame(look);
    };
    look();
  });
}
