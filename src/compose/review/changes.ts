import { AgentChanges } from '../../core/restore/agent-changes.ts';
import { BackgroundChanges } from '../../core/background/background-changes.ts';
import type { BackgroundCommands } from '../../core/background/background-commands.ts';
import type { EventBroker } from '../../core/session/event-broker.ts';
import type { Disposable } from '../../domain/lifetime/disposable.ts';
import type { WorkspaceSnapshot } from '../../core/ports/files/workspace-snapshots.ts';
import { CheckpointStorage } from '../../core/restore/storage/checkpoint-storage.ts';
import { RequestCheckpoints } from '../../core/restore/request-checkpoints.ts';
import type { WrapToolCall } from '../../core/tool-call/tool-call.ts';
import { withRecordedChanges } from '../../core/tool-call/wrappers/recorded-changes.ts';
import type { RunEventType } from '../../domain/event.ts';
import type { ReviewKit } from './review.ts';
import type { EngineHost } from '../engine-host.ts';
import type { Store } from '../../store/store.ts';

/** The agent's changes of the workspace, and the way back. */
export interface ChangesKit {
  readonly changes: AgentChanges;
  readonly requests: RequestCheckpoints;
  readonly storage: CheckpointStorage;
  readonly record: WrapToolCall;
  /** Absent where no commands are kept in the background. */
  readonly beside: BackgroundChanges | undefined;
  dispose(): void;
}

/** A run is over. */
const RUN_ENDED: ReadonlySet<string> = new Set<RunEventType>([
  'agent_run.completed',
  'agent_run.cancelled',
  'agent_run.failed',
  'agent_run.handed_over',
]);

/** Milliseconds: not at the start, where it would cost; and while a window stays open, now and then. */
const [FIRST_CLEAN, NEXT_CLEAN] = [60_000, 30 * 60_000];
const MEGABYTE = 2 ** 20;

/** `undefined` where the host takes no snapshots. */
export function composeChanges(
  host: EngineHost,
  { values, transcripts }: Pick<Store, 'values' | 'transcripts'>,
  broker: EventBroker,
  review: Pick<ReviewKit, 'wanted' | 'commands'>,
  commands: BackgroundCommands | undefined,
): ChangesKit | undefined {
  const { clock, log, settings } = host;
  const { snapshots, files } = host.disk;
  const { roots } = host.workspace;
  if (snapshots === undefined) return undefined;
  const now = (): number => clock.now();
  const enabled = (): boolean => settings('checkpoints.maxSize') > 0;
  const changes = new AgentChanges({ snapshots, values, now });
  const sessions = async (): Promise<readonly string[]> =>
    (await transcripts.sessions()).map(({ id }) => id);
  const storage: CheckpointStorage = new CheckpointStorage({
    snapshots,
    values,
    now,
    sessions,
    seams: async () => (await beside?.seams()) ?? [],
    wanted: () => review.wanted(),
    limits: () => ({
      days: settings('checkpoints.keepDays'),
      bytes: settings('checkpoints.maxSize') * MEGABYTE,
    }),
  });
  const hold = (snapshot: WorkspaceSnapshot): (() => void) => storage.hold(snapshot);
  const parts = { snapshots, changes, values, files, clock, log, roots, enabled, hold, sessions };
  const beside =
    commands === undefined
      ? undefined
      : new BackgroundChanges({ ...parts, commands, review: review.commands });
  const cleaning = new Cleaning(host, storage);
  const requests = new RequestCheckpoints({ snapshots, values, clock, log, roots, enabled });
  const listening = broker.listen((event) => {
    if (RUN_ENDED.has(event.type)) void beside?.look();
    if (event.type !== 'message.added') return;
    const { id, role, origin = 'person' } = event.message;
    if (role !== 'user' || origin !== 'person') return;
    beside?.messageAdded(event.sessionId, id);
    requests.begin(event.sessionId, id);
    cleaning.soon();
  });
  return {
    changes,
    requests,
    storage,
    beside,
    record: withRecordedChanges({
      changes,
      snapshots,
      files,
      clock,
      log,
      enabled,
      ready: (sessionId) => requests.ready(sessionId),
      hold,
      review: review.commands,
      beside,
    }),
    dispose: () => {
      listening.dispose();
      beside?.dispose();
      cleaning.dispose();
    },
  };
}

/** Keeps the storage within its limits while there is work. */
class Cleaning implements Disposable {
  readonly #host: Pick<EngineHost, 'clock' | 'log'>;
  readonly #storage: CheckpointStorage;
  #next: Disposable | undefined;
  #wasCleaned = false;

  constructor(host: Pick<EngineHost, 'clock' | 'log'>, storage: CheckpointStorage) {
    this.#host = host;
    this.#storage = storage;
  }

  soon(): void {
    const { clock, log } = this.#host;
    this.#next ??= clock.after(this.#wasCleaned ? NEXT_CLEAN : FIRST_CLEAN, () => {
      this.#wasCleaned = true;
      this.#next = undefined;
      this.#storage.clean().catch((error: unknown) => {
        log.warn('Old snapshots could not be cleaned up.', { reason: String(error) });
      });
    });
  }

  dispose(): void {
    this.#next?.dispose();
  }
}
