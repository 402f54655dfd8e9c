import * as z from 'zod/mini';
import type { Tool, ToolContext } from '../core/tool-call/tool-call.ts';
import { makeVisible } from '../domain/text/honest-text.ts';
import { type DisplayedOutput, defineTool } from './define-tool.ts';
import { type AnswerDisplay, askHumanFace } from './ask-human-face.ts';
import type { ToolParts } from './tool-parts.ts';

const asked = {
  question: z.string().check(z.minLength(1)),
  choices: z.optional(
    z
      .array(z.string())
      .check(z.maxLength(8), z.describe('offered as buttons; they may answer freely as well')),
  ),
  several: z.optional(z.boolean().check(z.describe('they may pick several choices'))),
};

/** The same without words: every request carries the schema. */
const further = z.strictObject({
  question: z.string().check(z.minLength(1)),
  choices: z.optional(z.array(z.string()).check(z.maxLength(8))),
  several: z.optional(z.boolean()),
});

const schema = z.strictObject({
  ...asked,
  more: z.optional(
    z
      .array(further)
      .check(
        z.maxLength(7),
        z.describe('asked together with it, e.g. [{"question": "Which port?"}]'),
      ),
  ),
});

type Asked = Pick<z.output<typeof schema>, 'question' | 'choices' | 'several'>;

export function askHumanTool(parts: ToolParts): Tool {
  return defineTool(askHumanFace, {
    description:
      'Asks the person a question and waits for the answer. Only for what they alone can decide.',
    schema,
    sideEffects: false,
    level: 'guest',
    module: 'human',
    permission: 'none',
    timeoutMs: Infinity,
    run: async ({ more = [], ...first }, context): Promise<DisplayedOutput<AnswerDisplay>> => {
      const answers = await Promise.all(
        [first, ...more].map((question) => ask(parts, question, context)),
      );
      const text =
        answers.length === 1
          ? answers.map(answerText).join('')
          : answers.map((one) => `${one.question}\n→ ${answerText(one)}`).join('\n\n');
      return { content: [{ type: 'text', text }], display: { kind: 'answer', answers } };
    },
  });
}

type Answered = AnswerDisplay['answers'][number];

async function ask(parts: ToolParts, asking: Asked, context: ToolContext): Promise<Answered> {
  const id = parts.ids.next('question');
  const question = makeVisible(asking.question);
  const choices = (asking.choices ?? []).map(makeVisible);
  const several = asking.several === true && choices.length > 1;
  const { sessionId, runId, callId, signal } = context;
  context.emit({ type: 'agent_run.waiting', for: 'question', questionId: id });
  try {
    const shown = { id, sessionId, runId, callId, question, choices, several };
    return { question, choices, answer: await parts.human.ask(shown, signal) };
  } finally {
    context.emit({ type: 'agent_run.answered', questionId: id });
  }
}

const answerText = ({ answer }: Answered): string =>
  answer.trim() === '' ? '[The person gave an empty answer.]' : answer;
