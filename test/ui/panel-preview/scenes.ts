import type { ToolResultPart } from '../../../src/domain/message.ts';
import type { Stage } from '../../unit/panel/stage.ts';

const MINUTE = 60_000;
const S = 'main';

/** What is on stage before the panel is opened, and what happens then. */
export interface Scene {
  readonly prepare?: (stage: Stage) => void;
  readonly play?: (stage: Stage) => void;
  /** Something to click or press before the picture is taken. */
  readonly then?: readonly string[];
}

export const ANSWER = `The failure is in \`src/parse.ts\`: the parser reads the last token twice when the input ends without a newline.

## What happens

1. \`nextToken()\` returns the *same* token at the end of input.
2. The loop in [src/parse.ts:41](src/parse.ts:41) only stops on a **different** token.
3. So the list gets its last element twice.

\`\`\`ts
export function parseList(source: string): readonly Token[] {
  const tokens: Token[] = [];
  // stops at the end of the input, not at a repeated token
  for (let token = nextToken(source); token.kind !== 'end'; token = nextToken(source)) {
    tokens.push(token);
  }
  return tokens;
}
\`\`\`

| input | before | after |
|---|---:|---:|
| \`a,b\` | 3 | 2 |
| \`a,b\\n\` | 2 | 2 |

- [x] reproduce it with a test
- [ ] fix the loop
- [ ] run the suite

> The same mistake may be in \`parseMap\`; see [the grammar](https://example.com/grammar).
`;

function result(
  callId: string,
  name: string,
  text: string,
  more: Partial<ToolResultPart> = {},
): ToolResultPart {
  return {
    type: 'tool_result',
    callId,
    name,
    state: 'done',
    content: [{ type: 'text', text }],
    elapsedMs: 40,
    ...more,
  };
}

function history(stage: Stage): void {
  stage.store(
    S,
    'user',
    [
      {
        type: 'text',
        text: 'Why does the list parser return the last element twice? Fix it and run the tests.',
      },
    ],
    { origin: 'person' },
  );
  stage.store(
    S,
    'assistant',
    [
      {
        type: 'reasoning',
        text: 'The user reports a duplicated last element. I should look at the parser and its tests first.',
      },
      { type: 'text', text: 'I will look at the parser and its tests.' },
      {
        type: 'tool_call',
        id: 'c1',
        name: 'read_file',
        input: { files: [{ path: 'src/parse.ts' }, { path: 'test/parse.test.ts' }] },
      },
      { type: 'tool_call', id: 'c2', name: 'search_text', input: { pattern: 'nextToken' } },
      {
        type: 'tool_call',
        id: 'c3',
        name: 'run_command',
        input: { command: 'npm test -- --grep "parser list"' },
      },
      { type: 'finish', reason: 'tool_use' },
    ],
    { model: 'claude-sonnet-5' },
  );
  stage.store(S, 'tool', [
    result('c1', 'read_file', 'export function parseList() {}\n'.repeat(40), {
      display: {
        kind: 'read',
        files: [
          { path: 'src/parse.ts', from: 1, to: 88, lines: 88 },
          { path: 'test/parse.test.ts', from: 1, to: 40, lines: 40 },
        ],
      },
      files: [{ path: 'src/parse.ts' }, { path: 'test/parse.test.ts' }],
    }),
    result('c2', 'search_text', 'src/parse.ts\n41: nextToken', {
      display: { kind: 'matches', pattern: 'nextToken', matches: 12, files: 3, complete: true },
    }),
    result(
      'c3',
      'run_command',
      '1 failing\n\n  1) parser list returns each element once\n     AssertionError: 3 == 2',
      {
        state: 'failed',
        elapsedMs: 4230,
        display: {
          kind: 'command',
          command: 'npm test',
          cwd: '.',
          exitCode: 1,
          timedOut: false,
          tail: '',
          total: 80,
        },
      },
    ),
  ]);
  stage.store(
    S,
    'assistant',
    [
      { type: 'text', text: ANSWER },
      {
        type: 'tool_call',
        id: 'c4',
        name: 'edit_file',
        input: { path: 'src/parse.ts', edits: [] },
      },
      { type: 'finish', reason: 'tool_use' },
    ],
    {
      model: 'claude-sonnet-5',
      usage: {
        inputTokens: 900,
        outputTokens: 2100,
        cacheReadTokens: 61_000,
        cacheWriteTokens: 2000,
      },
    },
  );
  stage.store(S, 'tool', [
    result('c4', 'edit_file', 'Edited src/parse.ts (+4 −2 lines).', {
      display: {
        kind: 'edit',
        path: 'src/parse.ts',
        added: 4,
        removed: 2,
        created: false,
        changedByPerson: false,
        diff: '@@ -39,4 +39,6 @@\n   const tokens: Token[] = [];\n-  for (;;) {\n-    tokens.push(nextToken(source));\n+  // stops at the end of the input\n+  for (let token = nextToken(source); token.kind !== "end"; ) {\n+    tokens.push(token);\n   }',
        diffCut: false,
      },
      files: [{ path: 'src/parse.ts', line: 39 }],
    }),
  ]);
  stage.store(
    S,
    'assistant',
    [
      {
        type: 'text',
        text: 'Fixed: `parseList` now stops at the end of the input. All 48 tests pass.',
      },
      { type: 'finish', reason: 'end_turn' },
    ],
    { model: 'claude-sonnet-5' },
  );
}

