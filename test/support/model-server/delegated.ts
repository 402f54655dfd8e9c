import type { WireRequest } from './turn.ts';

/** The word behind "TASK" of the task that a sub-agent's request is about; empty: the person's session asks. */
export const taskOf = ({ messages }: WireRequest): string =>
  /TASK (?<word>\w+)/u.exec(
    JSON.stringify(messages.filter(({ role }) => role === 'user').map(({ content }) => content)),
  )?.groups?.['word'] ?? '';

/** Tells whether a request brings results of tools. */
export const hasResults = ({ messages }: WireRequest): boolean =>
  JSON.stringify(messages.at(-1)).includes('tool_result');
