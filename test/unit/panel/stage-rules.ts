import { createDecide } from '../../../src/core/permissions/decide.ts';
import { PathGuard } from '../../../src/core/permissions/path-guard.ts';
import { RuleBook } from '../../../src/core/permissions/rules/rule-book.ts';
import type { Mode, Tool } from '../../../src/core/tool-call/tool-call.ts';
import { RulesSection } from '../../../src/panel/center/rules-section.ts';
import { MemoryFiles } from '../../support/memory-files.ts';

const COMMAND_TOOL: Tool = {
  name: 'run_command',
  description: '',
  inputSchema: { type: 'object', properties: { command: { type: 'string' } } },
  sideEffects: true,
  level: 'user',
  module: 'terminal',
  permission: 'execute',
  commands: ({ command }) => [
    { command: typeof command === 'string' ? command : '', cwd: '/home/me/app' },
  ],
  check: (input) => ({ input }),
  run: async () => ({ content: [] }),
};

/** What the section needs of a stage. */
interface RulesStage {
  rules: readonly unknown[];
  readonly workspaceRules: readonly unknown[];
  readonly trusted: boolean;
  readonly options: { readonly mode: Mode };
}

/** The real section over rules in memory; its tool is for commands, which are all asked about. */
export function rulesSection(stage: RulesStage): RulesSection {
  const book = new RuleBook({
    files: new MemoryFiles(),
    userRules: () => stage.rules,
    workspaceRules: () => stage.workspaceRules,
    writeUserRules: async (rules) => {
      stage.rules = rules;
    },
    mayChange: () => stage.trusted,
  });
  const none = async (): Promise<undefined> => undefined;
  const guard = new PathGuard({
    files: { realpath: async (path) => path, stat: none },
    ownFolders: [],
    ignored: { ruleFor: none, ruleForAny: none },
  });
  const mode = (): Mode => stage.options.mode;
  const decide = createDecide({
    guard,
    mode,
    level: () => 'owner',
    rules: async (sessionId, roots) => (await book.list(sessionId, roots)).rules,
    judgeLine: async ({ command }) => ({ verdict: 'ask', programs: [command.split(' ')] }),
  });
  return new RulesSection({
    permissions: { rules: book, decide },
    tools: async () => [COMMAND_TOOL],
    roots: () => ['/home/me/app'],
    modeOf: mode,
  });
}
