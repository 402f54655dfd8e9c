import type { Agent } from '../../../core/run/agent.ts';
import type { EventBroker } from '../../../core/session/event-broker.ts';
import type { Transcripts } from '../../../core/ports/store/transcripts.ts';

/** A folder that a client works in, with its engine. */
export interface AcpRoom {
  /** Unlike that of any other folder; session ids of clients begin with it. */
  readonly key: string;
  /** Absolute. */
  readonly root: string;
  readonly service: Agent;
  readonly broker: Pick<EventBroker, 'subscribe'>;
  readonly transcripts: Transcripts;
  readonly models: () => readonly { readonly id: string; readonly name: string }[];
}

/** Opens the room of a folder, once. Rejects with `BelayError`. */
export type OpenRoom = (folder: string) => Promise<AcpRoom>;

/** A session as the client knows it. */
export const clientId = ({ key }: Pick<AcpRoom, 'key'>, sessionId: string): string =>
  `${key}.${sessionId}`;

/** A session's own id; `undefined`: it is of another room. */
export const ownId = ({ key }: Pick<AcpRoom, 'key'>, id: string): string | undefined =>
  id.startsWith(`${key}.`) ? id.slice(key.length + 1) : undefined;
