import type { Children } from '../core/agents/children.ts';
import type { BackgroundChanges } from '../core/background/background-changes.ts';
import { environmentText, mayBeShown } from '../core/context/prompt/environment.ts';
import { PromptFiles } from '../core/context/prompt/prompt-files.ts';
import type { Customizations } from '../core/customizations/customizations.ts';
import { FollowUps } from '../core/session/follow-ups.ts';
import { journalDigest } from '../domain/session/journal.ts';
import { NO_PERSONA } from '../domain/persona.ts';
import { GuardedFiles } from '../core/permissions/guarded-files.ts';
import { strangerIn } from '../core/permissions/stranger-text.ts';
import type { PathGuard } from '../core/permissions/path-guard.ts';
import type { FileSystem } from '../core/ports/files/file-system.ts';
import type { Permissions } from '../core/permissions/permissions.ts';
import type { StartRunPorts } from '../core/run/start-run.ts';
import { noteAt } from '../core/restore/restore-values.ts';
import type { MentionReader } from '../core/tool-call/mention-reader.ts';
import { SecretBook } from '../core/secrets/secret-book.ts';
import { ended } from '../domain/lifetime/ended.ts';
import { lazy, lazyMethods } from '../domain/lifetime/lazy.ts';
import { composeAgents } from './agents/agents.ts';
import { type ChangesKit, composeChanges } from './review/changes.ts';
import { type ReviewKit, composeReview } from './review/review.ts';
import type { CommandGroups } from '../core/review/commands/command-groups.ts';
import type { Reviews } from '../core/review/service/reviews.ts';
import type { AgentChanges } from '../core/restore/agent-changes.ts';
import { composeLanguage } from './language.ts';
import { type EngineBase, type RunSupport, openBase } from './base.ts';
import type { createMentionCall } from './order.ts';
import type { Running, RunningSources } from './running.ts';
import type { EngineTools, ToolSources } from './tools.ts';
import type { Store } from '../store/store.ts';
import type { ApprovalMemory } from '../core/permissions/rules/remembered-approvals.ts';
import { composePermissions } from './permissions.ts';
import type { RestoreKit } from './review/restore.ts';
import { knowsModel, personaModel } from './personas.ts';
import { storedPins } from './egress.ts';
import { warmUp } from './warm-up.ts';
import type { EngineHost } from './engine-host.ts';

export type { EngineHost } from './engine-host.ts';

export interface Engine extends EngineBase, RestoreKit {
  readonly runs: RunSupport;
  /** Absent where the host takes no snapshots of the workspace. */
  readonly changes: AgentChanges | undefined;
  readonly checkpoints: Pick<ChangesKit, 'requests' | 'storage'> | undefined;
  /** Changes beside commands in the background; absent where nothing of it is recorded. */
  readonly beside: BackgroundChanges | undefined;
  /** Removes working copies without changes of runs that were given up. Never rejects. */
  settleAgents(): Promise<void>;
  /** Absent where nobody reviews. */
  readonly reviews: Reviews | undefined;
  /** Changes during commands; absent where nobody reviews or the host takes no snapshots. */
  readonly groups: CommandGroups | undefined;
  readonly tools: EngineTools;
  /** Takes what messages mention. */
  readonly mentions: Pick<MentionReader, keyof MentionReader>;
  /** Skills, commands and instructions that people wrote. */
  readonly customizations: Pick<Customizations, keyof Customizations>;
  readonly guard: PathGuard;
  /** Files as agents have them: what is written with an origin is a pending change. */
  readonly files: FileSystem;
  /** The secret values that are known, for whatever leaves. */
  readonly secrets: Pick<SecretBook, 'mask' | 'maskByTurns' | 'learn' | 'learnByTurns'>;
  readonly permissions: Permissions;
  /** Loads `first` and what a first message needs, in small turns, so that it need not wait for code. Never rejects. */
  warmUp(first: readonly (() => Promise<unknown>)[]): Promise<void>;
}

/** The whole engine at once. */
export async function openEngine(host: EngineHost): Promise<Engine> {
  const base = await openBase(host, async () => engine());
  const engine = lazy(async () => composeEngine(host, base));
  return engine();
}

