import type { ModelRequest } from '../../core/model-call/model-call.ts';
import { create, replace } from './change.ts';
import { command } from './command.ts';
import { explain } from './explain.ts';
import { find } from './find.ts';
import { help, notUnderstood } from './help.ts';
import { isRequest } from '../../core/context/window.ts';
import { LABEL, type Reply, say } from './reply.ts';
import { progressOf, type Progress } from './progress.ts';
import { tour } from './tour.ts';
import { understand } from './understand.ts';

/** The demo's answer, by the messages alone, so that a resumed run goes on where it was. Its first message is labelled. */
export function answerTo(request: ModelRequest): Reply {
  const reply = createReply(request);
  const start = request.messages.findLastIndex(isRequest);
  const isFirst = request.messages.slice(start + 1).every(({ role }) => role !== 'assistant');
  return isFirst ? { ...reply, text: `${LABEL}${reply.text}` } : reply;
}

function createReply(request: ModelRequest): Reply {
  const progress = progressOf(request.messages);
  const { toolChoice, tools } = request;
  if (toolChoice.type === 'none') return summary(progress);
  if (toolChoice.type === 'tool' && toolChoice.name === 'ask_human' && !answered(progress)) {
    return say('I need your word before I go on.', {
      name: 'ask_human',
      input: {
        question: `I am asked to check with you: “${progress.request.slice(0, 200).toWellFormed()}”. How shall I go on?`,
        choices: ['Go on', 'Stop'],
      },
    });
  }
  const intent = understand(progress.request);
  switch (intent.kind) {
    case 'explain':
      return explain(progress, tools);
    case 'find':
      return find(intent.what, progress, tools);
    case 'replace':
      return replace(intent, progress, tools);
    case 'create':
      return create(intent, progress, tools);
    case 'run':
      return command(intent.command, progress, tools);
    case 'tour':
      return tour(progress, tools);
    case 'help':
      return help();
    case 'unknown':
      return notUnderstood();
    default:
      return intent satisfies never;
  }
}

/** True when the last call was a question: none twice in a row. */
function answered(progress: Progress): boolean {
  return progress.done.at(-1)?.name === 'ask_human';
}

/** A closing turn without tools (C5). */
function summary({ request, done }: Progress): Reply {
  const calls = done.map((call) => `- \`${call.name}\`: ${call.state}`);
  const list =
    calls.length === 0 ? 'I have called no tool yet.' : `So far:\n\n${calls.slice(-20).join('\n')}`;
  return say(`You asked: “${request.slice(0, 200).toWellFormed()}”. ${list}`);
}
