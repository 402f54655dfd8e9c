import type { StoreProblem } from '../../store/store.ts';
import { offlineModel } from '../../providers/named-catalog.ts';
import { setImmediate } from 'node:timers/promises';
import { failureOf, wordsOf } from '../../domain/failure.ts';
import { inWords } from '../../domain/text/told.ts';
import type { Disposable } from '../../domain/lifetime/disposable.ts';
import { lazy } from '../../domain/lifetime/lazy.ts';
import { environmentSecrets } from '../../core/secrets/secret-book.ts';
import { wasRestored } from '../../core/restore/restore-values.ts';
import type { Clock } from '../../core/ports/clock.ts';
import { DetachedRuns } from '../../core/run/detached-runs.ts';
import type { FollowUps } from '../../core/session/follow-ups.ts';
import type { SessionRedo } from '../../core/restore/session-redo.ts';
import type { WindowModels } from '../../hosts/vscode/commands/services.ts';
import { EditorLanguageModels } from '../../hosts/vscode/language-models/editor-language-models.ts';
import { type Host, openHost } from '../../hosts/vscode/host.ts';
import { openUserFolder } from '../../hosts/node/user-folder.ts';
import { SIDEBAR } from '../../domain/session/session.ts';
import type { Doors } from '../../hosts/vscode/startup/doors.ts';
import { type WindowBase, openWindow } from '../../hosts/vscode/window.ts';
import { SystemClock } from '../../hosts/node/clock.ts';
import type { PanelOthers } from '../../panel/services.ts';
import { BackgroundRuns } from '../../window/background-runs.ts';
import { somethingWaits } from '../../window/startup/something-waits.ts';
import { WaitingMark } from '../../window/startup/waiting-mark.ts';
import { FoundModels, serverOrigins } from '../../providers/found/found-models.ts';
import { hasOwnKey } from '../../providers/instance.ts';
import type { Engine } from '../engine.ts';
import { type EngineBase, openBase } from '../base.ts';
import type { BaseHost, HostCommands } from '../engine-host.ts';
import { findUnknownFallbacks } from '../unknown-fallbacks.ts';
import { builtFile } from './built-file.ts';
import { lazyTerminal } from './lazy-terminal.ts';
import type { Rest } from './rest.ts';

/** Puts Belay together in a window of VS Code: the panel, and behind it the rest. Resolves with what ends it in order. */
export async function composeWindow(
  context: Parameters<typeof openHost>[0],
  doors: Doors,
  waits: boolean,
): Promise<{ dispose(): Promise<void> }> {
  const host = openHost(context, doors, openUserFolder);
  const mark = new WaitingMark(host.folders.data);
  mark.set();
  // Without its memory or a part of its code Belay does nothing; why, and what to do, must not be missed.
  const tell = (error: unknown): never => {
    host.tell('error', wordsOf(failureOf(error)));
    throw error;
  };
  const terminal = lazyTerminal(host);
  const ports = basePorts(host, terminal.ports);
  const base = await openBase(ports, async () => (await rest()).engine).catch(tell);
  const first = windowBase(host, ports, base, {
    lastRestore: async (id) => (await rest()).engine.redo.last(id),
    followUps: async () => (await rest()).engine.runs.followUps,
    engine: async () => (await rest()).engine,
  });
  const shown = openWindow(host, first, async () => (await rest()).services);
  let loading: Promise<Rest> | undefined;
  const rest = lazy(async () => {
    for (const step of STEPS) {
      await step();
      await setImmediate();
    }
    const { composeRest } = await import('./rest.ts');
    loading = composeRest({ host, ports, base, first, shown: await shown });
    const loaded = await loading.catch(tell);
    const milliseconds = Math.round(performance.now() - host.extension.startedAt);
    host.log.info('Belay is ready.', { milliseconds });
    void loaded.goOn().then(() => mark.takeOver());
    return loaded;
  });
  const window = await shown;
  tellProblems(host, base);
  tellUnknownFallbacks(host, ports, base);
  // A failure was told.
  if (waits) rest().catch(() => undefined);
  return {
    dispose: async () => {
      await window.panel.list.deletions.finish();
      const loaded = await loading?.catch(() => undefined);
      const goesOn =
        loaded === undefined ? waits : await somethingWaits(base.store, loaded.engine.reviews);
      if (!goesOn) mark.clear();
      first.others.dispose();
      await (loaded?.engine ?? base).dispose();
      await loaded?.dispose();
      window.dispose();
      terminal.dispose();
      host.dispose();
    },
  };
}

/** The ports that the base works with. */
function basePorts(
  { log, settings, folders, keys, workspace }: Host,
  commands: HostCommands,
): BaseHost {
  const secrets = environmentSecrets(process.env);
  return {
    clock: new SystemClock(),
    log,
    settings: settings.get,
    store: {
      data: folders.data,
      storeWorker: builtFile('store-worker.cjs'),
      person: {
        folder: folders.shared,
        earlierFolder: folders.earlier,
        name: workspace.name ?? '',
      },
      channel: SIDEBAR,
    },
    model: {
      apiKey: async () => keys.read(),
      keyOf: async (instance) => keys.read(instance),
      keyed: keys.keyed,
      found: new FoundModels({
        editor: new EditorLanguageModels(),
        origins: serverOrigins(process.env),
      }),
      titlesByModel: true,
      secrets: () => secrets,
    },
    commands,
  };
}

