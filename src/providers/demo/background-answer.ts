import type { ModelCallContext, ModelRequest } from '../../core/model-call/model-call.ts';
import { textOf } from '../../domain/message.ts';

/** Words of a title. */
const TITLE_WORDS = 7;

/** The text between two tags of a prompt. */
function between(text: string, tag: string): string {
  return new RegExp(`<${tag}>\\n([\\s\\S]*?)\\n</${tag}>`, 'u').exec(text)?.[1]?.trim() ?? '';
}

/** A summary by rule: the goal, the last words, the files that calls named. */
function summary(prompt: string): string {
  const record = between(prompt, 'record');
  const last = record.split('\n\n').findLast((block) => block.startsWith('ASSISTANT:')) ?? '';
  const files = new Set([...record.matchAll(/"path":"([^"]+)"/gu)].map((match) => match[1] ?? ''));
  const sections = [
    `## Goal\n${between(prompt, 'goal')}`,
    last === '' ? '' : `## State\n${last.replace('ASSISTANT:\n', '')}`,
    files.size === 0 ? '' : `## Files\n${[...files].map((file) => `- ${file}`).join('\n')}`,
  ];
  return sections.filter((section) => section !== '').join('\n\n');
}

/** Writes titles and summaries; `undefined`: an ordinary turn. */
export function backgroundAnswer(
  request: ModelRequest,
  context: ModelCallContext,
): string | undefined {
  const prompt = request.messages.map(textOf).join('\n');
  switch (context.purpose) {
    case 'title':
      return prompt.split(/\s+/u).slice(0, TITLE_WORDS).join(' ');
    case 'summary':
      return summary(prompt);
    case 'turn':
    case 'task':
      return undefined;
    default:
      return context.purpose satisfies never;
  }
}
