import type { Json } from '../../domain/data/json.ts';
import type { Message } from '../../domain/message.ts';
import { RESTORE } from './agent-changes.ts';
import type { AgentChanges, CallPlaces } from './agent-changes.ts';
import type { ChangeRecord } from './storage/change-record.ts';
import type { Agent } from '../run/agent.ts';
import type { Clock } from '../ports/clock.ts';
import type { Ids } from '../ports/ids.ts';
import type { Recorder, Write } from '../ports/store/recorder.ts';
import type { Transcripts } from '../ports/store/transcripts.ts';
import type { Values } from '../ports/store/values.ts';
import type { SessionStates } from '../ports/store/session-states.ts';
import type { RequestCheckpoint, RequestCheckpoints } from './request-checkpoints.ts';
import { PLACES_KEY, placesFrom } from './restore-values.ts';

export interface RestoreParts {
  readonly agent: Pick<Agent, 'hold'>;
  readonly transcripts: Pick<Transcripts, 'messages'>;
  readonly states: SessionStates;
  readonly values: Values;
  readonly recorder: Pick<Recorder, 'commit'>;
  /** Absent: nothing of the workspace is recorded here. */
  readonly changes: AgentChanges | undefined;
  /** Absent: there are no checkpoints before requests. */
  readonly requests?: Pick<RequestCheckpoints, 'list'> | undefined;
  readonly ids: Ids;
  readonly clock: Pick<Clock, 'now'>;
}

/** A session as restoring sees it. */
export interface ReadSession {
  readonly messages: readonly Message[];
  readonly records: readonly ChangeRecord[];
  readonly places: CallPlaces;
}

export async function readSession(
  {
    transcripts,
    values,
    changes,
  }: Pick<RestoreParts, 'transcripts' | 'values'> & {
    readonly changes: Pick<AgentChanges, 'list'> | undefined;
  },
  sessionId: string,
): Promise<ReadSession> {
  const [messages, records, places] = await Promise.all([
    transcripts.messages({ sessionId }),
    changes?.list(sessionId) ?? [],
    values.get(PLACES_KEY, sessionId),
  ]);
  return { messages, records, places: placesFrom(places) };
}

/** By the id of the message that they were taken before. */
export async function checkpointsOf(
  { requests }: Pick<RestoreParts, 'requests'>,
  sessionId: string,
): Promise<ReadonlyMap<string, RequestCheckpoint>> {
  const found = (await requests?.list(sessionId)) ?? [];
  return new Map(found.map((checkpoint) => [checkpoint.messageId, checkpoint]));
}

/** All of them or none. */
export async function setValues(
  { recorder }: Pick<RestoreParts, 'recorder'>,
  sessionId: string,
  values: Readonly<Record<string, Json>>,
): Promise<void> {
  await recorder.commit(
    Object.entries(values).map(([key, value]): Write => ({ kind: 'value', sessionId, key, value })),
  );
}

export const newestRestore = (records: readonly ChangeRecord[]): ChangeRecord | undefined =>
  records.findLast(({ tool }) => tool === RESTORE);

export const namesOf = (places: readonly { readonly path: string }[]): readonly string[] =>
  places.map(({ path }) => path);
