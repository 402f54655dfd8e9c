import type { Journal } from '../../../src/domain/session/journal.ts';
import { begin, history, S, session } from './fixture-session.ts';
import type { Scene } from './scenes.ts';

const JOURNAL: Journal = {
  objective: 'Port the list parser to the new tokens without changing what it accepts.',
  current_state:
    'The tokens are ported and their tests pass. The parser fails on an empty list: readMap gets undefined.',
  verified_findings: [
    'parseList is only called by readMap (src/map.ts:41).',
    'The old grammar accepts a trailing comma; test/lists.test.ts relies on it.',
  ],
  decisions: ['Keep the old parser until the suite passes: both are behind `lists.next`.'],
  artifacts: ['src/lists.ts', 'test/lists.test.ts'],
  open_questions: ['Is the trailing comma to stay?'],
  blockers: [],
  handoff_next_action: 'Mend parseList for [] and run test/lists.test.ts.',
};

/** The run's journal: above the input while one of its sections is edited, and after a run that did not end well. */
export const JOURNAL_SCENES: Readonly<Record<string, Scene>> = {
  journal: {
    prepare: (stage) => {
      session(stage);
      history(stage);
      void stage.journals.writeByPerson(S, JOURNAL);
    },
    click: ['.journal .dock-label', '.journal-section:nth-child(3) .icon-button'],
  },
  'follow-ups': {
    prepare: (stage) => {
      session(stage);
      history(stage);
      stage.waitingFollowUps = [
        {
          id: 'f1-1',
          sessionId: S,
          prompt: 'Look whether the build of the release is green, and say what failed.',
          dueAt: Date.UTC(2026, 10, 26, 9, 30),
          createdAt: 0,
        },
        {
          id: 'f1-2',
          sessionId: S,
          prompt: 'Ask about the trailing comma again.',
          dueAt: Date.UTC(2026, 10, 27, 8),
          createdAt: 0,
        },
      ];
    },
    click: ['.follow-ups .dock-label', '.follow-ups .queued:nth-child(2) .queued-text'],
  },
  'journal-after-failure': {
    prepare: (stage) => {
      session(stage);
      history(stage);
      void stage.journals.writeByPerson(S, JOURNAL);
    },
    play: (stage) => {
      begin(stage);
      stage.publish(S, {
        type: 'agent_run.failed',
        end: {
          reason: 'max_iterations',
          state: 'failed',
          canContinue: true,
          failure: {
            code: 'max_iterations',
            message:
              'Paused after 50 model calls, the limit for one run. Everything done so far is kept. Choose Continue to go on, or raise belay.loop.maxIterations.',
          },
        },
      });
    },
  },
};
