import type { JsonObject } from '../../domain/data/json.ts';
import type { ToolSpec } from '../../domain/models/model.ts';
import type { Done } from './progress.ts';

export interface DemoCall {
  readonly name: string;
  readonly input: JsonObject;
}

/** One answer of the demo model: text, and perhaps calls that are made together. */
export interface Reply {
  readonly text: string;
  readonly calls: readonly DemoCall[];
}

/** The first words of an answer: nobody may take the demo for a real model. */
export const LABEL = 'Demo model: ';

/** One message of an answer. Without calls it is the last one of the turn. */
export function say(text: string, ...calls: readonly DemoCall[]): Reply {
  return { text, calls };
}

/** The same as `say`, where every tool is on offer; otherwise a sentence that names the missing one. */
export function tryTo(
  tools: readonly ToolSpec[],
  text: string,
  ...calls: readonly DemoCall[]
): Reply {
  const missing = calls.find((call) => !tools.some((tool) => tool.name === call.name));
  if (missing === undefined) return say(text, ...calls);
  return say(
    `I would use \`${missing.name}\` for that, but it is not available here. Your permission level, the workspace’s trust or the setting \`belay.tools.disabled\` leaves it out.`,
  );
}

/** Words on a call that did not do its work; `undefined` when it did. */
export function trouble(done: Done): string | undefined {
  switch (done.state) {
    case 'done':
      return undefined;
    case 'denied':
      return 'You said no, so nothing was done.';
    case 'canceled':
      return 'That was stopped before it was done.';
    case 'unknown':
      return 'That was interrupted, and I cannot tell whether it happened. Please check before you ask for it again.';
    case 'failed':
      return `That did not work. \`${done.name}\` says: ${firstLine(done.text)}`;
    default:
      return done.state satisfies never;
  }
}

/** The first line of a text, cut to a sentence's length. */
function firstLine(text: string): string {
  const line = text.split('\n').find((one) => one.trim() !== '') ?? 'nothing';
  return line.length > 300 ? `${line.slice(0, 299).toWellFormed()}…` : line;
}
