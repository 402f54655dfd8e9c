import type { JsonObject } from '../../../src/domain/data/json.ts';
import type { ToolResultPart } from '../../../src/domain/message.ts';
import type { Stage } from '../../unit/panel/stage.ts';

export const MINUTE = 60_000;
/** The session on screen. */
export const S = 'main';

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

export function result(
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

export function history(stage: Stage): void {
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

export function session(stage: Stage): void {
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

export function others(stage: Stage): void {
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
    // The first two are of one day, also soon after midnight.
    const minutes = index < 2 ? index : index * index * 190;
    stage.addSession({
      id: `other-${index}`,
      title,
      messageCount: 4 + index * 7,
      updatedAt: now - (minutes + 5) * MINUTE,
    });
  }
}

export function begin(stage: Stage): void {
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

export const call = (index: number, callId: string, name: string, input: JsonObject) =>
  [
    { type: 'message.tool_call_started', messageId: 'live', index, callId, name },
    {
      type: 'message.part',
      messageId: 'live',
      index,
      part: { type: 'tool_call', id: callId, name, input },
    },
  ] as const;

export const said = (text: string) =>
  ({ type: 'message.delta', messageId: 'live', index: 0, kind: 'text', text }) as const;
