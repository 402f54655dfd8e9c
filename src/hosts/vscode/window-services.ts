import type { Clock } from '../../core/ports/clock.ts';
import type { FileSystem } from '../../core/ports/files/file-system.ts';
import type { TextEncodings } from '../../core/ports/files/text-encodings.ts';
import type { Reviews } from '../../core/review/service/reviews.ts';
import type { ContextTools } from '../../mcp/server/context-tools.ts';
import { Activity } from '../../core/session/session-activity.ts';
import { Lifetime } from '../../domain/lifetime/lifetime.ts';
import { CenterTab } from './center/center-tab.ts';
import type { CenterHost } from '../../panel/center/center-host.ts';
import type { PanelInput, PanelProviders, PanelRules } from '../../panel/services.ts';
import type { CenterPlace } from '../../protocol/center/messages.ts';
import { RequestNames } from '../../panel/session/request-names.ts';
import { CommentAnswers } from '../../window/pending/comment-answers.ts';
import { ApprovalDiffs } from './pending/approval-diffs.ts';
import type { LinkParts } from '../../panel/file-target.ts';
import { appContextMention } from '../../panel/input/sources/app-context.ts';
import type { AskServices } from './commands/asks.ts';
import type { CommandServices, WindowServers } from './commands/services.ts';
import type { Host } from './host.ts';
import { Asking } from './asks/asking.ts';
import { CommitMessages, readChanges } from './asks/commit-message.ts';
import { Attention } from './human/attention.ts';
import { AppContexts } from '../../window/apps/app-contexts.ts';
import { tellEnds } from './human/background-ends.ts';
import { AppTabs } from './apps/app-tabs.ts';
import { type EditorParts, editorServices } from './panel/editor-services.ts';
import { DiagramTabs } from './diagrams/diagram-tabs.ts';
import { FinishedEdits } from './panel/finished-edits.ts';
import { type InputGround, windowInput } from './panel/message-input.ts';
import { windowCode } from './code/code-blocks.ts';
import { commandHandlers } from './commands/handlers.ts';
import { nativeSurfaces } from './native-chat/native-surfaces.ts';
import { openExternal, openLink } from './panel/links.ts';
import { ServerResources } from './panel/server-resources.ts';
import { panelReviewing } from './panel/panel-reviewing.ts';
import { EvidenceRecords } from '../../core/review/evidence/evidence-records.ts';
import { PendingControls } from './pending/pending-controls.ts';
import { PendingWindow } from './pending/pending-window.ts';
import { RunningCommands } from './pending/watching/agent-commands.ts';
import { ContextKeys } from './status-bar/context-keys.ts';
import { Indicators } from './status-bar/indicators.ts';
import { LastCommands } from './terminal/last-commands.ts';
import { StatusBar } from './status-bar/status-bar.ts';
import type { PanelWindow, WindowServices } from './window.ts';

/** The parts that the window shows and drives beside the panel. */
export interface WindowCore extends Pick<CommandServices, 'engine' | 'models' | 'transfer'> {
  readonly clock: Clock;
  readonly files: FileSystem;
  readonly encodings: TextEncodings | undefined;
  readonly rules: PanelRules;
  readonly providers: PanelProviders;
  readonly mcp: WindowServers;
  /** The places in which the input's list finds things. */
  readonly ground: InputGround;
  /** Tools for other extensions' agents. */
  readonly lent: () => Promise<ContextTools>;
  /** Answers the Control Center; made when it is first shown. */
  readonly center: () => Promise<CenterHost>;
}

