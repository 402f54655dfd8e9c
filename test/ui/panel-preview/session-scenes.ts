import { begin, history, others, S, session } from './fixture-session.ts';
import type { Run } from '../../../src/domain/run.ts';
import type { Scene } from './scenes.ts';

const runningIn = (sessionId: string): Run => ({
  id: 'r9',
  sessionId,
  state: 'running',
  iteration: 1,
  model: 'x',
  mode: 'ask',
  cancelRequested: false,
  resumeAvailable: false,
  startedAt: 0,
  heartbeatAt: 0,
});

/** The list of sessions in its states. */
export const SESSION_SCENES: Readonly<Record<string, Scene>> = {
  sessions: {
    prepare: (stage) => {
      session(stage);
      history(stage);
      others(stage);
      stage.busy.add('other-0');
      const marks = {
        'other-1': { failed: true },
        'other-4': { pinned: true },
        'other-5': { archived: true },
      };
      for (const [id, mark] of Object.entries(marks)) {
        const known = stage.sessions.get(id);
        if (known !== undefined) stage.sessions.set(id, { ...known, ...mark });
      }
      stage.runs.push({ ...runningIn('other-3'), state: 'timed_out', resumeAvailable: true });
    },
    play: (stage) => stage.panel.line.signal({ kind: 'show_sessions' }),
  },
  background: {
    prepare: (stage) => {
      session(stage);
      history(stage);
      stage.detached.set(S, 'working');
    },
  },
  'background-leaving': {
    prepare: (stage) => {
      session(stage);
      history(stage);
      stage.detached.set(S, 'leaving');
      stage.busy.add(S);
    },
    play: (stage) => {
      begin(stage);
      stage.publish(S, { type: 'agent_run.iteration', iteration: 4, activeMs: 0 });
    },
  },
  'background-list': {
    prepare: (stage) => {
      session(stage);
      history(stage);
      others(stage);
      stage.detached.set('other-1', 'working');
      stage.runs.push(runningIn('other-1'));
    },
    play: (stage) => stage.panel.line.signal({ kind: 'show_sessions' }),
  },
  'sessions-deleted': {
    prepare: (stage) => {
      session(stage);
      others(stage);
      const known = stage.sessions.get('other-5');
      if (known !== undefined) stage.sessions.set('other-5', { ...known, archived: true });
    },
    play: (stage) => {
      stage.panel.line.signal({ kind: 'show_sessions' });
      void stage.panel.list.deletions.delete(['other-6']);
    },
    click: ['.sessions > footer .icon-button'],
  },
};
