import { say } from '../../support/model-server/turn.ts';
import { median } from '../median.ts';
import { Subject } from './subject.ts';

/** Rounds of which the median counts. */
const ROUNDS = Number(process.env['BELAY_PANEL_ROUNDS'] ?? 5);

/** Numbers by what they measure. */
export type Figures = Readonly<Record<string, number>>;

/** The start of a window, and the first messages in it, in a workspace with a conversation. */
export async function startFigures(name: 'Belay' | 'floor'): Promise<Figures> {
  await using subject = await Subject.start(name);
  subject.use(() => say(`Answer: ${'more text. '.repeat(40)}`, { deltaSize: 24, gapMs: 5 }));
  const firstEver = await subject.open();
  await ask(subject, 'the very first');
  const opened: number[] = [];
  const conversations: number[] = [];
  const activated: number[] = [];
  const memory: number[] = [];
  const first: Asked[] = [];
  const later: Asked[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    await subject.workbench.page.waitForTimeout(1500);
    await subject.restart();
    opened.push(await subject.open());
    if (name === 'Belay') conversations.push(await subject.conversationShown());
    await subject.workbench.page.waitForTimeout(2000);
    activated.push(await subject.activation());
    first.push(await ask(subject, `the first of ${round}`));
    for (let one = 0; one < 3; one += 1)
      later.push(await ask(subject, `number ${one} of ${round}`));
    memory.push(subject.memory());
  }
  return {
    'load and activate, ms': median(activated),
    'focus → input usable, first time ever, ms': firstEver,
    'focus → input usable, ms': median(opened),
    ...(name === 'Belay' && { 'focus → conversation shown, ms': median(conversations) }),
    'Enter → request, first message, ms': median(first.map(({ request }) => request)),
    'Enter → text, first message, ms': median(first.map(({ text }) => text)),
    'Enter → request, later, ms': median(later.map(({ request }) => request)),
    'Enter → text, later, ms': median(later.map(({ text }) => text)),
    'extension host, MB': median(memory),
  };
}

/** The extension host of a VS Code without either, megabytes. */
export async function memoryAlone(): Promise<number> {
  await using alone = await Subject.start('VS Code');
  await alone.workbench.page.waitForTimeout(6000);
  return alone.memory();
}

/** Milliseconds from Enter. */
interface Asked {
  readonly request: number;
  readonly text: number;
}

/** Asks, and waits for the end of the answer. */
async function ask(subject: Subject, text: string): Promise<Asked> {
  const frame = await subject.panel();
  const input = await subject.input();
  const mark = `${text}, ${Date.now()}`;
  subject.use(() =>
    say(`Reply to ${mark}. ${'More text. '.repeat(40)}`, { deltaSize: 60, gapMs: 5 }),
  );
  await input.fill(mark);
  await subject.workbench.page.waitForTimeout(500);
  const watching = frame.evaluate(async (wanted) => {
    let entered = 0;
    const options = { once: true, capture: true };
    document.addEventListener('keydown', () => (entered = Date.now()), options);
    return new Promise<{ entered: number; shown: number }>((resolve) => {
      const look = (): void => {
        const box = document.querySelector('.scroll');
        if (entered > 0 && (box?.textContent ?? '').includes(wanted))
          resolve({ entered, shown: Date.now() });
        else requestAnimationFrame(look);
      };
      look();
    });
  }, `Reply to ${mark}`);
  await input.press('Enter');
  const { entered, shown } = await watching;
  const asked = { request: subject.arrived - entered, text: shown - entered };
  await subject.workbench.page.waitForTimeout(700);
  return asked;
}
