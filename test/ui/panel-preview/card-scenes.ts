import { inEnglish, told } from '../../../src/domain/text/told.ts';
import type { RunEventBody } from '../../../src/domain/event.ts';
import type { ToolResultPart } from '../../../src/domain/message.ts';
import type { Stage } from '../../unit/panel/stage.ts';
import { begin, call, result, S, said, session } from './fixture-session.ts';
import type { Scene } from './scenes.ts';
import { TOOL_SAMPLES, type ToolSample } from './tool-samples.ts';

/** In which state the cards of a scene are. */
type Shown = 'running' | 'done' | 'failed' | 'denied' | 'canceled';

type Finish = Pick<ToolResultPart, 'state'> & Partial<ToolResultPart> & { readonly text: string };

/** How a call of a scene ends; the last one of those that failed may have happened. */
function endOf(sample: ToolSample, shown: Exclude<Shown, 'running'>, isLast: boolean): Finish {
  const { name, text, display, files, problem, failure, took = 60 } = sample;
  switch (shown) {
    case 'done':
      return {
        state: 'done',
        text,
        elapsedMs: took,
        ...(display === undefined ? {} : { display }),
        ...(files === undefined ? {} : { files }),
      };
    case 'failed': {
      const said = isLast
        ? told`${name} was interrupted when Belay stopped. Its outcome is unknown: it may have happened, in part or whole. Check the present state before you do it again.`
        : problem;
      return {
        state: isLast ? 'unknown' : 'failed',
        ...(typeof said === 'string' ? { text: said } : { text: inEnglish(said), told: [said] }),
        elapsedMs: took,
        ...(failure === undefined ? {} : { display: failure }),
      };
    }
    case 'denied':
      return {
        state: 'denied',
        text: `The user denied ${name}; nothing was done.`,
        elapsedMs: 0,
        display: { kind: 'denied', reason: name === 'run_command' ? 'not on this branch' : '' },
      };
    case 'canceled':
      return { state: 'canceled', text: 'Canceled by the user.', elapsedMs: took };
    default:
      return shown satisfies never;
  }
}

const idOf = (index: number): string => `card-${index}`;

function play(stage: Stage, shown: Shown): void {
  begin(stage);
  const calls = TOOL_SAMPLES.flatMap(({ name, input }, index) => [
    ...call(index + 1, idOf(index), name, input),
  ]);
  const events = TOOL_SAMPLES.flatMap((sample, index): RunEventBody[] => {
    const callId = idOf(index);
    const { name, output, progress } = sample;
    const started: RunEventBody = { type: 'tool.started', callId, name };
    if (shown === 'running') {
      return [
        started,
        ...(output === undefined ? [] : [{ type: 'tool.output', callId, text: output } as const]),
        ...(progress === undefined
          ? []
          : [{ type: 'tool.progress', callId, ...progress } as const]),
      ];
    }
    const { text, ...more } = endOf(sample, shown, index === TOOL_SAMPLES.length - 1);
    const finished: RunEventBody = {
      type: 'tool.finished',
      callId,
      name,
      // One card of those that are done shows that it was not run again after a restart.
      replayed: shown === 'done' && name === 'git',
      result: result(callId, name, text, more),
    };
    return shown === 'denied' ? [finished] : [started, finished];
  });
  stage.publish(S, said(`All tools, ${shown}.`), ...calls, ...events);
}

/** The same on record: the panel fetches what it unfolds from there. */
function store(stage: Stage): void {
  session(stage);
  stage.store(S, 'user', [{ type: 'text', text: 'Use all tools.' }], { origin: 'person' });
  stage.store(
    S,
    'assistant',
    TOOL_SAMPLES.map(({ name, input }, index) => ({
      type: 'tool_call',
      id: idOf(index),
      name,
      input,
    })),
  );
  stage.store(
    S,
    'tool',
    TOOL_SAMPLES.map((sample, index) => {
      const { text, ...more } = endOf(sample, 'done', false);
      return result(idOf(index), sample.name, text, more);
    }),
  );
}

const scene = (shown: Shown): Scene => ({
  prepare: session,
  play: (stage) => play(stage, shown),
  tall: true,
});

/** The cards of all tools together, one scene for each state, and those that are done unfolded. */
export const CARD_SCENES = {
  'cards-running': scene('running'),
  'cards-done': scene('done'),
  'cards-failed': scene('failed'),
  'cards-denied': scene('denied'),
  'cards-canceled': scene('canceled'),
  'cards-unfolded': {
    prepare: store,
    tall: true,
    click: TOOL_SAMPLES.map((_, index) => `[data-call="${idOf(index)}"] .tool-fold`),
  },
} as const satisfies Readonly<Record<string, Scene>>;