/** Puts the engine together: with the base, the one place that knows every concrete class. */
export async function composeEngine(given: EngineHost, base: EngineBase): Promise<Engine> {
  const { store, broker, registry, catalog, names, agent, todos, journals, commands } = base;
  const closing = new AbortController();
  const review = await composeReview(given, store);
  const { children, agents, settleLeft, writes } = composeAgents(given, base, () => ({
    files: own,
    guard,
  }));
  const memory = await memoryOf(given, store, children);
  const unreviewed = (path: string): boolean => isUnreviewed(path, review, changes);
  const remembered = { ...memory, names, unreviewed, children };
  const { permissions, guard, egress, host } = composePermissions(given, registry, remembered);
  const own = new GuardedFiles(review.files);
  const language = composeLanguage(host, guard);
  const background = await composeBackground(host, { base, review, closing });
  const { changes } = background;
  const customizations = lazyCustomizations(host, base, guard);
  const followUps = composeFollowUps(host, base);
  const tools = lazyTools(host, {
    agents: { work: async (...order) => agents.work(...order), writes },
    customizations,
    store,
    todos,
    journals,
    followUps,
    egress,
    commands,
    language,
    review,
  });
  // They look for notebooks and for files of instructions: the first run would wait for that.
  const looks = [tools.own, customizations.instructions];
  const prompts = new PromptFiles({ files: host.disk.files, roots: host.workspace.roots }, guard);
  const { secrets } = memory;
  const running = lazyRunning(host, {
    store,
    permissions,
    tools: tools.offered,
    egress,
    language,
    changes,
    broker,
    registry,
    catalog,
    names,
    secrets,
    journals,
    customizations,
    children,
    closing: closing.signal,
  });
  const restoring = lazy(async () => {
    const { composeRestore } = await import('./review/restore.ts');
    return composeRestore(host, { store, agent, registry, changes, reviews: review.reviews });
  });
  return {
    ...base,
    runs: {
      environment: composeEnvironment(host, base, prompts, children),
      persona: composePersona(base, customizations),
      followUps,
      readOnlyTools: async () => (host.workspace.trusted() ? listReadOnly(tools) : undefined),
      reviewNews: (id) => review.news(id),
      running,
    },
    changes: changes?.changes,
    ...lazyRestore(restoring),
    checkpoints: changes,
    beside: changes?.beside,
    reviews: review.reviews,
    groups: changes?.groups,
    settleAgents: async () => settleLeft(host.workspace.roots()),
    tools,
    mentions: lazyMentions(host, tools, { store, permissions, egress }),
    customizations,
    guard,
    files: own,
    secrets,
    permissions,
    warmUp: async (first) =>
      warmUp([...first, ...STEPS, ...looks, running, restoring], host.log, closing.signal),
    dispose: async () =>
      ended(
        async () => agent.dispose(),
        async () => background.dispose(),
        async () => review.dispose(),
        async () => base.dispose(),
      ),
  };
}

/** The agent changed this file, or it changed while a command ran, and the user has not decided yet. */
function isUnreviewed(
  path: string,
  { reviews }: Pick<ReviewKit, 'reviews'>,
  changes: Pick<ChangesKit, 'groups'> | undefined,
): boolean {
  return reviews?.find(path) !== undefined || changes?.groups?.includes(path) === true;
}

function lazyMentions(
  host: EngineHost,
  { offered }: EngineTools,
  parts: Parameters<typeof createMentionCall>[1],
): Engine['mentions'] {
  return lazyMethods(async () => {
    const { createMentionCall: create } = await import('./order.ts');
    const { MentionReader: Reader } = await import('../core/tool-call/mention-reader.ts');
    const { roots } = host.workspace;
    return new Reader({
      call: create(host, parts),
      tools: async () => offered(),
      ids: parts.store.ids,
      roots,
    });
  });
}

/** The code for a first message, in the order of need; small steps first load what others share. */
const STEPS: readonly (() => Promise<unknown>)[] = [
  async () => import('../providers/anthropic/provider.ts'),
  async () => import('../providers/anthropic/sdk.ts'),
  async () => import('./order.ts'),
  async () => import('./running.ts'),
  async () => import('../core/run/start-run.ts'),
  async () => import('../core/permissions/decide.ts'),
  async () => import('../tools/registry.ts'),
  async () => import('./tools.ts'),
  async () => import('../core/permissions/command/shell/shell-syntax.ts'),
  async () => import('../core/permissions/command/judge-command.ts'),
];

/** The tools, which are loaded when they are offered or shown for the first time. */
function lazyTools(host: EngineHost, sources: ToolSources): EngineTools {
  return lazyMethods(async () => {
    const { composeTools } = await import('./tools.ts');
    return composeTools(host, sources);
  });
}

async function listReadOnly({ offered }: EngineTools): Promise<ReadonlySet<string>> {
  const tools = await offered();
  return new Set(tools.filter(({ sideEffects }) => !sideEffects).map(({ name }) => name));
}

