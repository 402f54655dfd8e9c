import { createHash } from 'node:crypto';
import path from 'node:path';
import { createDecide } from '../../src/core/permissions/decide.ts';
import { judgeCommand } from '../../src/core/permissions/command/judge-command.ts';
import { GuardedFiles } from '../../src/core/permissions/guarded-files.ts';
import { PathGuard } from '../../src/core/permissions/path-guard.ts';
import { withCatchAll } from '../../src/core/tool-call/wrappers/catch-all.ts';
import { withHygiene } from '../../src/core/tool-call/wrappers/hygiene.ts';
import { withLookup } from '../../src/core/tool-call/wrappers/lookup.ts';
import { withPermission } from '../../src/core/tool-call/wrappers/permission.ts';
import { resultText } from '../../src/core/tool-call/result.ts';
import { RunLedger } from '../../src/core/tool-call/run-ledger.ts';
import { runTool } from '../../src/core/tool-call/run-tool.ts';
import { wrapAll } from '../../src/core/tool-call/tool-call.ts';
import type { Mode, Tool, ToolCall, ToolOutcome } from '../../src/core/tool-call/tool-call.ts';
import { withValidation } from '../../src/core/tool-call/wrappers/validate.ts';
import type { ApprovalQuestion } from '../../src/core/ports/person/approval.ts';
import type { Log } from '../../src/core/ports/log.ts';
import type { JsonObject } from '../../src/domain/data/json.ts';
import { SETTINGS } from '../../src/domain/settings/settings.ts';
import { settingsFrom } from '../../src/domain/settings/read-settings.ts';
import type { KnownRule } from '../../src/domain/permissions/permission-rule.ts';
import { commandEnvironment } from '../../src/hosts/node/processes/command-environment.ts';
import { NodeGit } from '../../src/hosts/node/git/git.ts';
import { NodeFileOperations } from '../../src/hosts/node/files/file-operations.ts';
import { NodeIgnoredPaths } from '../../src/hosts/node/search/ignore/belay-ignore.ts';
import { NodeFileSystem } from '../../src/hosts/node/files/file-system.ts';
import { NodeSearch } from '../../src/hosts/node/search/search.ts';
import { NodeShell } from '../../src/hosts/node/processes/shell.ts';
import { journalsInMemory } from '../support/journals-in-memory.ts';
import { NO_MEMORIES } from '../support/no-memories.ts';
import { ReadState } from '../../src/tools/editing/read-state.ts';
import { MapValues } from '../support/map-values.ts';
import { SystemClock } from '../../src/hosts/node/clock.ts';
import { createTools } from '../../src/tools/registry.ts';
import { list } from './case-input.ts';
import type { Answer, Fixture } from './surface.ts';

const SESSION = 'session-1';

/**
 * The built-in tools in the workspace of a case, behind the real guards, in the mode of the policy
 * (edits without a question). The person, who says no to everything, is the only one played.
 */
export class AttackedWorkspace {
  readonly files = new NodeFileSystem();
  readonly questions: ApprovalQuestion[] = [];
  readonly guard: PathGuard;
  readonly tools: readonly Tool[];
  readonly #shell: NodeShell;
  readonly #readState = new ReadState(new MapValues(), new SystemClock());
  readonly #roots: readonly string[];
  readonly #toolCall: ToolCall;
  #calls = 0;