function session(stage: Stage): void {
  stage.addSession({
    id: S,
    title: 'Fix the duplicated list element',
    messageCount: 6,
    inputTokens: 184_000,
    outputTokens: 9_300,
    cost: 0.42,
  });
  stage.lastSession = S;
}

function others(stage: Stage): void {
  const now = stage.clock.now();
  const titles = [
    'Rename the settings module',
    'Explain how the cache works',
    'Write tests for the date parser',
    'Upgrade esbuild',
    'A very long title of a session that does not fit into a narrow panel at all',
    'Draft the release notes',
    'Look into the slow start',
  ];
  for (const [index, title] of titles.entries()) {
    stage.addSession({
      id: `other-${index}`,
      title,
      messageCount: 4 + index * 7,
      updatedAt: now - index * index * 190 * MINUTE - 5 * MINUTE,
    });
  }
}

function begin(stage: Stage): void {
  stage.busy.add(S);
  stage.publish(S, { type: 'agent_run.started', model: 'claude-sonnet-5', resumed: false });
  const message = stage.store(
    S,
    'user',
    [{ type: 'text', text: 'Now do the same for parseMap.' }],
    { origin: 'person' },
  );
  stage.publish(
    S,
    { type: 'message.added', message },
    { type: 'agent_run.iteration', iteration: 3, activeMs: 0 },
    {
      type: 'model.request',
      iteration: 3,
      model: 'claude-sonnet-5',
      estimatedTokens: 71_000,
      contextLimit: 200_000,
    },
    {
      type: 'message.started',
      messageId: 'live',
      messageSeq: message.seq + 1,
      model: 'claude-sonnet-5',
    },
  );
}

const call = (index: number, callId: string, name: string, input: Record<string, string>) =>
  [
    { type: 'message.tool_call_started', messageId: 'live', index, callId, name },
    {
      type: 'message.part',
      messageId: 'live',
      index,
      part: { type: 'tool_call', id: callId, name, input },
    },
  ] as const;

const said = (text: string) =>
  ({ type: 'message.delta', messageId: 'live', index: 0, kind: 'text', text }) as const;

/** The states of the panel that a person can be in. */
export const scenes: Readonly<Record<string, Scene>> = {
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
    then: ['[data-call="c3"] .tool-fold', '[data-call="c4"] .tool-fold'],
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
        edit: {
          path: '/work/sample/src/parse-map.ts',
          creates: false,
          before,
          after: before
            .replace(
              '  line 10',
              '  // stops at the end of the input\n  for (let token = nextToken(source); token.kind !== "end"; token = nextToken(source)) {',
            )
            .replace('  line 24\n', ''),
        },
      });
    },
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
        draft: 'The migration is written; next I will',
        finished: [entry('f1', 'npm test'), entry('f2', 'git status')],
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
  sessions: {
    prepare: (stage) => {
      session(stage);
      history(stage);
      others(stage);
      stage.busy.add('other-0');
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
    play: (stage) => stage.panel.signal({ kind: 'show_sessions' }),
  },
  mode: {
    prepare: (stage) => {
      session(stage);
      history(stage);
    },
    then: ['[data-picker="mode"] button'],
  },
  model: {
    prepare: (stage) => {
      session(stage);
      history(stage);
    },
    then: ['[data-picker="model"] button'],
  },
  meter: {
    prepare: (stage) => {
      session(stage);
      history(stage);
    },
    then: ['.meter'],
  },
};
