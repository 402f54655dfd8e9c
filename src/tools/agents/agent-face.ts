import * as l10n from '@vscode/l10n';
import { inWords } from '../../domain/text/told.ts';
import { numeral, said } from '../../domain/text/language.ts';
import { type DisplayOf, defineDisplay, defineFace } from '../face/face.ts';
import { count as number, keyOf, listOf, maybeText, maybeTold, text } from '../face/fields.ts';
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
    /** The first files of its work that the workspace did not get, and the number of others. */
    left: listOf({ path: text, why: maybeTold }),
    more: number,
  },
  {
    note: ({ end, tokens, cost }) =>
      joined(
        ENDS[end] === '' ? '' : l10n.t(ENDS[end]),
        counted(tokens, 'token'),
        cost > 0 ? `$${cost.toPrecision(2)}` : '',
      ),
    rows: ({ left, more }) => [
      ...left.map(({ path, why = '' }) => ({
        icon: 'warning',
        text: l10n.t('Not taken over: {0}', path),
        problem: inWords(why),
      })),
      ...(more > 0
        ? [{ icon: 'warning', text: l10n.t('Not taken over: {0} more', numeral(more)) }]
        : []),
    ],
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