  constructor(fixture: Fixture, mode: Mode = 'edit') {
    this.#roots = [fixture.ws];
    this.#shell = new NodeShell(() => ({
      ...commandEnvironment(process.env),
      HOME: fixture.home,
    }));
    const git = new NodeGit();
    this.guard = new PathGuard({
      files: this.files,
      ownFolders: [fixture.storage],
      ignored: new NodeIgnoredPaths(),
    });
    this.tools = createTools({
      disk: {
        files: new GuardedFiles(this.files),
        operations: new NodeFileOperations(fixture.storage),
        search: new NodeSearch([], {}),
        ignored: new NodeIgnoredPaths(),
      },
      commands: {
        shell: this.#shell,
        roots: () => this.#roots,
        blobs: { result: async () => undefined },
      },
      human: { ask: () => Promise.reject(new Error('Nobody is there.')) },
      clock: { now: Date.now, monotonic: () => performance.now(), sleep, after, every: after },
      ids: { next: (kind) => `${kind}-${(this.#calls += 1)}` },
      records: {
        attachments: { attachment: async () => Promise.resolve(undefined) },
        todos: { writeByModel: async (_session, _run, items) => ({ kept: true, items }) },
        journals: journalsInMemory(),
        memories: NO_MEMORIES,
      },
      readState: this.#readState,
      git: { git, roots: () => this.#roots },
      settings: settingsFrom(
        (key) => SETTINGS[key].default,
        () => undefined,
      ),
    });
    this.#toolCall = wrapAll(runTool(quiet), [
      withCatchAll(quiet),
      withLookup(() => this.tools),
      withValidation(),
      withPermission({
        decide: createDecide({
          guard: this.guard,
          mode: () => mode,
          level: () => 'owner',
          home: fixture.home,
          judgeLine: async (line, roots) =>
            judgeCommand(
              {
                guard: this.guard,
                files: this.files,
                platform: 'posix',
                home: fixture.home,
                repositories: git,
              },
              line,
              roots,
            ),
          rules: async () => allowlist(fixture),
        }),
        approver: { approve: async (question) => this.#no(question) },
        ids: { next: (kind) => `${kind}-${(this.#calls += 1)}` },
        hash: (text) => createHash('sha256').update(text).digest('hex'),
        runs: new RunLedger({ commit: async () => undefined }, { ledger: async () => [] }, quiet),
      }),
      withHygiene(),
    ]);
  }

  static async use(
    fixture: Fixture,
    use: (workspace: AttackedWorkspace) => Promise<Answer>,
  ): Promise<Answer> {
    const workspace = new AttackedWorkspace(fixture);
    try {
      return await use(workspace);
    } finally {
      workspace.dispose();
    }
  }

  /** The session has seen the file as it is: edits of it are not refused for that reason. */
  async seen(file: string): Promise<void> {
    const real = await this.files.realpath(file);
    const stat = await this.files.stat(real);
    if (stat?.type !== 'file') return;
    this.#readState.note(SESSION, real, { stat, content: await this.files.read(real) });
  }

  /** Makes the call as a model would. */
  async call(name: string, input: JsonObject): Promise<ToolOutcome> {
    this.#calls += 1;
    const callId = `call-${this.#calls}`;
    return this.#toolCall({
      part: { type: 'tool_call', id: callId, name, input },
      context: {
        callId,
        runId: 'run-1',
        sessionId: SESSION,
        roots: this.#roots,
        signal: AbortSignal.timeout(30_000),
        emit: () => undefined,
        recordProcess: async () => undefined,
      },
    });
  }

  /** Makes the call and says what Belay did with it. */
  async decide(name: string, input: JsonObject): Promise<Answer> {
    const before = this.questions.length;
    const { result } = await this.call(name, input);
    const note = resultText(result).slice(0, 300);
    if (this.questions.length > before) return { decision: 'ask', note };
    // A command that ran and failed was allowed all the same: it has a card.
    const happened = result.state === 'done' || result.display !== undefined;
    return { decision: happened ? 'allow' : 'refuse', note };
  }

  at(name: string): string {
    return path.join(this.#roots[0] ?? '', name);
  }

  dispose(): void {
    this.#shell.dispose();
  }

  #no(question: ApprovalQuestion) {
    this.questions.push(question);
    return { questionId: question.id, hash: question.hash, allowed: false };
  }
}

/** The commands that the policy allows, as rules that are as wide as rules can be. */
function allowlist({ policy }: Fixture): readonly KnownRule[] {
  return list(policy['allowedCommands']).map((command) => ({
    rule: { effect: 'allow', command: `${command} *` },
    origin: 'user',
    source: 'the policy',
  }));
}

const quiet: Log = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

function after(ms: number, run: () => void) {
  const timer = setTimeout(run, ms);
  return { dispose: () => clearTimeout(timer) };
}
