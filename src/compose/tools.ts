import type { Customizations } from '../core/customizations/customizations.ts';
import { isWithin, type ToolLimits } from '../core/customizations/persona.ts';
import { GuardedFiles } from '../core/permissions/guarded-files.ts';
import type { EgressGuard } from './egress.ts';
import type { TodoLists } from '../core/session/todo-lists.ts';
import { offeredTools, toolRows } from '../core/tool-call/offered-tools.ts';
import type { OfferRules, ToolRow } from '../core/tool-call/offered-tools.ts';
import type { Tool } from '../core/tool-call/tool-call.ts';
import { deferLimit, withFindTool } from '../core/tool-call/find-tool.ts';
import { withUseTool } from '../core/tool-call/use-tool.ts';
import type { Commands } from './commands.ts';
import type { ReviewKit } from './review.ts';
import type { EngineHost } from './engine-host.ts';
import type { Store } from '../store/store.ts';
import type { LanguageKit } from '../tools/language/language-kit.ts';
import { ReadState } from '../tools/editing/read-state.ts';
import { createTools } from '../tools/registry.ts';

/** The engine's parts for tools, beside the host's. */
export interface ToolSources {
  readonly store: Store;
  readonly todos: TodoLists;
  readonly egress: EgressGuard;
  readonly commands: Commands;
  /** Only where there are language servers. */
  readonly language: LanguageKit | undefined;
  readonly customizations: Pick<Customizations, 'hasSkills' | 'readSkill'>;
  readonly review: Pick<ReviewKit, 'files' | 'operations' | 'search' | 'isProposed' | 'reviews'>;
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

/** The tools there are. */
export interface EngineTools {
  /**
   * `contextLimit`: tokens that a request to the model may have, where it is known. `limits`: what a persona leaves of
   * them.
   */
  readonly offered: (contextLimit?: number, limits?: ToolLimits) => Promise<readonly Tool[]>;
  /** Those that are no server's, rare ones too. */
  readonly own: () => Promise<readonly Tool[]>;
  /** All of them, with the reason for those that are not offered. */
  readonly rows: () => Promise<readonly ToolRow[]>;
}

/**
 * The tools on offer, asked for at the start of each run: the built-in ones first, so that servers that
 * come and go change only the end; only those whose needs are there (E11), and that the level has (A5).
 */
export function composeTools(
  host: EngineHost,
  { store, todos, egress, commands, language, review, customizations }: ToolSources,
): EngineTools {
  const { git, web, tasks, notebooks, mcpTools, extensionTools } = host.tools;
  const { roots } = host.workspace;
  const { shell, spool } = host.commands;
  const { background, blobs } = commands;
  const { ignored, encodings, pdf } = host.disk;
  const { operations, search, isProposed } = review;
  const files = new GuardedFiles(review.files);
  const hasNotebooks = notebookFinder(host);
  const builtIn = createTools({
    disk: {
      files,
      operations,
      search,
      ignored,
      encodings,
      pdf,
      isProposed,
      hasNotebooks,
      skills: customizations,
    },
    commands: { shell, spool, tasks, background, blobs },
    readState: new ReadState((...asked) => review.reviews?.records.hasTold(...asked) === true),
    human: host.person.human,
    records: {
      todos,
      memories: {
        records: store.memories,
        enabled: () => host.settings('memory.enabled'),
        mask: async (text) => egress.secrets.maskByTurns(text),
      },
    },
    web: web && { web, hosts: egress.hosts },
    git: git && { git, roots },
    notebooks,
    language,
    settings: host.settings,
    clock: host.clock,
    ids: store.ids,
  });
  const rules = (): OfferRules => ({
    level: host.person.level(),
    disabled: host.settings('tools.disabled'),
  });
  const own = (): readonly Tool[] => [...builtIn, ...(extensionTools?.() ?? [])];
  return {
    offered: async (contextLimit = Infinity, limits) => {
      const within = (tools: readonly Tool[]) => tools.filter((tool) => isWithin(limits, tool));
      const all = await offeredTools(within(await mcpTools()), rules());
      const servers = withFindTool(all, deferLimit(host.settings, contextLimit));
      const found = servers.filter(({ rare }) => rare === true);
      return [...withUseTool(await offeredTools(within(own()), rules()), found), ...servers];
    },
    own: async () => offeredTools(own(), rules()),
    rows: async () => toolRows([...own(), ...(await mcpTools())], rules()),
  };
}
