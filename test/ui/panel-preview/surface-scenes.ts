import type { Stage } from '../../unit/panel/stage.ts';
import { begin, history, others, S, session } from './fixture-session.ts';
import type { Scene } from './scenes.ts';

const INPUT = '.composer textarea';

function prepare(stage: Stage): void {
  session(stage);
  history(stage);
}

/** Messages of a person, so many that they are marked beside the scroll bar. */
function manyRequests(stage: Stage): void {
  session(stage);
  for (let index = 0; index < 8; index += 1) {
    const text = `Request ${index} about the list parser`;
    stage.store(S, 'user', [{ type: 'text', text }], { origin: 'person' });
    const answer = `Answer ${index}.\n\n${'A line of it.\n\n'.repeat(8)}`;
    stage.store(S, 'assistant', [{ type: 'text', text: answer }]);
  }
}

function fail(stage: Stage, code: 'auth' | 'request_too_large', message: string): void {
  const end = { reason: 'failure', state: 'failed', canContinue: true } as const;
  begin(stage);
  stage.publish(S, { type: 'agent_run.failed', end: { ...end, failure: { code, message } } });
}

/** Lists, bars and menus that are opened, and what limits Belay. */
export const SURFACE_SCENES: Readonly<Record<string, Scene>> = {
  'find-open': {
    prepare: manyRequests,
    click: [INPUT],
    press: ['Control+f'],
    fill: ['.find input', 'parser'],
  },
  timeline: { prepare: manyRequests },
  'menu-of-message': { prepare, click: ['.request .message-actions'] },
  'menu-of-answer': { prepare, click: ['.answer .message-actions'] },
  'menu-of-session': {
    prepare: (stage) => {
      prepare(stage);
      others(stage);
    },
    click: ['.title-button'],
    press: ['ArrowDown', 'Tab', 'Tab', 'Tab', 'Tab', 'Tab', 'Enter'],
  },
  'sessions-selected': {
    prepare: (stage) => {
      prepare(stage);
      others(stage);
    },
    click: ['.title-button'],
    press: ['ArrowDown', 'Control+ '],
  },
  'sessions-search': {
    prepare: (stage) => {
      prepare(stage);
      others(stage);
    },
    click: ['.title-button'],
    fill: ['.search input', 'parser'],
  },
  'session-renamed': { prepare, click: ['.header .rename'] },
  mentions: { prepare, fill: [INPUT, 'see @'] },
  commands: { prepare, fill: [INPUT, '/'] },
  chips: {
    prepare: (stage) => {
      prepare(stage);
      const mention = { source: 'file', icon: 'file', tokens: 2000 };
      stage.saved.set(S, {
        draft: 'see @app.ts and @a-file-with-a-very-long-name-that-does-not-fit.ts',
        mentions: [
          { ...mention, ref: 'src/app.ts', label: 'app.ts', detail: 'src/app.ts' },
          {
            ...mention,
            ref: 'gone',
            label: 'a-file-with-a-very-long-name-that-does-not-fit.ts',
            detail: 'src/a-file-with-a-very-long-name-that-does-not-fit.ts',
          },
        ],
        scroll: null,
      });
    },
  },
  limits: {
    prepare: (stage) => {
      prepare(stage);
      stage.trusted = false;
      stage.limits = {
        keyNews: () => ({ lost: 'gateway.example.org' }),
        serverProblems: () => [{ server: 'hub', said: 'The MCP server “hub” does not run.' }],
      };
    },
  },
  'no-folder': {
    prepare: (stage) => {
      stage.hasWorkspace = false;
    },
  },
  notices: {
    prepare,
    play: (stage) => fail(stage, 'request_too_large', 'The request is too large.'),
  },
  'failed-start': {
    prepare: (stage) => {
      session(stage);
      stage.reading = Promise.reject(new Error('The database cannot be opened.'));
      stage.reading.catch(() => undefined);
    },
  },
};