/** Opens the parts of VS Code's window beside the panel: reviews, notifications, status bar, commands. */
export function openServices(
  host: Host,
  core: WindowCore,
  window: PanelWindow,
): WindowServices & { dispose(): void } {
  const { log, desk, settings, workspace } = host;
  const lifetime = new Lifetime((error) => log.error('Something could not be released.', error));
  const { panel, active, view, sessions, setup } = window;
  const { engine, models, transfer } = core;
  const { reviews } = engine;
  if (reviews === undefined) throw new Error('A window has a person who reviews.');
  const titleOf = (sessionId: string): string | undefined => sessions.find(sessionId)?.title;
  setup.follow({ servers: core.mcp });
  const { pending, controls, evidence, approvalDiffs } = openReview(
    lifetime,
    host,
    { engine, reviews, files: core.files },
    { view, titleOf },
  );
  const show = showingWaiting(view, approvalDiffs);
  lifetime.add(new Attention({ desk, panel: view, log, titleOf, show, changes: controls.counts }));
  addIndicators(lifetime, { host, core, window, changes: controls.counts });
  // The status bar tells of runs that an earlier window left, the panel shown or not.
  void panel.list.reload();
  lifetime.add(tellEnds(active.away, view, titleOf));
  lifetime.add(core.mcp.onChange(() => panel.serversChanged()));
  const tab = lifetime.add(new CenterTab(host.extension.uri, core.center));
  const center = windowCenter(tab, core.mcp);
  const shown = { sessions, panel: active, view, pending, controls, show };
  settings.check();
  void settings.checkOldKeys();
  const links = linksOf(host, core);
  const contexts = new AppContexts(host.extension.state);
  const surfaces = serverSurfaces(lifetime, host, core, { active, view }, { links, contexts });
  const editor = editorServices({
    finished: lifetime.add(new FinishedEdits()),
    links,
    ...surfaces,
    ids: engine.store.ids,
    transfer: core.transfer,
    titleOf,
  });
  const lastCommands = lifetime.add(new LastCommands());
  const roots = () => workspace.roots;
  const { clock, files, ground } = core;
  const input = windowInput({
    ground,
    engine,
    files,
    roots,
    sessions,
    editor,
    showSession: async (id) => active.show(id),
    lastCommand: () => lastCommands.last(),
    appContext: (callId) => contexts.of(callId),
    clock,
    log,
  });
  const asks = askServices(engine, window, { input, workspace, lastCommands });
  const reviewing = panelReviewing(
    { reviews, groups: engine.groups, evidence, approvalDiffs },
    roots,
    controls,
  );
  const services = { host: { ...host, clock }, engine, models, transfer, center, asks, ...shown };
  return {
    editor,
    input,
    code: windowCode({
      engine,
      encodings: core.encodings,
      links,
      diagrams: lifetime.add(new DiagramTabs(host.extension.uri)),
    }),
    rules: core.rules,
    providers: core.providers,
    center: tab,
    reviewing,
    commands: commandHandlers(services),
    native: nativeSurfaces({ engine, input, lent: core.lent, roots, setup, log }),
    dispose: () => lifetime.dispose(),
  };
}

/** The status bar and VS Code's context keys, which follow what the window does. */
function addIndicators(
  lifetime: Lifetime,
  {
    host,
    core: { engine, mcp },
    window: { panel, view, sessions },
    changes,
  }: {
    readonly host: Host;
    readonly core: WindowCore;
    readonly window: PanelWindow;
    readonly changes: PendingControls['counts'];
  },
): void {
  lifetime.add(
    new Indicators({
      activity: lifetime.add(new Activity(engine.broker)),
      desk: host.desk,
      providerKeys: host.keys,
      statusBar: lifetime.add(new StatusBar()),
      keys: new ContextKeys(),
      changes,
      panel: view,
      list: panel,
      sessions,
      hasMcpServers: () => mcp.count() > 0,
      followUps: {
        all: async () => engine.runs.followUps.all(),
        onChange: (listener) =>
          engine.broker.listen(({ type }) => {
            if (type === 'session.followups') listener();
          }),
      },
      onMcpServersChange: (listener) => mcp.onChange(listener),
      background: engine.commands.background,
    }),
  );
}

/** Brings the person to what waits: panel, session, diff. */
function showingWaiting(view: PanelWindow['view'], diffs: ApprovalDiffs): CommandServices['show'] {
  return async ({ kind, question }) => {
    const { sessionId } = question;
    await view.goTo(sessionId, 'focus_waiting');
    if (kind === 'approval' && question.edits !== undefined) await diffs.open(question);
  };
}

function windowCenter(tab: CenterTab, mcp: WindowServers): CommandServices['center'] {
  return {
    open: async (place?: CenterPlace) => tab.open(place),
    restartServers: async () => mcp.restartAll(),
    addServers: async (servers) => mcp.add(servers),
    own: mcp.own,
  };
}

