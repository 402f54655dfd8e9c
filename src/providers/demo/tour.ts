import { isRequest } from '../../core/context/window.ts';
import type { ModelRequest } from '../../core/model-call/model-call.ts';
import type { JsonObject } from '../../domain/data/json.ts';
import { type Message, toolCallsOf, toolResultsOf } from '../../domain/message.ts';

/** One answer of the demo model: text, and a call where a step follows. */
export interface Reply {
  readonly text: string;
  readonly call?: { readonly name: string; readonly input: JsonObject };
}

const FILE = 'belay-tour.md';

/** The steps in order; each is one call of a real tool. */
const STEPS = [
  {
    name: 'list_files',
    input: { depth: 2 },
    text: '**1. Read.** Reading the workspace needs no approval. Open the card to see the result.',
  },
  {
    name: 'write_file',
    input: { path: FILE, content: '# Belay was here\n\nThis file was written by the tour.\n' },
    text: `**2. Edit.** In mode Edit the file \`${FILE}\` is written, and you keep or undo the change. In mode Ask the card waits for you.`,
  },
  {
    name: 'run_command',
    input: { command: 'echo Belay says hello' },
    text: '**3. Run.** This command only prints a line, so it runs without asking. Other commands show their whole line first.',
  },
] as const;

const INTRODUCTION =
  'I am the demo model. I am scripted and work offline; the tools are real. Whatever you write, I show three steps.\n\n';
const END =
  'That was the tour. Reload the window: this session is still here. To work with a real model, choose **Belay: Set API Key** from the command palette.';

/** Answers by the messages alone, so that a resumed run goes on where it was. */
export function answerTo({ messages, toolChoice, tools }: ModelRequest): Reply {
  const sinceRequest = messages.slice(messages.findLastIndex(isRequest) + 1);
  const called = sinceRequest.flatMap(toolCallsOf).map(({ name }) => name);
  const step = STEPS.find(
    ({ name }) => !called.includes(name) && tools.some((tool) => tool.name === name),
  );
  const introduction = called.length === 0 ? INTRODUCTION : '';
  if (step === undefined || toolChoice.type === 'none')
    return { text: `${introduction}${describeResults(sinceRequest)}${END}` };
  const { name, input, text } = step;
  return { text: `${introduction}${text}`, call: { name, input } };
}

/** Lists the steps that did not do their work. */
function describeResults(messages: readonly Message[]): string {
  const results = messages.flatMap(toolResultsOf).filter(({ state }) => state !== 'done');
  const lines = results.map(({ name, state }) => `- \`${name}\`: ${state}`);
  return lines.length === 0
    ? ''
    : `These steps did not run to their end:\n\n${lines.join('\n')}\n\n`;
}
