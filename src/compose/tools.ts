import type { Customizations } from '../core/customizations/customizations.ts';
import { isWithin, type ToolLimits } from '../core/customizations/persona.ts';
import { GuardedFiles } from '../core/permissions/guarded-files.ts';
import type { EgressGuard } from './egress.ts';
import type { FollowUps } from '../core/session/follow-ups.ts';
import type { Journals } from '../core/session/journals.ts';
import type { TodoLists } from '../core/session/todo-lists.ts';
import { changesLevels } from '../domain/settings/owner-settings.ts';
import { offeredTools, toolRows } from '../core/tool-call/offered-tools.ts';
import type { OfferRules, ToolRow } from '../core/tool-call/offered-tools.ts';
import type { Tool } from '../core/tool-call/tool-call.ts';
import { FIND_TOOL, deferLimit, withFindTool } from '../core/tool-call/find-tool.ts';
import { USE_TOOL, withUseTool } from '../core/tool-call/use-tool.ts';
import type { Commands } from './commands.ts';
import type { ReviewKit } from './review/review.ts';
import type { EngineHost } from './engine-host.ts';
import type { Store } from '../store/store.ts';
import type { LanguageKit } from '../tools/language/language-kit.ts';
import { ReadState } from '../tools/editing/read-state.ts';
import type { ToolParts, ToolRecords } from '../tools/tool-parts.ts';
import { createTools } from '../tools/registry.ts';

/** The engine's parts for tools, beside the host's. */
export interface ToolSources {
  readonly agents: NonNullable<ToolRecords['agents']>;
  readonly store: Store;
  readonly todos: TodoLists;
  readonly journals: Journals;
  readonly followUps: FollowUps;
  readonly egress: EgressGuard;
  readonly commands: Commands;
  /** Only where there are language servers. */
  readonly language: LanguageKit | undefined;
  readonly customizations: Pick<Customizations, 'hasOwnPersonas' | 'hasSkills' | 'readSkill'>;
  readonly review: Pick<ReviewKit, 'files' | 'operations' | 'reviews'>;
}

/** Milliseconds that the start of a run waits for the look; one that takes longer counts for the next run. */
const LOOK = 100;
/** Milliseconds until it is looked again where none was found. */
const LOOK_AGAIN = 60_000;

/** Finds out if there is a notebook in the workspace. One that was found once is not looked for again. */
function notebookFinder({
  disk: { search },
  workspace,
  clock,
  log,
}: EngineHost): () => Promise<boolean> {
  let found = false;
  let lookedAt = -Infinity;
  const look = async (): Promise<void> => {
    const signal = AbortSignal.timeout(LOOK_AGAIN);
    for (const root of workspace.roots()) {
      const { paths } = await search.files({ root, pattern: '*.ipynb', limit: 1 }, signal);
      found ||= paths.length > 0;
    }
  };
  return async () => {
    if (found || clock.monotonic() - lookedAt < LOOK_AGAIN) return found;
    lookedAt = clock.monotonic();
    const looking = look().catch((error: unknown) =>
      log.warn('Notebooks could not be looked for.', { reason: String(error) }),
    );
    await Promise.race([looking, clock.sleep(LOOK)]);
    return found;
  };
}

/** A value that is made when it is first asked for. */
function lazyValue<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => (made ??= { value: make() }).value;
}

function createReadState(
  { clock }: EngineHost,
  { store, review }: Pick<ToolSources, 'store' | 'review'>,
): ReadState {
  return new ReadState(
    store.values,
    clock,
    (...asked) => review.reviews?.records.hasTold(...asked) === true,
  );
}

/** Keys are secrets from the moment that they are read. */
function searchOf(
  { tools: { webSearch: search }, settings }: EngineHost,
  { secrets }: EgressGuard,
) {
  return (
    search && {
      ...search,
      service: () => settings('webSearch.service'),
      url: () => settings('webSearch.url'),
      key: async (...asked: Parameters<typeof search.key>) => {
        const key = await search.key(...asked);
        if (key !== undefined) secrets.add(key, 'your key for searching the web');
        return key;
      },
    }
  );
}

/** Decides which tools are offered. */
export interface ToolOrder {
  /** Tokens that a request to the model may have. Absent: not known. */
  readonly contextLimit?: number;
  /** The tools that a persona leaves. */
  readonly limits?: ToolLimits | undefined;
  /** Files as they are on disk, which nobody reviews, for a working copy. */
  readonly files?: 'plain' | undefined;
  /** A run starts with them. */
  readonly moment?: 'start';
  /** The tools that a run was offered before: those that are no server's stay as they are. */
  readonly before?: readonly Tool[];
}

const isOwn = ({ name, server }: Tool): boolean =>
  server === undefined && name !== USE_TOOL && name !== FIND_TOOL;

