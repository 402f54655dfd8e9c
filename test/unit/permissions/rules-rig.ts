import { told } from '../../../src/domain/text/told.ts';
import { createDecide } from '../../../src/core/permissions/decide.ts';
import type { DecideParts, Decision, JudgeLine } from '../../../src/core/permissions/decide.ts';
import { PathGuard } from '../../../src/core/permissions/path-guard.ts';
import type { JsonObject } from '../../../src/domain/data/json.ts';
import type { KnownRule, PermissionRule } from '../../../src/domain/permissions/permission-rule.ts';
import type { Level, Mode, Tool } from '../../../src/core/tool-call/tool-call.ts';

/** Tools of every kind, and the decision about a call of one under some rules. */
const ROOT = '/ws';

function tool(name: string, more: Partial<Tool>): Tool {
  return {
    name,
    description: '',
    inputSchema: {},
    sideEffects: true,
    level: 'guest',
    module: 'test',
    permission: 'execute',
    check: (input) => ({ input }),
    run: async () => ({ content: [] }),
    ...more,
  };
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

export const TOOLS = {
  read: tool('read_file', {
    permission: 'none',
    touches: ({ path }) => [{ path: text(path), access: 'read' }],
  }),
  edit: tool('edit_file', {
    permission: 'edit',
    touches: ({ path }) => [{ path: text(path), access: 'write' }],
  }),
  run: tool('run_command', {
    commands: ({ command, cwd }) => [{ command: text(command), cwd: text(cwd) || ROOT }],
  }),
  fetch: tool('web_fetch', { urls: ({ url }) => [text(url)] }),
  mcp: tool('mcp__hub__make', { server: 'hub', serverTool: 'make', hash: 'h1' }),
  outside: tool('run_command', {
    commands: ({ command }) => [{ command: text(command), cwd: ROOT }],
    exception: ({ why }) =>
      typeof why === 'string' ? told`Outside the sandbox: ${why}` : undefined,
  }),
  task: tool('run_task', {}),
} as const;

/** Harmless: `ls`. Not understood: anything with `$`. Given something to read: what ends with `<`. */
const judgeLine: JudgeLine = async ({ command }) => {
  if (command.includes('$')) return { verdict: 'ask', reason: told`It is not understood.` };
  const lines = command.split(' && ').map((line) => line.split(' <'));
  const programs = lines.map(([line = '']) => line.split(' '));
  const fed = programs.filter((_, at) => lines[at]?.length === 2);
  return programs.every(([program]) => program === 'ls')
    ? { verdict: 'allow', programs }
    : { verdict: 'ask', programs, fed };
};

const guard = new PathGuard({
  files: {
    realpath: async (path) => path.replace('/ws/link/', '/ws/src/'),
    stat: async () => undefined,
  },
  ownFolders: ['/own'],
  ignored: { ruleFor: async () => undefined, ruleForAny: async () => undefined },
});

export const user = (rule: PermissionRule): KnownRule => ({
  rule,
  origin: 'user',
  source: 'settings',
});

export async function decide(
  which: Tool,
  input: JsonObject,
  rules: readonly (PermissionRule | KnownRule)[] = [],
  {
    mode = 'ask',
    level = 'owner',
    ...more
  }: { mode?: Mode; level?: Level } & Partial<
    Pick<DecideParts, 'unattended' | 'hash' | 'changes' | 'unreviewed' | 'approvals'>
  > = {},
): Promise<Decision> {
  const known = rules.map((one) => ('rule' in one ? one : user(one)));
  const decision = createDecide({
    guard,
    mode: () => mode,
    level: () => level,
    judgeLine,
    rules: async () => known,
    home: '/home/me',
    ...more,
  });
  return decision(which, {
    part: { type: 'tool_call', id: 'c', name: which.name, input },
    context: { sessionId: 's', roots: [ROOT] },
  });
}
