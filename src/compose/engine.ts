import type { Children } from '../core/agents/children.ts';
import type { BackgroundChanges } from '../core/background/background-changes.ts';
import { environmentText, mayBeShown } from '../core/context/prompt/environment.ts';
import { PromptFiles } from '../core/context/prompt/prompt-files.ts';
import { Customizations } from '../core/customizations/customizations.ts';
import { NestedInstructions } from '../core/context/prompt/nested-instructions.ts';
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
import { MentionReader } from '../core/tool-call/mention-reader.ts';
import { SecretBook } from '../core/secrets/secret-book.ts';
import { ended } from '../domain/lifetime/ended.ts';
import { lazy } from '../domain/lifetime/lazy.ts';
import { composeAgents } from './agents/agents.ts';
import { type ChangesKit, composeChanges } from './review/changes.ts';
import { type ReviewKit, composeReview } from './review/review.ts';
import type { CommandGroups } from '../core/review/commands/command-groups.ts';
import type { Reviews } from '../core/review/service/reviews.ts';
import type { AgentChanges } from '../core/restore/agent-changes.ts';
import { composeLanguage } from './language.ts';
import { type EngineBase, type RunSupport, openBase } from './base.ts';
import { createMentionCall } from './order.ts';
import { composeRunning } from './running.ts';
import { composeTools, type EngineTools } from './tools.ts';
import type { Store } from '../store/store.ts';
import type { ApprovalMemory } from '../core/permissions/rules/remembered-approvals.ts';
import { composePermissions } from './permissions.ts';
import { composeRestore, type RestoreKit } from './review/restore.ts';
import { knowsModel, personaModel } from './personas.ts';
import { storedPins } from './egress.ts';
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
  readonly mentions: MentionReader;
  /** Skills, commands and instructions that people wrote. */
  readonly customizations: Customizations;
  readonly guard: PathGuard;
  /** Files as agents have them: what is written with an origin is a pending change. */
  readonly files: FileSystem;
  /** The secret values that are known, for whatever leaves. */
  readonly secrets: Pick<SecretBook, 'mask' | 'maskByTurns' | 'learn' | 'learnByTurns'>;
  readonly permissions: Permissions;
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
  const customizations = composeCustomizations(host, base, guard);
  const followUps = composeFollowUps(host, base);
  const tools = composeTools(host, {
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
  const prompts = new PromptFiles({ files: host.disk.files, roots: host.workspace.roots }, guard);
  const { secrets } = memory;
  const running = composeRunning(host, {
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
    ...composeRestore(host, { store, agent, registry, changes, reviews: review.reviews }),
    checkpoints: changes,
    beside: changes?.beside,
    reviews: review.reviews,
    groups: changes?.groups,
    settleAgents: async () => settleLeft(host.workspace.roots()),
    tools,
    mentions: new MentionReader({
      call: createMentionCall(host, { store, permissions, egress }),
      tools: async () => tools.offered(),
      ids: store.ids,
      roots: host.workspace.roots,
    }),
    customizations,
    guard,
    files: own,
    secrets,
    permissions,
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

async function listReadOnly({ offered }: EngineTools): Promise<ReadonlySet<string>> {
  const tools = await offered();
  return new Set(tools.filter(({ sideEffects }) => !sideEffects).map(({ name }) => name));
}

function composeCustomizations(
  { disk, log, settings, workspace, person }: EngineHost,
  { store, catalog }: EngineBase,
  guard: PathGuard,
): Customizations {
  const { roots, trusted, focus } = workspace;
  const nested = new NestedInstructions(disk.search, log);
  return new Customizations({
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