/** The larger parts of the rest, each one turn of the event loop: in between whoever types or scrolls has theirs. */
const STEPS: readonly (() => Promise<unknown>)[] = [
  async () => import('../../core/review/service/reviews.ts'),
  async () => import('../../hosts/node/workspace-snapshots/node-workspace-snapshots.ts'),
  async () => import('../engine.ts'),
];

/** The services that show the panel. */
function windowBase(
  host: Host,
  { clock, model }: BaseHost,
  base: EngineBase,
  later: {
    readonly lastRestore: SessionRedo['last'];
    readonly followUps: () => Promise<FollowUps>;
    readonly engine: () => Promise<Engine>;
  },
): WindowBase & { readonly others: OtherProcesses } {
  const { values, followUps } = base.store;
  return {
    engine: base,
    clock,
    redo: {
      last: async (id) => ((await wasRestored(values, id)) ? later.lastRestore(id) : undefined),
    },
    followUps: {
      of: async (id) => (await followUps.all()).filter(({ sessionId }) => sessionId === id),
      cancel: async (id) => (await later.followUps()).cancel(id),
      change: async (...given) => (await later.followUps()).change(...given),
    },
    others: composeOthers(host, base, clock, later.engine),
    models: composeModels(base, model.found),
  };
}

function composeModels(engine: EngineBase, found: FoundModels | undefined): WindowModels {
  const { catalog, names } = engine;
  const isFound = (name: string): boolean =>
    found?.instances.some(({ id }) => id === names.addressOf(name).instance.id) === true;
  const demo = offlineModel(catalog)?.id ?? '';
  return {
    list: () => catalog.models,
    demo,
    forNewSessions: (hasKey) => engine.modelFor(hasKey),
    sourceOf: (name) => {
      const { instance } = names.addressOf(name);
      const isTheirs = instance.wire === 'vscode-lm';
      const kind = isFound(name) ? (isTheirs ? 'editor' : 'machine') : 'set';
      const own = hasOwnKey(instance) ? 'own' : kind;
      return { name: instance.name, kind: name === demo ? 'demo' : own };
    },
    look: async () => found?.look(),
    onChange: (listener) => found?.onChange(listener) ?? { dispose: () => undefined },
  };
}

/** Damage that the store found, at the start or later: what was kept, and where the rest is. */
function tellProblems(host: Host, { store }: EngineBase): void {
  const tell = (problem: StoreProblem): void => {
    host.log.warn(problem.message);
    host.tell('warning', wordsOf(problem));
  };
  store.problems.forEach(tell);
  store.onProblem(tell);
}

/** Warns of models that no provider has, at the start and when the setting changes. */
function tellUnknownFallbacks(host: Host, ports: BaseHost, base: EngineBase): void {
  const check = async (): Promise<void> => {
    for (const one of await findUnknownFallbacks(ports, base)) host.tell('warning', inWords(one));
  };
  const checkSoon = (): void =>
    void check().catch((error: unknown) =>
      host.log.error('Fallback models could not be checked.', error),
    );
  checkSoon();
  host.settings.onChanged((keys) => {
    if (keys.has('model.fallbacks')) checkSoon();
  });
}

/** Other windows on the same workspace, and runs in the background. */
type OtherProcesses = PanelOthers & { readonly background: BackgroundRuns } & Disposable;

/** Watches other processes on the same workspace: one look for all who want to know. */
function composeOthers(
  host: Host,
  base: EngineBase,
  clock: Clock,
  engine: () => Promise<Engine>,
): OtherProcesses {
  const { agent, store } = base;
  const listeners = new Set<() => void>();
  const watching = store.watch(() => {
    void agent.queue.refresh();
    for (const listener of listeners) listener();
  });
  const onChange = (listener: () => void): Disposable => {
    listeners.add(listener);
    return { dispose: () => listeners.delete(listener) };
  };
  const background = new BackgroundRuns({
    agent,
    detached: new DetachedRuns(store),
    runs: store.runs,
    start: async (sessionId) => {
      const { startInBackground } = await import('./background-start.ts');
      return startInBackground(host, base, await engine(), sessionId);
    },
    onChange,
    clock,
    log: host.log,
  });
  return {
    background,
    isElsewhere: async (sessionId) =>
      background.isOnItsWay(sessionId) || agent.runs.lease.isElsewhere(sessionId),
    onChange,
    draftOf: async (sessionId) => store.transcripts.draftOf(sessionId),
    reconcile: async () => agent.handoffs.reconcile(),
    dispose: () => {
      background.dispose();
      watching.dispose();
    },
  };
}
