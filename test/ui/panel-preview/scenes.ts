import type { Stage } from '../../unit/panel/stage.ts';
import {
  ANSWER,
  begin,
  call,
  history,
  MINUTE,
  others,
  result,
  S,
  said,
  session,
} from './fixture-session.ts';
import { permissionScenes } from './permission-scenes.ts';
import { AGENT_SCENES } from './agent-scene.ts';
import { SESSION_SCENES } from './session-scenes.ts';
import { SURFACE_SCENES } from './surface-scenes.ts';
import { REVIEW_SCENES } from './review-scenes.ts';
import { MODEL_SCENES } from './model-scenes.ts';
import { SERVER_SCENES } from './server-scenes.ts';
import { CARD_SCENES } from './card-scenes.ts';
import { JOURNAL_SCENES } from './journal-scenes.ts';
import { playTerminal, prepareTerminal } from './terminal-scene.ts';

/** A picture of one pixel. */
const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** What is on stage before the panel is opened, and what happens then. */
export interface Scene {
  readonly prepare?: (stage: Stage) => void;
  readonly play?: (stage: Stage) => void;
  /** What is clicked before the picture is taken. */
  readonly click?: readonly string[];
  /** Keys that are pressed then. */
  readonly press?: readonly string[];
  /** A field, and what is written into it. */
  readonly fill?: readonly [field: string, text: string];
  /** The picture is as high as all of the conversation. */
  readonly tall?: true;
}

