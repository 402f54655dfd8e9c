import type { RunEventBody } from '../../../src/domain/event.ts';
import type { JsonObject } from '../../../src/domain/data/json.ts';
import type { Stage } from '../../unit/panel/stage.ts';
import { begin, call, result, S, said, session } from './fixture-session.ts';
import type { Scene } from './scenes.ts';

const CHILDREN = [
  ['a1', 'Find where tokens are counted', 'Step 7: read_file src/tokens/estimate.ts'],
  ['a2', 'Look for other parsers of lists', 'thinks'],
  ['a3', 'Check the tests of the parser', ''],
  ['a4', 'Compare with the grammar', ''],
] as const;

const ended = (end: string, tokens: number): JsonObject => ({
  kind: 'agent',
  session: 'a',
  end,
  messages: 12,
  tokens,
  cost: 0.02,
});

/** Two sub-agents work, one has reported, one was stopped. */
function play(stage: Stage): void {
  begin(stage);
  const calls = CHILDREN.flatMap(([id, title], index) => [
    ...call(index + 1, id, 'agent', { title, task: `${title}, and say how.` }),
  ]);
  const events = CHILDREN.flatMap(([id, title, message]): RunEventBody[] => [
    { type: 'tool.started', callId: id, name: 'agent' },
    { type: 'agent.child.started', callId: id, childId: id, title },
    ...(message === '' ? [] : [{ type: 'tool.progress', callId: id, message } as const]),
  ]);
  const reports: readonly RunEventBody[] = [
    {
      type: 'tool.finished',
      callId: 'a3',
      name: 'agent',
      replayed: false,
      result: result('a3', 'agent', 'The tests cover two of three cases.', {
        display: ended('done', 48_210),
        elapsedMs: 38_000,
      }),
    },
    { type: 'agent.child.ended', callId: 'a3', childId: 'a3', reason: 'done' },
    {
      type: 'tool.finished',
      callId: 'a4',
      name: 'agent',
      replayed: false,
      result: result('a4', 'agent', 'The person stopped this sub-agent before it was done.', {
        state: 'failed',
        display: ended('canceled', 9100),
        elapsedMs: 9000,
      }),
    },
    { type: 'agent.child.ended', callId: 'a4', childId: 'a4', reason: 'canceled' },
  ];
  stage.publish(S, said('Four looks at once.'), ...calls, ...events, ...reports);
}

export const AGENT_SCENES: Readonly<Record<string, Scene>> = {
  agents: { prepare: (stage) => session(stage), play },
};
