import { history, others, session } from './fixture-session.ts';
import type { Scene } from './scenes.ts';

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
      stage.runs.push({
        id: 'r9',
        sessionId: 'other-3',
        state: 'timed_out',
        iteration: 1,
        model: 'x',
        mode: 'ask',
        cancelRequested: false,
        resumeAvailable: true,
        startedAt: 0,
        heartbeatAt: 0,
      });
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