/** The states of the panel that a person can be in. */
export const scenes: Readonly<Record<string, Scene>> = {
  ...CARD_SCENES,
  ...SERVER_SCENES,
  ...MODEL_SCENES,
  ...REVIEW_SCENES,
  ...SESSION_SCENES,
  ...SURFACE_SCENES,
  ...JOURNAL_SCENES,
  empty: {},
  welcome: {
    prepare: (stage) => {
      stage.hasKey = false;
    },
  },
  demo: {
    prepare: (stage) => {
      stage.hasKey = false;
      stage.options = { ...stage.options, model: 'demo' };
    },
  },
  done: {
    prepare: (stage) => {
      session(stage);
      history(stage);
    },
  },
  unfolded: {
    prepare: (stage) => {
      session(stage);
      history(stage);
    },
    click: ['[data-call="c3"] .tool-fold', '[data-call="c4"] .tool-fold'],
  },
  streaming: {
    prepare: (stage) => {
      session(stage);
      history(stage);
    },
    play: (stage) => {
      begin(stage);
      stage.publish(S, said(ANSWER.slice(0, 560)));
    },
  },
  busy: {
    prepare: (stage) => {
      session(stage);
      history(stage);
      others(stage);
    },
    play: (stage) => {
      begin(stage);
      stage.publish(
        S,
        said('Looking at `parseMap`.'),
        ...call(1, 'b1', 'read_file', { path: 'src/parse-map.ts' }),
        ...call(2, 'b2', 'run_command', { command: 'npm test' }),
        ...call(3, 'b3', 'github__list_issues', { query: 'parser' }),
        ...call(4, 'b4', 'write_file', { path: 'src/new.ts' }),
        {
          type: 'tool.finished',
          callId: 'b1',
          name: 'read_file',
          replayed: false,
          result: result('b1', 'read_file', 'x', {
            display: {
              kind: 'read',
              files: [{ path: 'src/parse-map.ts', from: 1, to: 60, lines: 412 }],
            },
          }),
        },
        { type: 'tool.started', callId: 'b2', name: 'run_command' },
        {
          type: 'tool.output',
          callId: 'b2',
          text: '> belay@0.1.0 test\n> mocha\n\n  parser\n    ✔ reads a list\n    ✔ reads a map\n    ✔ keeps comments\n',
        },
      );
      for (const [index, text] of [
        'Then update the changelog.',
        'And tell me which other parsers have the same loop, with file and line.',
      ].entries()) {
        stage.queue.push({
          id: `q${index}`,
          sessionId: S,
          position: index,
          text,
          attachments: [],
          mode: index === 0 ? 'queue' : 'steer',
          createdAt: 0,
        });
      }
      stage.publish(S, { type: 'agent_run.iteration', iteration: 4, activeMs: 0 });
      stage.busy.add('other-1');
      stage.ask({ sessionId: 'other-1', callId: 'elsewhere', title: 'Run a command' });
    },
  },
  command: {
    prepare: (stage) => {
      session(stage);
      history(stage);
    },
    play: (stage) => {
      begin(stage);
      stage.publish(
        S,
        said('The tests should pass now.'),
        ...call(1, 'a1', 'run_command', { command: 'npm test -- --grep "parser"' }),
        { type: 'tool.approval', callId: 'a1', name: 'run_command', questionId: 'q' },
      );
      stage.ask({
        sessionId: S,
        callId: 'a1',
        detail: 'npm test -- --grep "parser"\n\nin /work/sample',
      });
    },
  },
  edit: {
    prepare: (stage) => {
      session(stage);
      history(stage);
    },
    play: (stage) => {
      begin(stage);
      stage.publish(
        S,
        said('This is the fix:'),
        ...call(1, 'a2', 'edit_file', { path: 'src/parse-map.ts' }),
        { type: 'tool.approval', callId: 'a2', name: 'edit_file', questionId: 'q' },
      );
      const before = Array.from({ length: 30 }, (_, index) => `  line ${index}`).join('\n');
      stage.ask({
        sessionId: S,
        callId: 'a2',
        tool: 'edit_file',
        title: 'Edit src/parse-map.ts',
        detail: 'diff',
        edits: [
          {
            path: '/work/sample/src/parse-map.ts',
            name: 'src/parse-map.ts',
            creates: false,
            before,
            after: before
              .replace(
                '  line 10',
                '  // stops at the end of the input\n  for (let token = nextToken(source); token.kind !== "end"; token = nextToken(source)) {',
              )
              .replace('  line 24\n', ''),
          },
        ],
      });
    },
  },
  edits: {
    prepare: session,
    play: (stage) => {
      begin(stage);
      stage.publish(S, said('The sub-agent is done.'), ...call(1, 'a2', 'write_agent', {}), {
        type: 'tool.approval',
        callId: 'a2',
        name: 'write_agent',
        questionId: 'q',
      });
      const line = { creates: false, before: 'export const pace = 5;\n' };
      stage.ask({
        sessionId: S,
        callId: 'a2',
        tool: 'write_agent',
        title: 'Take over 4 files from a sub-agent',
        detail: '',
        isSelectable: true,
        edits: [
          {
            path: '/work/sample/src/pace.ts',
            name: 'src/pace.ts',
            ...line,
            after: 'export const pace = 6;\n',
          },
          {
            path: '/work/sample/src/rest.ts',
            name: 'src/rest.ts',
            creates: true,
            before: '',
            after: 'export {};\n',
          },
          {
            path: '/work/sample/src/old-helper.ts',
            name: 'src/old-helper.ts',
            ...line,
            after: '',
            deletes: true,
          },
          {
            path: '/work/sample/src/a.ts',
            name: 'src/a.ts',
            creates: false,
            before: 'x\n',
            after: 'x\n',
            movesTo: { path: '/work/sample/lib/a.ts', name: 'lib/a.ts' },
          },
        ],
      });
    },
  },
  ...AGENT_SCENES,
  terminal: {
    prepare: prepareTerminal,
    play: playTerminal,
    click: ['[data-call="t5"] .tool-fold'],
  },
  question: {
    prepare: (stage) => {
      session(stage);
      history(stage);
    },
    play: (stage) => {
      begin(stage);
      stage.publish(
        S,
        ...call(0, 'h1', 'ask_human', { question: 'Which of the two grammars is the right one?' }),
        { type: 'tool.started', callId: 'h1', name: 'ask_human' },
        { type: 'agent_run.waiting', for: 'question', questionId: 'x' },
      );
      stage.questions.push({
        id: 'x',
        sessionId: S,
        runId: 'r',
        callId: 'h1',
        question: 'Which of the two grammars is the right one?',
        choices: ['docs/grammar.md', 'The comment in src/parse.ts', 'Neither'],
      });
      stage.deskChanged();
    },
  },
  questions: {
    prepare: (stage) => {
      session(stage);
      history(stage);
    },
    play: (stage) => {
      begin(stage);
      stage.publish(S, ...call(0, 'h1', 'ask_human', { question: 'Which browsers?' }), {
        type: 'tool.started',
        callId: 'h1',
        name: 'ask_human',
      });
      const asked = { sessionId: S, runId: 'r', callId: 'h1' };
      stage.questions.push(
        {
          ...asked,
          id: 'x1',
          question: 'Which browsers should the parser be tested in?',
          choices: ['Chromium', 'Firefox', 'The one of the continuous integration, whatever it is'],
          several: true,
        },
        { ...asked, id: 'x2', question: 'Until when?', choices: ['Today', 'This week'] },
      );
      stage.deskChanged();
    },
  },
  todo: {
    prepare: (stage) => {
      session(stage);
      history(stage);
      stage.todos.set(S, [
        { text: 'Find out why the map is read twice', status: 'done' },
        { text: 'Write a test that fails', status: 'active' },
        {
          text: 'Mend `parseMap` so that a second reading gives the same entries in the same order',
          status: 'open',
        },
        { text: 'Changelog', status: 'open' },
      ]);
    },
    click: ['.todo .dock-label'],
  },
  error: {
    prepare: (stage) => {
      session(stage);
      history(stage);
    },
    play: (stage) => {
      begin(stage);
      stage.publish(
        S,
        { type: 'message.discarded', messageId: 'live', reason: 'x' },
        {
          type: 'agent_run.failed',
          end: {
            reason: 'failure',
            state: 'failed',
            canContinue: true,
            failure: {
              code: 'auth',
              message:
                'The API key was refused (401). Set a valid key, then continue; everything so far is kept.',
            },
          },
        },
      );
    },
  },
  retrying: {
    prepare: (stage) => {
      session(stage);
      history(stage);
    },
    play: (stage) => {
      begin(stage);
      stage.publish(
        S,
        {
          type: 'model.waiting',
          reason: 'The API is overloaded (529)',
          attempt: 3,
          attempts: 8,
          until: stage.clock.now() + 14_000,
        },
        { type: 'context.warning', estimatedTokens: 171_000, contextLimit: 200_000 },
        {
          type: 'model.request',
          iteration: 4,
          model: 'x',
          estimatedTokens: 171_000,
          contextLimit: 200_000,
        },
        {
          type: 'model.waiting',
          reason: 'The API is overloaded (529)',
          attempt: 3,
          attempts: 8,
          until: stage.clock.now() + 14_000,
        },
      );
    },
  },
  handoff: {
    prepare: (stage) => {
      session(stage);
      history(stage);
      const at = stage.clock.now() - 7 * MINUTE;
      const entry = (callId: string, command: string) => ({
        runId: 'r',
        sessionId: S,
        callId,
        name: 'run_command',
        input: { command },
        idempotent: false,
        state: 'unknown' as const,
        attempts: 1,
      });
      stage.handoffs.set(S, {
        run: {
          id: 'r',
          sessionId: S,
          state: 'timed_out',
          iteration: 7,
          model: 'x',
          mode: 'ask',
          cancelRequested: false,
          resumeAvailable: true,
          startedAt: at,
          heartbeatAt: at,
        },
        written: [{ type: 'text', text: 'The migration is written; next I will' }],
        finished: [
          entry('f1', 'npm test'),
          entry('f2', 'git status'),
          { ...entry('s1', 'npm run build'), result: { state: 'canceled' } },
        ],
        unknown: [entry('u1', 'npm publish --dry-run=false')],
        resumable: true,
        promptDrift: true,
      });
    },
  },
  compacted: {
    prepare: (stage) => {
      session(stage);
      history(stage);
      stage.compactions.set(S, [
        {
          id: 'k',
          sessionId: S,
          throughSeq: 3,
          summary: 'The person asked about the list parser…',
          strategy: 'summarize',
          reason: 'threshold',
          tokensBefore: 141_000,
          tokensAfter: 12_400,
          undone: false,
          createdAt: 0,
        },
      ]);
      stage.trusted = false;
    },
  },
  thinking: {
    prepare: (stage) => {
      session(stage);
      stage.store(S, 'user', [{ type: 'text', text: 'Open editors: src/a.ts' }], {
        origin: 'environment',
      });
      stage.store(
        S,
        'user',
        [
          {
            type: 'text',
            text: `What is wrong in this picture?\n\n${'A line of a long log\n'.repeat(30)}`,
          },
          { type: 'binary', mediaType: 'image/png', data: PIXEL, name: 'screen.png' },
          { type: 'binary', mediaType: 'application/pdf', data: PIXEL, name: 'manual.pdf' },
        ],
        { origin: 'person' },
      );
      stage.store(S, 'user', [{ type: 'text', text: 'You have called read_file three times.' }], {
        origin: 'policy',
      });
    },
    play: (stage) => {
      begin(stage);
      stage.publish(S, {
        type: 'message.delta',
        messageId: 'live',
        index: 0,
        kind: 'reasoning',
        text: 'The person shows a **picture**. I should look at the left side first, where the button is cut off',
      });
    },
  },
  ...permissionScenes,
  mode: {
    prepare: (stage) => {
      session(stage);
      history(stage);
    },
    click: ['[data-picker="mode"] button'],
  },
  meter: {
    prepare: (stage) => {
      session(stage);
      history(stage);
    },
    click: ['.meter'],
  },
};
