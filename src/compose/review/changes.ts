import { AgentChanges } from '../../core/restore/agent-changes.ts';
import { BackgroundChanges } from '../../core/background/background-changes.ts';
import type { BackgroundCommands } from '../../core/background/background-commands.ts';
import { CommandGroups } from '../../core/review/commands/command-groups.ts';
import { StoredGroups } from '../../core/review/commands/stored-groups.ts';
import type { Reviews } from '../../core/review/service/reviews.ts';
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
  /** Absent where nobody reviews. */
  readonly groups: CommandGroups | undefined;
  dispose(): Promise<void>;
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
export async function composeChanges(
  host: EngineHost,
  store: Pick<Store, 'values' | 'transcripts' | 'watch'>,
  broker: EventBroker,
  review: Pick<ReviewKit, 'wanted' | 'reviews'>,
  commands: BackgroundCommands | undefined,
): Promise<ChangesKit | undefined> {
  const { clock, log, settings } = host;
  const { values, transcripts } = store;
  const { snapshots, files } = host.disk;
  const { roots } = host.workspace;
  if (snapshots === undefined) return undefined;
  const now = (): number => clock.now();
  const enabled = (): boolean => settings('checkpoints.maxSize') > 0;
  const changes = new AgentChanges({ snapshots, values, now, pending: review.reviews?.agent });
  const sessions = async (): Promise<readonly string[]> =>
    (await transcripts.sessions()).map(({ id }) => id);
  const groups = await composeGroups(host, store, changes, review.reviews);
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
  const kept = { changes, groups, snapshots, values, hold, enabled };
  const parts = { ...kept, files, clock, log, roots, sessions };
  const beside = commands === undefined ? undefined : new BackgroundChanges({ ...parts, commands });
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
    groups,
    record: withRecordedChanges({
      ...parts,
      ready: (sessionId) => requests.ready(sessionId),
      beside,
    }),
    dispose: async () => {
      listening.dispose();
      await groups?.dispose();
      beside?.dispose();
      cleaning.dispose();
    },
  };
}

/** The list of what changed during commands, read from the store. */
async function composeGroups(
  { clock, log }: EngineHost,
  { values, transcripts, watch }: Pick<Store, 'values' | 'transcripts' | 'watch'>,
  changes: AgentChanges,
  reviews: Reviews | undefined,
): Promise<CommandGroups | undefined> {
  if (reviews === undefined) return undefined;
  const stored = new StoredGroups(values, log);
  await stored.load();
  const sessionsSince = async (at: number): Promise<readonly string[]> =>
    (await transcripts.sessions()).filter(({ updatedAt }) => updatedAt >= at).map(({ id }) => id);
  const { files } = reviews;
  return new CommandGroups({ stored, changes, files, clock, sessionsSince, watch });
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
