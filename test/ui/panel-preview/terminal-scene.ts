import type { RunEventBody } from '../../../src/domain/event.ts';
import type { JsonObject } from '../../../src/domain/data/json.ts';
import type { ToolResultState } from '../../../src/domain/message.ts';
import type { Stage } from '../../unit/panel/stage.ts';
import { begin, call, result, S, said, session } from './fixture-session.ts';

interface Told {
  readonly id: string;
  readonly name: string;
  readonly input: Record<string, string>;
  readonly text: string;
  readonly state?: ToolResultState;
  readonly display?: JsonObject;
}

const command = (text: string, more: JsonObject = {}): JsonObject => ({
  kind: 'command',
  command: text,
  cwd: '.',
  timedOut: false,
  tail: '',
  total: 0,
  ...more,
});

/** Every way in which a command, a test run or a task can end. */
const ENDED: readonly Told[] = [
  {
    id: 't1',
    name: 'run_command',
    input: { command: 'npm run build' },
    text: 'built in 2.1 s\n[exit code 0]',
    display: command('npm run build', { exitCode: 0 }),
  },
  {
    id: 't2',
    name: 'run_command',
    input: { command: 'npm run lint' },
    text: 'src/a.ts:3:1 unused\n[exit code 2]',
    state: 'failed',
    display: command('npm run lint', { exitCode: 2 }),
  },
  {
    id: 't3',
    name: 'run_command',
    input: { command: 'git push --force' },
    text: 'The user denied run_command; nothing was done.',
    state: 'denied',
  },
  {
    id: 't4',
    name: 'run_command',
    input: { command: 'sleep 600' },
    text: 'Canceled by the user.',
    state: 'canceled',
  },
  {
    id: 't5',
    name: 'run_command',
    input: {
      command: 'set -e\nfor file in src/*.ts; do\n  node --check "$file"\ndone',
      timeout: '20',
    },
    text: '[stopped after 20 s, its time limit]',
    state: 'failed',
    display: command('set -e', { timedOut: true }),
  },
  {
    id: 't6',
    name: 'run_tests',
    input: { name: 'parser' },
    text: '1 failed, 41 passed\n✖ parser › stops at the end (test/parse.test.ts:12)',
    state: 'failed',
    display: { kind: 'tests', command: 'npm test', exitCode: 1, passed: 41, failed: 1, skipped: 0 },
  },
  {
    id: 't7',
    name: 'run_task',
    input: { task: 'npm: build' },
    text: 'npm: build ended with exit code 2.',
    state: 'failed',
    display: { kind: 'task', task: 'npm: build', exitCode: 2, count: 3, running: false },
  },
];

/** The cards of the terminal in all their states; the last two are at work. */
export function playTerminal(stage: Stage): void {
  begin(stage);
  let index = 0;
  const calls: RunEventBody[] = [];
  const make = (id: string, name: string, input: Record<string, string>): void => {
    index += 1;
    calls.push(...call(index, id, name, input));
  };
  for (const { id, name, input } of ENDED) make(id, name, input);
  make('t8', 'run_command', { command: 'npm run dev', background: 'true' });
  make('t9', 'run_command', { command: 'npm test' });
  stage.publish(S, said('I look at all of it.'), ...calls);
  const ended: readonly Told[] = [
    ...ENDED,
    {
      id: 't8',
      name: 'run_command',
      input: {},
      text: '  Local: http://localhost:5173/',
      display: {
        kind: 'background',
        id: 'b1-1',
        command: 'npm run dev',
        cwd: '.',
        running: true,
        tail: '> vite\n\n  VITE ready in 320 ms\n  Local: http://localhost:5173/\n',
        total: 60,
      },
    },
  ];
  for (const { id, name, text, state = 'done', display } of ended) {
    stage.publish(
      S,
      { type: 'tool.started', callId: id, name },
      {
        type: 'tool.finished',
        callId: id,
        name,
        replayed: false,
        result: result(id, name, text, {
          state,
          elapsedMs: 2100,
          ...(display === undefined ? {} : { display }),
        }),
      },
    );
  }
  stage.publish(
    S,
    { type: 'tool.started', callId: 't9', name: 'run_command' },
    {
      type: 'tool.output',
      callId: 't9',
      text: '> mocha\n\n  parser\n    ✔ reads a list\n    ✔ reads a map\n',
    },
  );
}

/** What is on stage before. */
export function prepareTerminal(stage: Stage): void {
  session(stage);
}