const isRare = ({ rare }: Tool): boolean => rare === true;

/** For a working copy: there are no open editors, and no language server knows it. */
const plainParts = (
  parts: ToolParts,
  { disk: { files, operations, search }, clock }: EngineHost,
  { values }: Store,
): ToolParts => ({
  ...parts,
  disk: {
    ...parts.disk,
    files: new GuardedFiles(files),
    operations,
    search,
  },
  readState: new ReadState(values, clock),
  commands: { ...parts.commands, tasks: undefined },
  notebooks: undefined,
  language: undefined,
});

/** The settings for tools of owners, which are hidden until the user uses levels. */
function composeOwnerSettings(
  { settings, person: { writeSetting } }: EngineHost,
  { customizations }: ToolSources,
): ToolParts['ownerSettings'] {
  return (
    writeSetting && {
      write: writeSetting,
      areUsed: async () => changesLevels(settings) || (await customizations.hasOwnPersonas()),
    }
  );
}

/** The tools there are. */
export interface EngineTools {
  readonly offered: (order?: ToolOrder) => Promise<readonly Tool[]>;
  /** Those that are no server's, rare ones too. */
  readonly own: () => Promise<readonly Tool[]>;
  /** One of those by its name, offered or not. */
  readonly named: (name: string) => Promise<Tool | undefined>;
  /** All of them, with the reason for those that are not offered. */
  readonly rows: () => Promise<readonly ToolRow[]>;
}

/**
 * The tools on offer, asked for at the start of each run and before each of its requests: the built-in ones first, so
 * that servers that come and go change only the end; only those whose needs are there (E11), and that the level has (A5).
 */
export function composeTools(host: EngineHost, sources: ToolSources): EngineTools {
  const { agents, store, todos, journals, followUps, egress } = sources;
  const { commands, language, review, customizations } = sources;
  const { git, web, tasks, notebooks, mcpTools, extensionTools } = host.tools;
  const { roots } = host.workspace;
  const { shell, spool } = host.commands;
  const ownerSettings = composeOwnerSettings(host, sources);
  const { background, blobs } = commands;
  const { search, ignored, encodings, pdf, sheets } = host.disk;
  const { operations } = review;
  const files = new GuardedFiles(review.files);
  const hasNotebooks = notebookFinder(host);
  const parts: ToolParts = {
    disk: {
      files,
      operations,
      search,
      ignored,
      encodings,
      pdf,
      sheets,
      hasNotebooks,
      skills: customizations,
    },
    commands: { shell, roots, spool, tasks, background, blobs },
    readState: createReadState(host, sources),
    human: host.person.human,
    records: {
      agents,
      todos,
      journals: {
        records: journals,
        mask: async (text) => egress.secrets.maskByTurns(text),
      },
      followUps:
        host.tools.staysOpen === true
          ? { service: followUps, mask: async (text) => egress.secrets.maskByTurns(text) }
          : undefined,
      attachments: store.blobs,
      memories: {
        records: store.memories,
        enabled: () => host.settings('memory.enabled'),
        mask: async (text) => egress.secrets.maskByTurns(text),
      },
    },
    web: web && { web, hosts: egress.hosts, search: searchOf(host, egress) },
    git: git && { git, roots },
    notebooks,
    language,
    settings: host.settings,
    ownerSettings,
    clock: host.clock,
    ids: store.ids,
  };
  const builtIn = createTools(parts);
  const plain = lazyValue(() => createTools(plainParts(parts, host, store)));
  const rules = (): OfferRules => ({
    level: host.person.level(),
    disabled: host.settings('tools.disabled'),
  });
  const own = (): readonly Tool[] => [...builtIn, ...(extensionTools?.() ?? [])];
  return {
    offered: async ({ contextLimit = Infinity, limits, files: as, moment, before } = {}) => {
      const within = (tools: readonly Tool[]) => tools.filter((tool) => isWithin(limits, tool));
      const all = await offeredTools(within(await mcpTools(moment)), rules());
      const servers = withFindTool(all, deferLimit(host.settings, contextLimit));
      const candidates = (): readonly Tool[] => within(as === 'plain' ? plain() : own());
      const mine = before?.filter(isOwn) ?? (await offeredTools(candidates(), rules()));
      return [...withUseTool(mine, servers.filter(isRare)), ...servers];
    },
    own: async () => offeredTools(own(), rules()),
    named: async (wanted) => Promise.resolve(own().find(({ name }) => name === wanted)),
    rows: async () => {
      const areShown = (await ownerSettings?.areUsed()) === true;
      const shown = own().filter(({ level }) => level !== 'owner' || areShown);
      return toolRows([...shown, ...(await mcpTools())], rules());
    },
  };
}
