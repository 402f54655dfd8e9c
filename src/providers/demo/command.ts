import type { ToolSpec } from '../../domain/models/model.ts';
import { type Reply, say, trouble, tryTo } from './reply.ts';
import { lastOf, type Progress } from './progress.ts';

/** Lines of output that are repeated in the answer; the card has all of it. */
const MOST_LINES = 8;

/** "Run COMMAND". */
export function command(line: string, progress: Progress, tools: readonly ToolSpec[]): Reply {
  const ran = lastOf(progress, 'run_command');
  if (ran === undefined) {
    return tryTo(tools, `I run \`${line}\` in the workspace.`, {
      name: 'run_command',
      input: { command: line },
    });
  }
  const exit = /\[exit code (\d+)\]/u.exec(ran.text)?.[1];
  if (exit === undefined) {
    const problem = trouble(ran);
    if (problem !== undefined) return say(problem);
  }
  const output = ran.text
    .split('\n')
    .filter((one) => one.trim() !== '' && !one.startsWith('[exit code'))
    .slice(-MOST_LINES)
    .join('\n')
    .replaceAll('```', '´´´');
  const verdict =
    exit === undefined || exit === '0' ? 'It went well' : `It ended with exit code ${exit}`;
  const rest =
    exit === undefined || exit === '0' ? '' : '\n\nA real model would now look for the reason.';
  return say(`${verdict}. The end of its output:\n\n\`\`\`text\n${output}\n\`\`\`${rest}`);
}
