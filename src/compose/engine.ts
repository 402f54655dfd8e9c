import type { BackgroundChanges } from '../core/background/background-changes.ts';
import { environmentText, mayBeShown } from '../core/context/prompt/environment.ts';
import { PromptFiles } from '../core/context/prompt/prompt-files.ts';
import type { Customizations } from '../core/customizations/customizations.ts';
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
import { lazy, lazyMethods } from '../domain/lazy.ts';
import { type ChangesKit, composeChanges } from './changes.ts';
import { type ReviewKit, composeReview } from './review.ts';
import type { Reviews } from '../core/review/service/reviews.ts';
import type { AgentChanges } from '../core/restore/agent-changes.ts';
import { composeLanguage } from './language.ts';
import { type EngineBase, type RunSupport, openBase } from './base.ts';
import type { Running, RunningSources } from './running.ts';
import type { EngineTools, ToolSources } from './tools.ts';
import type { Store } from '../store/store.ts';
import type { ProjectMemory } from '../core/permissions/rules/project-yes.ts';
import { composePermissions } from './permissions.ts';
import type { RestoreKit } from './restore.ts';
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
  /** Absent where nobody reviews. */
  readonly reviews: Reviews | undefined;
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
  const { store, broker, registry, catalog, names, agent, todos, commands } = base;
  const closing = new AbortController();
  const memory = await memoryOf(given, store);
  const review = await composeReview(given, store);
  const remembered = { ...memory, names, unreviewed: review.unreviewed };
  const { permissions, guard, egress, host } = composePermissions(given, registry, remembered);
  const language = composeLanguage(host, guard);
  const background = composeBackground(host, { base, review, closing });
  const { changes } = background;
  const customizations = lazyCustomizations(host, base, guard);
  const tools = lazyTools(host, {
    customizations,
    store,
    todos,
    egress,
    commands,
    language,
    review,
  });
  // They look for notebooks and for files of instructions: the first run would wait for that.
  const looks = [tools.own, customizations.instructions];
  const { files } = host.disk;
  const promptFiles = new PromptFiles({ files, roots: host.workspace.roots }, guard);
  const { secrets } = memory;
  const running = lazyRunning(host, {
    store,
    permissions,
    tools: tools.offered,
    egress,
    language,
    changes,
    review,
    broker,
    registry,
    catalog,
    names,
    secrets,
    customizations,
    closing: closing.signal,
  });
  const restoring = lazy(async () => {
    const { composeRestore } = await import('./restore.ts');
    return composeRestore(host, { store, agent, registry, changes });
  });
  return {
    ...base,
    runs: {
      environment: composeEnvironment(host, base, promptFiles),
      persona: async (model, name = '') => {
        const inForce = await customizations.persona(name);
        const chosen = personaModel(inForce, model, base);
        return { name: inForce.name, ...(chosen === undefined ? {} : { model: chosen }) };
      },
      reviewNews: (id) => review.news(id),
      running,
    },
    changes: changes?.changes,
    ...lazyRestore(restoring),
    checkpoints: changes,
    beside: changes?.beside,
    reviews: review.reviews,
    tools,
    mentions: lazyMethods(async () => {
      const { createMentionCall } = await import('./order.ts');
      const { MentionReader: Reader } = await import('../core/tool-call/mention-reader.ts');
      const call = createMentionCall(host, { store, permissions, egress });
      return new Reader({
        call,
        tools: tools.offered,
        ids: store.ids,
        roots: host.workspace.roots,
      });
    }),
    customizations,
    guard,
    files: new GuardedFiles(review.files),
    secrets,
    permissions,
    warmUp: async (first) =>
      warmUp([...first, ...STEPS, ...looks, running, restoring], host.log, closing.signal),
    dispose: async () => {
      await agent.dispose();
      await background.dispose();
      await review.dispose();
      await base.dispose();
    },
  };
}

/** The code for a first message, in the order of need; small steps first load what others share. */
const STEPS: readonly (() => Promise<unknown>)[] = [
  async () => import('../providers/anthropic/provider.ts'),
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
        platform: person.reviewed === true ? 'vscode' : 'headless',
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
  };
}

/** Records changes beside commands; also looks for those that earlier processes left behind, nothing waits for that. */
function composeBackground(
  host: EngineHost,
  parts: {
    readonly base: EngineBase;
    readonly review: ReviewKit;
    readonly closing: AbortController;
  },
): { readonly changes: ChangesKit | undefined; dispose(): Promise<void> } {
  const { base, review, closing } = parts;
  const { store, broker, commands } = base;
  const changes = composeChanges(host, store, broker, review, commands.background);
  const abandoned = changes?.beside?.recover() ?? commands.background?.stopAbandoned();
  return {
    changes,
    dispose: async () => {
      await commands.dispose();
      await abandoned;
      await changes?.beside?.finish();
      closing.abort();
      changes?.dispose();
    },
  };
}

/** The note beside the person's message. */
function composeEnvironment(
  { workspace }: EngineHost,
  { store: { values }, commands, registry }: EngineBase,
  promptFiles: PromptFiles,
): StartRunPorts['environment'] {
  return async (sessionId, previous, cursor) => {
    const restored = await noteAt(values, sessionId, cursor);
    const background = commands.notes(sessionId);
    const { persona } = registry.optionsOf(sessionId);
    return environmentText(
      {
        ...workspace.environment(),
        ...(workspace.seen === undefined ? {} : await mayBeShown(workspace.seen(), promptFiles)),
        background,
        ...(persona === '' || persona === NO_PERSONA ? {} : { persona }),
        ...(restored === undefined ? {} : { restored }),
      },
      previous,
    );
  };
}

/** The person's yes for this workspace, once given, and the known secret values. */
async function memoryOf(host: EngineHost, store: Store) {
  const key = 'project-yes';
  const project: ProjectMemory = {
    read: async () => store.values.get(key),
    write: async (value) => store.values.set(key, value),
  };
  return {
    pins: await storedPins(host, store),
    stranger: async (sessionId: string): Promise<string | undefined> =>
      host.workspace.trusted()
        ? strangerIn(store.transcripts, sessionId)
        : 'this workspace, which is not trusted',
    project,
    secrets: new SecretBook(host.model.secrets),
  };
}
