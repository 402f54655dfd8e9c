import { setTimeout as delay } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { SystemClock } from '../../src/hosts/node/clock.ts';
import type { Preview, PreviewPage } from '../ui/panel-preview/preview.ts';
import { Stage } from '../unit/panel/stage.ts';

export const SESSION = 'bench';
/** The long answer of the measurements of other products: 120,000 characters in 4,000 deltas. */
export const DELTAS = 4000;
const DELTA = 30;
/** The last words of the long answer. */
export const END = 'THE END';

const PARAGRAPH =
  'The parser reads `src/parse.ts` token by token and keeps **every** position, so that [a message](https://example.com/a) can name the place. ';
const CODE =
  '\n\n```ts\nexport function read(source: string): readonly Token[] {\n  const tokens: Token[] = [];\n  for (const part of source.split(/\\s+/u)) tokens.push({ kind: "word", text: part });\n  return tokens;\n}\n```\n\n';
const LIST =
  '\n\n1. First the *text* is split.\n2. Then each `part` becomes a token.\n3. Then they are joined.\n\n';

/** Markdown of this many characters. */
export function markdown(characters: number): string {
  let text = '';
  for (let part = 0; text.length < characters; part += 1) {
    text += `## Part ${part}\n\n${PARAGRAPH.repeat(3)}${part % 3 === 0 ? CODE : LIST}`;
  }
  return text.slice(0, characters);
}

export function deltas(): string[] {
  const text = `${markdown(DELTAS * DELTA - END.length - 2)}\n\n${END}`;
  return Array.from({ length: DELTAS }, (_, index) =>
    text.slice(index * DELTA, (index + 1) * DELTA),
  );
}

/** A session with this many messages of a plausible mix. */
export function fill(stage: Stage, messages: number): void {
  for (
    let index = 0;
    stage.messages.get(SESSION) === undefined ||
    (stage.messages.get(SESSION)?.length ?? 0) < messages;
    index += 1
  ) {
    stage.store(SESSION, 'user', [{ type: 'text', text: `Request ${index}: ${PARAGRAPH}` }], {
      origin: 'person',
    });
    const id = `call-${index}`;
    stage.store(SESSION, 'assistant', [
      { type: 'text', text: markdown(300 + (index % 7) * 300) },
      { type: 'tool_call', id, name: 'read_file', input: { path: `src/file-${index}.ts` } },
      { type: 'finish', reason: 'tool_use' },
    ]);
    stage.store(SESSION, 'tool', [
      {
        type: 'tool_result',
        callId: id,
        name: 'read_file',
        state: 'done',
        content: [{ type: 'text', text: PARAGRAPH.repeat(60) }],
        elapsedMs: 12,
      },
    ]);
  }
  stage.addSession({ id: SESSION, title: 'Bench' });
  stage.lastSession = SESSION;
}

/** Begins an answer that grows. */
export function begin(stage: Stage): void {
  stage.busy.add(SESSION);
  const seq = (stage.messages.get(SESSION)?.length ?? 0) + 1;
  stage.publish(
    SESSION,
    { type: 'agent_run.started', model: 'bench', resumed: false },
    { type: 'message.started', messageId: 'live', messageSeq: seq, model: 'bench' },
  );
}

export function say(stage: Stage, text: string): void {
  stage.publish(SESSION, {
    type: 'message.delta',
    messageId: 'live',
    index: 0,
    kind: 'text',
    text,
  });
}

/** A panel in a browser with a stage behind it. */
export async function openPanel(
  preview: Preview,
  prepare: (stage: Stage) => void,
): Promise<{ readonly stage: Stage; readonly opened: PreviewPage }> {
  const stage = new Stage(new SystemClock(), prepare);
  const opened = await preview.open((transport) => stage.panel.line.attach(transport), {
    theme: 'dark',
    width: 420,
    height: 760,
  });
  await opened.page.locator('.composer textarea').waitFor();
  await delay(500);
  return { stage, opened };
}

/** What the page felt while something happened. */
export interface Felt {
  readonly fps: number;
  readonly 'longest gap ms': number;
  /** Processor time of the panel's main thread: other work of the machine does not count. */
  readonly 'panel cpu ms': number;
  readonly 'longest task cpu ms': number;
}

interface TraceEvent {
  readonly name: string;
  readonly ph: string;
  readonly pid: number;
  readonly tid: number;
  /** Microseconds of processor time. */
  readonly tdur?: number;
  readonly args?: { readonly name?: string };
}

/** Begins to watch the frames and tasks of a page; what it gives ends it. */
export async function watch(page: Page): Promise<() => Promise<Felt>> {
  const session = await page.context().newCDPSession(page);
  const events: TraceEvent[] = [];
  session.on('Tracing.dataCollected', ({ value }) => {
    events.push(...(value as unknown as TraceEvent[]));
  });
  await session.send('Tracing.start', {
    transferMode: 'ReportEvents',
    traceConfig: {
      includedCategories: ['devtools.timeline', 'disabled-by-default-devtools.timeline'],
    },
  });
  await page.evaluate(() => {
    const seen = { frames: 0, last: performance.now(), gap: 0, begun: performance.now(), on: true };
    Object.assign(window, { seen });
    const frame = (): void => {
      const now = performance.now();
      seen.frames += 1;
      seen.gap = Math.max(seen.gap, now - seen.last);
      seen.last = now;
      if (seen.on) requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  });
  return async () => {
    const frames = await page.evaluate(() => {
      const { seen } = window as unknown as {
        seen: { frames: number; gap: number; begun: number; on: boolean };
      };
      seen.on = false;
      return { fps: (seen.frames / (performance.now() - seen.begun)) * 1000, gap: seen.gap };
    });
    const complete = new Promise((resolve) => {
      session.once('Tracing.tracingComplete', resolve);
    });
    await session.send('Tracing.end');
    await complete;
    await session.detach();
    return {
      fps: Math.round(frames.fps),
      'longest gap ms': Math.round(frames.gap),
      ...processorTime(events),
    };
  };
}

/** Tasks of the thread that ran the panel's script. */
function processorTime(
  events: readonly TraceEvent[],
): Pick<Felt, 'panel cpu ms' | 'longest task cpu ms'> {
  const script = events.find((event) => event.name === 'FunctionCall');
  const tasks = events
    .filter(
      ({ name, ph, pid, tid }) =>
        name === 'RunTask' && ph === 'X' && pid === script?.pid && tid === script.tid,
    )
    .map(({ tdur = 0 }) => tdur / 1000);
  return {
    'panel cpu ms': Math.round(tasks.reduce((sum, ms) => sum + ms, 0)),
    'longest task cpu ms': Math.round(Math.max(0, ...tasks)),
  };
}
