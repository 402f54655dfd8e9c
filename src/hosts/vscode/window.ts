import type { AgentService } from '../../core/run/agent-service.ts';
import type { BackgroundCommands } from '../../core/background/background-commands.ts';
import type { EventBroker } from '../../core/session/event-broker.ts';
import type { PathGuard } from '../../core/permissions/path-guard.ts';
import type { Blobs } from '../../core/ports/store/blobs.ts';
import type { Clock } from '../../core/ports/clock.ts';
import type { Disposable } from '../../domain/disposable.ts';
import type { FileSystem } from '../../core/ports/files/file-system.ts';
import type { Ids } from '../../core/ports/ids.ts';
import type { RunRecords } from '../../core/ports/store/run-records.ts';
import type { Transcripts } from '../../core/ports/store/transcripts.ts';
import type { Values } from '../../core/ports/store/values.ts';
import type { Reviews } from '../../core/review/service/reviews.ts';
import type { SessionRedo } from '../../core/restore/session-redo.ts';
import type { TodoLists } from '../../core/session/todo-lists.ts';
import type { ModelInfo } from '../../domain/model.ts';
import { Activity } from '../../core/session/session-activity.ts';
import type { CommandHandlers } from './commands/register.ts';
import { lazyMethods } from '../../domain/lazy.ts';
import { tellingFailures } from './commands/register.ts';
import type { CommandServices, McpServerRow, SessionSnapshots } from './commands/services.ts';
import { ContextKeys } from './status-bar/context-keys.ts';
import { editorServices } from './panel/editor-services.ts';
import { FinishedEdits } from './panel/finished-edits.ts';
import type { Host } from './host.ts';
import { Attention } from './human/attention.ts';
import type { Pending } from '../../window/approvals/approval-queue.ts';
import { AskedReviews } from '../../window/approvals/asked-reviews.ts';
import { Indicators } from './status-bar/indicators.ts';
import { Lifetime } from '../../domain/lifetime.ts';
import { PanelView } from './panel/panel-view.ts';
import { WindowSetup } from './panel/panel-setup.ts';
import { PanelHost } from '../../panel/panel-host.ts';
import { panelReviewing } from './panel/panel-reviewing.ts';
import type { PanelOthers, PanelRules } from '../../panel/services.ts';
import { RequestNames } from '../../panel/session/request-names.ts';
import { PanelViewProvider } from './panel/view-provider.ts';
import { RunningCommands } from './pending/watching/agent-commands.ts';
import { PendingControls } from './pending/pending-controls.ts';
import { PendingWindow } from './pending/pending-window.ts';
import type { SessionTransfer } from './commands/session-files.ts';
import { StoredPanelMemory } from './state/panel-memory.ts';
import { SessionIndex } from './state/session-index.ts';
import { StatusBar } from './status-bar/status-bar.ts';

/** What the window shows and drives. */
export interface WindowCore {
  readonly agent: AgentService;
  readonly broker: EventBroker;
  readonly transcripts: Transcripts;
  readonly runs: RunRecords;
  readonly background: BackgroundCommands | undefined;
  readonly todos: TodoLists;
  readonly blobs: Pick<Blobs, 'result'>;
  readonly values: Values;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly files: FileSystem;
  readonly guard: PathGuard;
  readonly transfer: SessionTransfer;
  readonly snapshots: SessionSnapshots;
  readonly restore: CommandServices['restore'];
  readonly checkpoints: CommandServices['checkpoints'];
  readonly redo: Pick<SessionRedo, keyof SessionRedo>;
  readonly fork: CommandServices['fork'];
  readonly reviews: Reviews | undefined;
  readonly others: PanelOthers;
  readonly models: {
    /** Those that can be chosen now. */
    list(): readonly ModelInfo[];
    /** Id of the model that works without a key. */
    readonly demo: string;
    /** For new sessions, where the setting names none. */
    forNewSessions(hasKey: boolean): string;
  };
  readonly tools: CommandServices['tools'];
  /** The permission rules, for their page. */
  readonly rules: PanelRules;
  readonly mcp: {
    servers(): readonly McpServerRow[];
    restart(name: string): Promise<void>;
    log(name: string): readonly string[];
    /** Servers that do not run although they should, a sentence each. */
    problems(): readonly string[];
    onChange(listener: () => void): Disposable;
  };
}

/** What stands in VS Code's window for the person: panel, reviews, notifications, status bar, commands. */
export interface BelayWindow extends Disposable {
  readonly panel: PanelHost;
}

