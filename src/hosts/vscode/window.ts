import type { Clock } from '../../core/ports/clock.ts';
import { lazyMethods } from '../../domain/lifetime/lazy.ts';
import { Lifetime } from '../../domain/lifetime/lifetime.ts';
import { PanelHost } from '../../panel/panel-host.ts';
import { SharedPanel } from '../../panel/shared-panel.ts';
import type {
  PanelCode,
  PanelEditor,
  PanelInput,
  PanelOthers,
  PanelRecords,
  PanelReviewing,
  PanelProviders,
  PanelRules,
  PanelServices,
} from '../../panel/services.ts';
import type { CenterTab } from './center/center-tab.ts';
import type { BackgroundRuns } from '../../window/background-runs.ts';
import { type CommandHandlers, createRunner, titleOfCommand } from './commands/register.ts';
import type { WindowEngine, WindowModels } from './commands/services.ts';
import type { Host } from './host.ts';
import { ActivePanel } from './panel/active-panel.ts';
import { WindowSetup } from './panel/panel-setup.ts';
import { PanelView } from './panel/panel-view.ts';
import { SessionTabs } from './panel/session-tabs.ts';
import { Places } from './panel/places.ts';
import type { NativeSurfaces } from './startup/native-doors.ts';
import { StoredPanelMemory } from './state/panel-memory.ts';
import { SessionIndex } from './state/session-index.ts';

/** The panel's parts before runs can start. */
export interface WindowBase {
  readonly engine: Pick<WindowEngine, 'agent' | 'broker' | 'store'> & {
    readonly commands: Pick<PanelServices, 'background'> & Pick<PanelRecords, 'blobs'>;
    readonly todos: PanelRecords['todos'];
    readonly journals: PanelRecords['journals'];
  };
  readonly followUps: PanelRecords['followUps'];
  readonly redo: NonNullable<PanelRecords['redo']>;
  readonly clock: Clock;
  readonly others: PanelOthers & { readonly background: BackgroundRuns };
  readonly models: WindowModels;
}

/** The window as it is shown first. */
export interface PanelWindow {
  /** The view's half in the host. */
  readonly panel: PanelHost;
  readonly active: ActivePanel;
  readonly view: Places;
  readonly sessions: SessionIndex;
  readonly setup: WindowSetup;
  dispose(): void;
}

/** Services that are loaded when the panel has been shown, or when they are needed before. */
export interface WindowServices {
  readonly editor: PanelEditor;
  readonly rules: PanelRules;
  readonly providers: PanelProviders;
  readonly input: PanelInput;
  readonly code: PanelCode;
  readonly reviewing: PanelReviewing;
  readonly center: CenterTab;
  readonly commands: Omit<CommandHandlers, 'belay.focusPanel'>;
  readonly native: NativeSurfaces;
}

/** @param services loads what needs the engine, once */
export async function openWindow(
  host: Host,
  base: WindowBase,
  services: () => Promise<WindowServices>,
): Promise<PanelWindow> {
  const { state } = host.extension;
  const { log, desk } = host;
  const { clock, models, others, redo, followUps } = base;
  const { agent, broker, todos, journals, commands } = base.engine;
  const { transcripts, runs, values } = base.engine.store;
  const lifetime = new Lifetime((error) => log.error('Something could not be released.', error));
  const sessions = lifetime.add(new SessionIndex(state, { transcripts, broker, others }, log));
  const setup = lifetime.add(await WindowSetup.make({ ...host, models }));
  const given: PanelServices = {
    agent,
    broker,
    records: { transcripts, runs, blobs: commands.blobs, todos, journals, followUps, redo },
    background: commands.background,
    sessions,
    desk,
    later: {
      editor: lazyMethods(async () => (await services()).editor),
      rules: lazyMethods(async () => (await services()).rules),
      providers: lazyMethods(async () => (await services()).providers),
      input: lazyMethods(async () => (await services()).input),
      code: lazyMethods(async () => (await services()).code),
      reviewing: async () => (await services()).reviewing,
    },
    setup,
    memory: await StoredPanelMemory.open({ state, values, clock, log }),
    others,
    clock,
    log,
  };
  const shared = lifetime.add(new SharedPanel(given));
  lifetime.add(others.background.onChange(() => void shared.list.reload()));
  const panel = lifetime.add(new PanelHost(given, { shared }));
  const tabs = lifetime.add(
    new SessionTabs({
      extension: host.extension.uri,
      host: (tab) => new PanelHost(given, { shared, tab }),
    }),
  );
  const view = lifetime.add(
    new Places(lifetime.add(new PanelView(panel, host.extension.doors)), tabs),
  );
  const active = new ActivePanel(view, shared, others.background);
  const shown = { panel, active, view, sessions, setup, dispose: () => lifetime.dispose() };
  const atOnce = {
    'belay.focusPanel': async () => {
      view.mean();
      await view.reveal('focus_input');
    },
  };
  const later = lazyMethods(async () => (await services()).commands);
  host.extension.doors.openCenter(async (tab) => (await services()).center.restore(tab));
  host.extension.doors.openTabs(async (tab, state) => tabs.restore(tab, state));
  host.extension.doors.openNative(lazyMethods(async () => (await services()).native));
  const run = createRunner(atOnce, later, {
    log,
    titleOf: (id) => titleOfCommand(id, host.extension.commands),
  });
  host.extension.doors.openCommands(run, () => view.mean());
  log.info('The panel is ready.', {
    milliseconds: Math.round(performance.now() - host.extension.startedAt),
  });
  return shown;
}
