// What a person waits for in a real VS Code with the packaged extension: the start, and from Enter to
// the first text on screen. The baseline is the request's way: what remains is Belay's own.
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { makePackage } from '../rig/package.ts';
import { say } from '../support/model-server/turn.ts';
import { lightStart } from './light-start.ts';
import { BelayPage } from '../ui/belay-page.ts';
import { median } from './median.ts';

/** Rounds of which the median counts. */
const ROUNDS = 7;

export async function run(): Promise<readonly Readonly<Record<string, string | number>>[]> {
  await makePackage();
  let arrived = 0;
  await using belay = await BelayPage.start({
    script: (request) => {
      arrived = Date.now();
      const asked = /question \d+/u.exec(JSON.stringify(request.messages.at(-1)))?.[0] ?? '';
      return say(`Reply to ${asked}: ${'more text. '.repeat(40)}`, { deltaSize: 24, gapMs: 5 });
    },
  });
  await belay.ask('first, to warm up');
  await belay.idle();
  const toRequest: number[] = [];
  const toText: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const { entered, shown } = await enterToText(belay, `question ${round}`);
    toRequest.push(arrived - entered);
    toText.push(shown - entered);
    await belay.idle();
  }
  const light = Array.from({ length: ROUNDS }, () => lightStart());
  return [
    {
      what: 'light step at the start of VS Code, nothing waiting (limit 20), ms',
      value: Math.round(median(light.map(({ milliseconds }) => milliseconds)) * 10) / 10,
    },
    {
      what: 'light step, bytes of the heap (limit 2,097,152)',
      value: median(light.map(({ bytes }) => bytes)),
    },
    {
      what: 'activation until the panel can be shown, ms',
      value: await readyAfter(belay, 'The panel'),
    },
    { what: 'activation until all is ready, ms', value: await readyAfter(belay, 'Belay') },
    { what: 'Enter → request at the server, ms', value: median(toRequest) },
    { what: 'Enter → first text on screen, ms', value: median(toText) },
  ];
}

/** Presses Enter and waits for the text of the answer with this number; times of the page's clock. */
async function enterToText(
  belay: BelayPage,
  text: string,
): Promise<{ readonly entered: number; readonly shown: number }> {
  const frame = await belay.panel();
  const input = await belay.input();
  await input.fill(text);
  const watching = frame.evaluate(async (wanted) => {
    const seen = (): boolean => (document.body.textContent ?? '').includes(wanted);
    let entered = 0;
    document.addEventListener('keydown', () => (entered = Date.now()), {
      once: true,
      capture: true,
    });
    return new Promise<{ entered: number; shown: number }>((resolve) => {
      const look = (): void => {
        if (entered > 0 && seen()) resolve({ entered, shown: Date.now() });
        else requestAnimationFrame(look);
      };
      look();
    });
  }, `Reply to ${text}`);
  await input.press('Enter');
  return watching;
}

/** What the log says about the start: from the first line of Belay's code until this is ready. */
export async function readyAfter(belay: BelayPage, what: string): Promise<number> {
  const { data } = belay.workbench.server;
  const files = (await readdir(data, { recursive: true })).filter((file) =>
    file.endsWith('belay.log'),
  );
  for (const file of files) {
    const text = await readFile(path.join(data, file), 'utf8');
    const found = new RegExp(`${what} is ready\\.[^\\n]*"milliseconds":(\\d+)`, 'u').exec(
      text,
    )?.[1];
    if (found !== undefined) return Number(found);
  }
  return Number.NaN;
}