export async function openWindow(host: Host, core: WindowCore): Promise<BelayWindow> {
  const { log, desk, state, apiKey, settings, workspace } = host;
  const lifetime = new Lifetime((error) => log.error('Something could not be released.', error));
  const sessions = lifetime.add(new SessionIndex(state, core, log));
  const titleOf = (sessionId: string): string | undefined => sessions.find(sessionId)?.title;
  const setup = lifetime.add(await setUp(host, core));
  const editor = editorServices({
    apiKey,
    finished: lifetime.add(new FinishedEdits()),
    links: {
      roots: () => workspace.roots,
      files: core.files,
      guard: core.guard,
      isProposed: (path) => core.reviews?.find('proposed', path) !== undefined,
      showProposed: async (path, line) =>
        pending?.diffs.open({ kind: 'proposed', path }, line === undefined ? {} : { line }),
    },
    ids: core.ids,
    transfer: core.transfer,
    titleOf,
    showLog: host.showLog,
  });
  const panel = lifetime.add(
    new PanelHost({
      ...core,
      service: core.agent,
      sessions,
      desk,
      editor,
      reviewing: panelReviewing(
        core.reviews,
        () => workspace.roots,
        () => controls,
      ),
      setup,
      memory: await StoredPanelMemory.open({ state, values: core.values, clock: core.clock, log }),
      log,
    }),
  );
  const provider = lifetime.add(new PanelViewProvider(host.extension.uri, panel));
  const view: PanelView = lifetime.add(new PanelView(panel, provider, host.doors));
  const show = async (asked: Pending): Promise<void> => {
    const { sessionId } = asked.question;
    if (view.sessionId !== sessionId) await view.openSession(sessionId);
    await view.reveal('focus_waiting');
    const edit = asked.kind === 'approval' ? asked.question.edit : undefined;
    if (edit !== undefined) await pending?.diffs.open({ kind: 'asked', path: edit.path });
  };
  const { pending, controls } = reviewing(lifetime, { host, core, titleOf, panel, view });
  lifetime.add(new Attention({ desk, panel: view, log, titleOf, show, changes: controls }));
  const activity = lifetime.add(new Activity(core.broker));
  lifetime.add(
    new Indicators({
      activity,
      desk,
      apiKey,
      statusBar: lifetime.add(new StatusBar()),
      keys: new ContextKeys(),
      changes: controls,
      panel: view,
      sessions,
      hasMcpServers: () => core.mcp.servers().length > 0,
      onMcpServersChange: (listener) => core.mcp.onChange(listener),
      background: core.background,
    }),
  );
  const services: CommandServices = {
    ...core,
    sessions,
    panel: view,
    desk,
    pending,
    controls,
    show,
    apiKey,
    models: () => core.models.list(),
    settings: settings.get,
    trusted: () => workspace.trusted,
    showLog: host.showLog,
    events: (sessionId, limit) => core.transcripts.events(sessionId, undefined, limit),
  };
  host.doors.openCommands(tellingFailures(lazyHandlers(services), log));
  settings.check();
  log.info('Belay is ready.', { milliseconds: Math.round(performance.now() - host.startedAt) });
  return { panel, dispose: () => lifetime.dispose() };
}

/** What commands do, loaded when the first one is used. */
function lazyHandlers(services: CommandServices): CommandHandlers {
  return lazyMethods(async () => {
    const { commandHandlers } = await import('./commands/handlers.ts');
    return commandHandlers(services);
  });
}

/** Key, trust, folders, models and defaults, as they are in the window. */
function setUp(
  { apiKey, settings, workspace }: Host,
  { models, mcp }: WindowCore,
): Promise<WindowSetup> {
  return WindowSetup.make({
    apiKey,
    settings,
    workspace,
    models: () => models.list(),
    demoModel: models.demo,
    servers: mcp,
    defaultModel: (hasKey) => models.forNewSessions(hasKey),
  });
}

/** Pending changes, and what a person presses to decide about them. */
function reviewing(
  lifetime: Lifetime,
  { host: { desk, log, settings }, core, titleOf, panel, view }: ReviewingParts,
): { readonly pending: PendingWindow | undefined; readonly controls: PendingControls | undefined } {
  const { reviews, agent, broker, values, clock } = core;
  if (reviews === undefined) return { pending: undefined, controls: undefined };
  const commands = lifetime.add(new RunningCommands(broker));
  const names = lifetime.add(
    new RequestNames({
      transcripts: core.transcripts,
      broker,
      log,
      onLearned: () => controls.lenses.refresh(),
    }),
  );
  const pending = lifetime.add(new PendingWindow({ reviews, log, commands }));
  lifetime.add(
    new AskedReviews({
      desk,
      reviews,
      values,
      clock,
      log,
      // Where the person looks at its session; else a notification says that it waits.
      onAsked: async (path, sessionId) => {
        if (view.shownSession === sessionId)
          await pending.diffs.open({ kind: 'asked', path }, { preserveFocus: true });
      },
    }),
  );
  const controls: PendingControls = new PendingControls({
    window: pending,
    titleOf,
    requestText: (sessionId, messageId) => names.text(sessionId, messageId),
    shownSession: () => view.sessionId,
    // At the next step of a run that is on: it is about what the agent is doing.
    send: async (sessionId, text) => {
      await agent.send(sessionId, { text, how: 'steer' });
      panel.refreshQueue();
    },
    isOn: () => settings.get('review.codeLens'),
    onSettingChanged: (listener) =>
      settings.onChanged((keys) => {
        if (keys.has('review.codeLens')) listener();
      }),
    onError: (error) => log.error('Pending changes could not be shown.', error),
  });
  return { pending, controls: lifetime.add(controls) };
}

interface ReviewingParts {
  readonly host: Pick<Host, 'desk' | 'log' | 'settings'>;
  readonly core: Pick<
    WindowCore,
    'agent' | 'broker' | 'reviews' | 'transcripts' | 'values' | 'clock'
  >;
  readonly titleOf: (sessionId: string) => string | undefined;
  readonly panel: Pick<PanelHost, 'refreshQueue'>;
  readonly view: Pick<PanelView, 'sessionId' | 'shownSession'>;
}
