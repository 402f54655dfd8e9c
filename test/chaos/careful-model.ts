import { call, calls, say } from '../support/model-server/turn.ts';
import type { Turn, WireRequest } from '../support/model-server/turn.ts';

/** What the scripted model does about a call whose outcome is unknown. */
export type Manner =
  /** Looks whether it happened, and repeats only what did not; looks at everything when its record was damaged. */
  | 'checks'
  /** Goes on as if it had happened: nothing may be repeated then, and only doubtful things may be missing. */
  | 'trusts';

export interface Story {
  readonly steps: number;
  readonly manner: Manner;
  /** Milliseconds that each command takes before and after its effect. */
  readonly pace: number;
  /** Milliseconds before each answer, and between the pieces of it. */
  readonly answer: { readonly delayMs: number; readonly gapMs: number };
  /** Each step also lists files, and its last command prints more than fits into one result. */
  readonly loud?: boolean;
}

const HALVES = ['a', 'b'] as const;

/** All lines that the story wants in the file, in any order. */
export function linesOf({ steps }: Story): string[] {
  return Array.from({ length: steps }, (_, step) =>
    HALVES.map((half) => `step-${step}-${half}`),
  ).flat();
}

/** The line that a command of the story appends. */
export function lineIn(input: unknown): string {
  return /'(step-[^']+)'/u.exec((input as { command?: string }).command ?? '')?.[1] ?? '';
}

/** Two commands a step; each appends its own line. What comes next follows from the history alone. */
export function nextTurn(request: WireRequest, story: Story): Turn {
  const { delayMs, gapMs } = story.answer;
  const timing = { delayMs, gapMs, deltaSize: 20 };
  const blocks = request.messages.flatMap((message) =>
    typeof message.content === 'string' ? [] : message.content,
  );
  const asked = blocks.flatMap((block) => (block.type === 'tool_use' ? [block] : []));
  const doubtful = doubtfulCalls(request);
  const last = asked.slice(-HALVES.length).filter((block) => doubtful.has(block.id));
  if (last.length > 0 && story.manner === 'checks') {
    const checks = last.map((block, index) => {
      const line = lineIn(block.input);
      const command = `grep -qx '${line}' out.txt 2>/dev/null || echo '${line}' >> out.txt`;
      return call('run_command', { command }, `check-${asked.length}-${index}`);
    });
    return { ...calls(...checks), ...timing };
  }
  const steps = asked.filter((block) => block.id.startsWith('call-')).length / HALVES.length;
  if (steps >= story.steps) return say('All steps are done.', timing);
  const wasDamaged = JSON.stringify(request.messages).includes('conversation was damaged');
  const wait = `sleep ${story.pace / 1000}`;
  const commands = HALVES.map((half) => {
    const after = story.loud === true && half === 'b' ? 'seq 1 40000' : wait;
    const line = `step-${steps}-${half}`;
    const look = story.manner === 'checks' && wasDamaged ? `grep -qx '${line}' out.txt || ` : '';
    const command = `${wait}; ${look}echo '${line}' >> out.txt; ${after}`;
    return call('run_command', { command }, `call-${steps}-${half}`);
  });
  const reading = story.loud === true ? [call('list_files', {}, `list-${steps}`)] : [];
  return { ...calls(...reading, ...commands), ...timing };
}

/** Ids of the calls whose outcome the model was told to be unknown. */
export function doubtfulCalls(request: WireRequest): ReadonlySet<string> {
  const ids = new Set<string>();
  for (const { content } of request.messages) {
    if (typeof content === 'string') continue;
    for (const block of content) {
      if (block.type !== 'tool_result') continue;
      if (JSON.stringify(block.content).includes('outcome is unknown')) ids.add(block.tool_use_id);
    }
  }
  return ids;
}
