import * as l10n from '@vscode/l10n';
import { said } from '../../domain/text/language.ts';
import { type DisplayOf, defineDisplay, defineFace } from '../face/face.ts';
import { count as number, keyOf, maybeText, text } from '../face/fields.ts';
import { counted, joined } from '../face/words.ts';

/** The end of a sub-agent in a word; empty where the state of its card says it. */
const ENDS = {
  done: '',
  canceled: said('stopped'),
  time_limit: said('out of time'),
  budget: said('out of budget'),
  max_iterations: said('too many turns'),
  context_limit: said('out of context'),
  denied: said('denied'),
  needs_human: said('waits'),
  failure: said('failed'),
} as const;

const agentDisplay = defineDisplay(
  'agent',
  {
    session: text,
    end: keyOf(ENDS, 'failure'),
    messages: number,
    tokens: number,
    /** US dollars. */
    cost: number,
    stranger: maybeText,
  },
  {
    note: ({ end, tokens, cost }) =>
      joined(
        ENDS[end] === '' ? '' : l10n.t(ENDS[end]),
        counted(tokens, 'token'),
        cost > 0 ? `$${cost.toPrecision(2)}` : '',
      ),
    agent: ({ session }) => session,
  },
);

export type AgentDisplay = DisplayOf<typeof agentDisplay>;

export const agentFace = defineFace(
  'agent',
  { title: text },
  { icon: 'hubot', title: l10n.t('Sub-agent'), subject: ['title'], displays: [agentDisplay] },
);

export const writeAgentFace = defineFace(
  'write_agent',
  { title: text },
  {
    icon: 'hubot',
    title: l10n.t('Sub-agent that changes files'),
    subject: ['title'],
    displays: [agentDisplay],
  },
);
