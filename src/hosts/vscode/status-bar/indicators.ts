import type { BackgroundCommands } from '../../../core/background/background-commands.ts';
import type { Disposable } from '../../../domain/lifetime/disposable.ts';
import type { Session } from '../../../domain/session/session.ts';
import type { Activity } from '../../../core/session/session-activity.ts';
import type { ContextKeys } from './context-keys.ts';
import type { ApprovalQueue } from '../../../window/approvals/approval-queue.ts';
import type { SessionRow } from '../../../protocol/snapshot.ts';
import { Lifetime } from '../../../domain/lifetime/lifetime.ts';
import type { ProviderKeys } from '../secrets/provider-keys.ts';
import type { StatusBar } from './status-bar.ts';

export interface IndicatorParts {
  readonly activity: Activity;
  readonly desk: ApprovalQueue;
  readonly providerKeys: ProviderKeys;
  readonly statusBar: StatusBar;
  readonly keys: ContextKeys;
  readonly panel: {
    /** The session in the place that commands mean; `undefined`: a new one. */
    readonly sessionId: string | undefined;
    /** The same of the view alone. */
    readonly viewSession: string | undefined;
    onPresenceChanged(listener: () => void): Disposable;
  };
  /** The sessions' list. */
  readonly list: {
    readonly state: { readonly cutOff: number };
    readonly list: {
      rows(): readonly Pick<SessionRow, 'id' | 'state'>[];
      onChanged(listener: () => void): Disposable;
    };
    onStateChange(listener: () => void): Disposable;
  };
  readonly sessions: {
    find(sessionId: string): Session | undefined;
    onChange(listener: () => void): Disposable;
  };
  readonly hasMcpServers: () => boolean;
  /** Prompts that come back into their sessions. */
  readonly followUps: {
    all(): Promise<readonly unknown[]>;
    onChange(listener: () => void): Disposable;
  };
  readonly background?: Pick<BackgroundCommands, 'list' | 'onChange'> | undefined;
  readonly onMcpServersChange: (listener: () => void) => Disposable;
  readonly changes: PendingTotals;
}

/** How much waits to be reviewed. */
export interface PendingTotals {
  readonly totals: { readonly files: number; readonly hunks: number };
  /** Absolute paths of their files. */
  readonly paths: readonly string[];
  /** Changes that earlier windows left and can only be shown. */
  /** Fires after several files changed at once, too. */
  onChange(listener: () => void): Disposable;
}

/** Keeps context keys and the status bar in line with what is going on. */
export class Indicators implements Disposable {
  readonly #parts: IndicatorParts;
  readonly #lifetime = new Lifetime();

  constructor(parts: IndicatorParts) {
    this.#parts = parts;
    const update = (): void => this.#update();
    this.#lifetime.add(parts.activity.onChange(update));
    this.#lifetime.add(parts.desk.onChange(update));
    this.#lifetime.add(parts.panel.onPresenceChanged(update));
    this.#lifetime.add(parts.list.onStateChange(update));
    this.#lifetime.add(parts.list.list.onChanged(update));
    this.#lifetime.add(parts.sessions.onChange(update));
    this.#lifetime.add(parts.onMcpServersChange(update));
    this.#lifetime.add(parts.changes.onChange(update));
    this.#lifetime.add(parts.followUps.onChange(() => void this.#updateFollowUps()));
    if (parts.background !== undefined) {
      const changed = parts.background.onChange(({ kind }) => {
        if (kind !== 'output') this.#update();
      });
      this.#lifetime.add(changed);
    }
    this.#lifetime.add(parts.providerKeys.onChanged(() => void this.#updateKey()));
    this.#update();
    void this.#updateKey();
    void this.#updateFollowUps();
  }

  dispose(): void {
    this.#lifetime.dispose();
  }

  #update(): void {
    const { activity, desk, keys, list, panel, sessions, statusBar } = this.#parts;
    const pending = desk.pending().length;
    const shown = activity.of(panel.sessionId);
    keys.set('busy', shown.running);
    const row = list.list.rows().find(({ id }) => id === panel.sessionId);
    keys.set('inBackground', row?.state === 'background');
    keys.set('canContinue', shown.canContinue);
    keys.set('hasSession', panel.sessionId !== undefined);
    keys.set('viewBusy', activity.of(panel.viewSession).running);
    keys.set('viewHasSession', panel.viewSession !== undefined);
    keys.set('pending', pending);
    keys.set(
      'backgroundCommands',
      this.#parts.background?.list().filter((command) => command.running).length ?? 0,
    );
    const { totals, paths } = this.#parts.changes;
    keys.set('pendingChanges', totals.hunks);
    keys.set('pendingFiles', totals.files);
    keys.set('pendingPaths', paths);
    keys.set('hasMcpServers', this.#parts.hasMcpServers());
    const session = panel.sessionId === undefined ? undefined : sessions.find(panel.sessionId);
    statusBar.update({
      running: activity.running,
      pending,
      changes: totals.hunks,
      cutOff: this.#parts.list.state.cutOff,
      ...(session === undefined
        ? {}
        : {
            session: {
              title: session.title,
              cost: session.cost,
              costUnknown: session.costUnknown === true,
            },
          }),
    });
  }

  async #updateFollowUps(): Promise<void> {
    const { followUps, keys } = this.#parts;
    // A store that cannot be read offers nothing here; the panel says why.
    const waiting = await followUps.all().catch(() => []);
    keys.set('hasFollowUps', waiting.length > 0);
  }

  async #updateKey(): Promise<void> {
    const { keys, providerKeys } = this.#parts;
    const sources = await Promise.all(
      providerKeys.instances.map(async (instance) => providerKeys.source(instance)),
    );
    // The yes to a variable can be taken back, too.
    keys.set('hasKey', sources.includes('stored') || sources[0] === 'environment');
  }
}