/** The services behind menus and code actions of VS Code. */
function askServices(
  engine: WindowCore['engine'],
  { active, view, setup }: Pick<PanelWindow, 'active' | 'view' | 'setup'>,
  {
    input,
    workspace,
    lastCommands,
  }: {
    readonly input: PanelInput;
    readonly workspace: Host['workspace'];
    readonly lastCommands: LastCommands;
  },
): AskServices {
  const { agent, runs, store } = engine;
  const settled = async (): Promise<void> => setup.choice.settle?.();
  return {
    asking: new Asking({ agent, panel: active, view, input, ids: store.ids, settled }),
    roots: () => workspace.roots,
    commits: new CommitMessages({
      changes: readChanges(engine),
      write: async (...given) => runs.running.commitMessage(active.options.model, ...given),
      sessionId: () => view.sessionId ?? '',
    }),
    hasOutput: () => lastCommands.last() !== undefined,
  };
}

/** Links of the panel: files of the workspace. */
function linksOf({ workspace }: Host, { engine, files }: WindowCore): LinkParts {
  return {
    roots: () => workspace.roots,
    files,
    guard: engine.guard,
  };
}

/** Tabs with resources and apps of MCP servers. */
function serverSurfaces(
  lifetime: Lifetime,
  { extension, log }: Host,
  { mcp, clock }: WindowCore,
  { active, view }: Pick<PanelWindow, 'active' | 'view'>,
  { links, contexts }: { readonly links: LinkParts; readonly contexts: AppContexts },
): Pick<EditorParts, 'resources' | 'apps'> {
  const read = mcp.read.bind(mcp);
  const openFile = async (path: string): Promise<void> => openLink({ path }, links);
  const { uri, version } = extension;
  return {
    resources: lifetime.add(new ServerResources({ read, openFile, openExternal })),
    apps: lifetime.add(
      new AppTabs({
        extension: uri,
        version,
        read,
        call: async (app, name, input) => {
          if (!view.isShown(app.sessionId)) await view.goTo(app.sessionId);
          return mcp.call(app.server, name, input, app);
        },
        offerMessage: async (sessionId, text) => {
          await view.goTo(sessionId);
          await active.giveBack(sessionId, { text, attachments: [] });
          await view.reveal('focus_input');
        },
        setContext: async ({ callId, server, sessionId, tool }, text) => {
          const given = { server, tool, text };
          await contexts.keep(callId, given);
          active.mention(sessionId, appContextMention(callId, given), text !== '');
        },
        log: (line) => log.info(`An app says: ${line}`),
        clock,
      }),
    ),
  };
}

/** Pending changes, and what a person presses to decide about them. */
function openReview(
  lifetime: Lifetime,
  { desk, log, settings }: Host,
  { engine, reviews, files }: Pick<WindowCore, 'engine' | 'files'> & { readonly reviews: Reviews },
  window: Pick<PanelWindow, 'view'> & {
    readonly titleOf: (sessionId: string) => string | undefined;
  },
): {
  readonly pending: PendingWindow;
  readonly controls: PendingControls;
  readonly evidence: EvidenceRecords;
  readonly approvalDiffs: ApprovalDiffs;
} {
  const { view, titleOf } = window;
  const { agent, broker, store } = engine;
  const commands = lifetime.add(new RunningCommands(broker));
  const onLearned = (): void => controls.lenses.refresh();
  const { transcripts, runs } = store;
  const stat = (path: string) => files.stat(path);
  const evidence = lifetime.add(new EvidenceRecords({ transcripts, runs, broker, stat, log }));
  lifetime.add(evidence.onLearned(onLearned));
  const names = lifetime.add(new RequestNames({ transcripts, broker, log, onLearned }));
  const pending = lifetime.add(
    new PendingWindow({ reviews, groups: engine.groups, log, commands }),
  );
  const onError = (error: unknown): void => log.error('The diff of an approval failed.', error);
  const approvalDiffs = lifetime.add(new ApprovalDiffs({ approvals: desk, onError }));
  const controls: PendingControls = new PendingControls({
    window: pending,
    titleOf,
    requestText: (sessionId, messageId) => names.text(sessionId, messageId),
    evidence,
    shownSession: () => view.sessionId,
    // At the next step of a run that is on: it is about what the agent is doing.
    send: async (sessionId, text) => {
      await agent.send(sessionId, { text, how: 'steer' });
    },
    answers: new CommentAnswers(broker),
    isOn: () => settings.get('review.codeLens'),
    onSettingChanged: (listener) =>
      settings.onChanged((keys) => {
        if (keys.has('review.codeLens')) listener();
      }),
    onError: (error) => log.error('Pending changes could not be shown.', error),
  });
  return { pending, controls: lifetime.add(controls), evidence, approvalDiffs };
}