function lazyCustomizations(
  { disk, log, settings, workspace, person }: EngineHost,
  { store, catalog }: EngineBase,
  guard: PathGuard,
) {
  const { roots, trusted, focus } = workspace;
  return lazyMethods(async () => {
    const { Customizations: Found } = await import('../core/customizations/customizations.ts');
    const { NestedInstructions: Nested } =
      await import('../core/context/prompt/nested-instructions.ts');
    const nested = new Nested(disk.search, log);
    return new Found({
      files: disk.files,
      guard,
      roots,
      trusted,
      focus,
      home: person.home,
      values: store.values,
      nested: async (folders) => nested.under(folders),
      personas: {
        settings: () => settings('personas'),
        platform: person.personasOf ?? (person.reviewed === true ? 'vscode' : 'headless'),
        knowsModel: (name) => knowsModel({ catalog }, name),
      },
    });
  });
}

function lazyRunning(host: EngineHost, sources: RunningSources): () => Promise<Running> {
  return lazy(async () => {
    const { composeRunning } = await import('./running.ts');
    return composeRunning(host, sources);
  });
}

/** The ways back, each loaded when a person takes one. */
function lazyRestore(kit: () => Promise<RestoreKit>): RestoreKit {
  return {
    restore: lazyMethods(async () => (await kit()).restore),
    redo: lazyMethods(async () => (await kit()).redo),
    fork: lazyMethods(async () => (await kit()).fork),
    turnUndo: lazyMethods(async () => (await kit()).turnUndo),
  };
}

/** Records changes beside commands; also looks for those that earlier processes left behind, nothing waits for that. */
async function composeBackground(
  host: EngineHost,
  parts: {
    readonly base: EngineBase;
    readonly review: ReviewKit;
    readonly closing: AbortController;
  },
): Promise<{ readonly changes: ChangesKit | undefined; dispose(): Promise<void> }> {
  const { base, review, closing } = parts;
  const { store, broker, commands } = base;
  const changes = await composeChanges(host, store, broker, review, commands.background);
  const abandoned = changes?.beside?.recover() ?? commands.background?.stopAbandoned();
  return {
    changes,
    dispose: async () => {
      await commands.dispose();
      await abandoned;
      await changes?.beside?.finish();
      closing.abort();
      await changes?.dispose();
    },
  };
}

/** A persona by its name, with the model that it brings. */
function composePersona(
  base: EngineBase,
  customizations: Pick<Customizations, 'persona'>,
): RunSupport['persona'] {
  return async (model, name = '') => {
    const inForce = await customizations.persona(name);
    const chosen = personaModel(inForce, model, base);
    return { name: inForce.name, ...(chosen === undefined ? {} : { model: chosen }) };
  };
}

/** Prompts that come back into their sessions while this process is open. */
function composeFollowUps(
  { clock, log, workspace, tools }: EngineHost,
  { store, broker }: EngineBase,
): FollowUps {
  const { followUps: records, transcripts, ids } = store;
  const staysOpen = tools.staysOpen === true;
  const { trusted } = workspace;
  return new FollowUps({ records, transcripts, clock, ids, broker, log, trusted, staysOpen });
}

/** The note beside the person's message. */
function composeEnvironment(
  { workspace }: EngineHost,
  { store: { values }, commands, registry, journals }: EngineBase,
  promptFiles: PromptFiles,
  children: Pick<Children, 'get'>,
): StartRunPorts['environment'] {
  return async (sessionId, previous, cursor) => {
    const child = children.get(sessionId);
    if (child !== undefined)
      return environmentText({ ...workspace.environment(), roots: child.rights.roots }, previous);
    const [noted, restored] = await Promise.all([
      journals.read(sessionId),
      noteAt(values, sessionId, cursor),
    ]);
    const journal = journalDigest(noted);
    const background = commands.notes(sessionId);
    const { persona } = registry.optionsOf(sessionId);
    return environmentText(
      {
        ...workspace.environment(),
        ...(workspace.seen === undefined ? {} : await mayBeShown(workspace.seen(), promptFiles)),
        background,
        ...(persona === '' || persona === NO_PERSONA ? {} : { persona }),
        ...(restored === undefined ? {} : { restored }),
        ...(journal === '' ? {} : { journal }),
      },
      previous,
    );
  };
}

/** The person's yes for this workspace, once given, and the known secret values. */
async function memoryOf(host: EngineHost, store: Store, children: Pick<Children, 'get'>) {
  const key = 'remembered-approvals';
  const project: ApprovalMemory = {
    read: async () => store.values.get(key),
    write: async (value) => store.values.set(key, value),
  };
  return {
    pins: await storedPins(host, store),
    stranger: async (sessionId: string): Promise<string | undefined> => {
      if (!host.workspace.trusted()) return 'this workspace, which is not trusted';
      for (let id: string | undefined = sessionId; id !== undefined;) {
        const origin = await strangerIn(store.transcripts, id);
        if (origin !== undefined) return origin;
        // A task may say what its parent has read.
        id = children.get(id)?.parentId;
      }
      return undefined;
    },
    project,
    secrets: new SecretBook(host.model.secrets),
  };
}
