import { cleanText } from '../../domain/text/honest-text.ts';
import { fault } from '../../domain/failure.ts';
import { told } from '../../domain/text/told.ts';
import type { Json } from '../../domain/data/json.ts';
import type { ThinkingEffort } from '../../domain/models/model.ts';
import { modeFrom } from '../../domain/permissions/permission-mode.ts';
import { AFTER_NEXT_MESSAGE, QUEUE_PAUSED_KEY } from '../../domain/session/session-values.ts';
import type { Channel, Session } from '../../domain/session/session.ts';
import type { SessionOptions } from '../run/agent-service.ts';
import type { EventBroker } from './event-broker.ts';
import type { Channels } from '../ports/store/channels.ts';
import type { Clock } from '../ports/clock.ts';
import type { Disposable } from '../../domain/lifetime/disposable.ts';
import type { Ids } from '../ports/ids.ts';
import type { Recorder } from '../ports/store/recorder.ts';
import type { Transcripts } from '../ports/store/transcripts.ts';
import type { Values } from '../ports/store/values.ts';

/** Longest title, in characters. */
const TITLE_LIMIT = 80;
/** Characters of a platform's, a channel's and a thread's name. */
const LONGEST_NAME = 500;
export const UNTITLED = 'New session';
const OPTIONS_KEY = 'options/';

export interface RegistryPorts {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly broker: EventBroker;
  readonly recorder: Recorder;
  readonly transcripts: Transcripts;
  readonly channels: Channels;
  /** Where sessions begin that no other surface asks for. */
  readonly own: Channel;
  readonly values: Values;
  /** Options of a session where nothing was chosen: from the settings, read each time. */
  readonly defaults: () => Required<SessionOptions>;
  /** True when the model of a session where none was chosen is the person's word; else it may be another tomorrow. */
  readonly namesModel: () => boolean;
  /** The persona of a session where none was chosen; absent: there is none. @param model the session's */
  readonly begun?: (model: string) => Promise<{ readonly name: string; readonly model?: string }>;
}

export class SessionRegistry {
  readonly #ports: RegistryPorts;
  readonly #options = new Map<string, SessionOptions>();
  readonly #listeners = new Set<() => void>();

  constructor(ports: RegistryPorts) {
    this.#ports = ports;
  }

  /** Reads the options of all sessions as they are stored, so that `optionsOf` needs not wait. */
  async load(): Promise<void> {
    for (const { key, value } of await this.#ports.values.list(OPTIONS_KEY)) {
      this.#options.set(key.slice(OPTIONS_KEY.length), optionsFrom(value));
    }
  }

  async create(options: SessionOptions = {}): Promise<Session> {
    const session = this.#newSession();
    await this.#ports.channels.open({ ...this.#ports.own, thread: session.id }, session);
    if (Object.keys(options).length > 0) await this.setOptions(session.id, options);
    return session;
  }

  /** The session of a surface's thread; made with `options` when there is none, or it was deleted (A4). */
  async forChannel(
    platform: string,
    channel: string,
    thread: string,
    options: SessionOptions = {},
  ): Promise<Session> {
    const made = this.#newSession();
    const key = { platform, channel, thread };
    for (const [name, value] of Object.entries(key)) {
      if (value === '' || value.length > LONGEST_NAME)
        throw fault('invalid', told`A ${name} has 1 to ${LONGEST_NAME} characters.`);
    }
    const id = await this.#ports.channels.open(key, made);
    if (id !== made.id) return this.get(id);
    if (Object.keys(options).length > 0) await this.setOptions(id, options);
    return made;
  }

  #newSession(): Session {
    const { ids, clock } = this.#ports;
    const now = clock.now();
    return {
      id: ids.next('session'),
      type: 'main',
      title: UNTITLED,
      messageCount: 0,
      inputTokens: 0,
      outputTokens: 0,
      cost: 0,
      createdAt: now,
      updatedAt: now,
    };
  }

  /** Rejects with `not_found`. */
  async get(sessionId: string): Promise<Session> {
    const session = await this.#ports.transcripts.session(sessionId);
    if (session !== undefined) return session;
    const message = told`This session is not there any more; it was deleted. Start a new one.`;
    throw fault('not_found', message);
  }

  async rename(sessionId: string, title: string): Promise<void> {
    const clean = cleanText(title).replaceAll(/\s+/gu, ' ').trim().slice(0, TITLE_LIMIT);
    if (clean === '') throw fault('invalid', told`A title needs at least one character.`);
    const session = await this.get(sessionId);
    await this.#ports.recorder.commit([{ kind: 'session', session: { ...session, title: clean } }]);
    this.#ports.broker.publish(sessionId, '', { type: 'session.titled', title: clean });
  }

  async delete(sessionId: string): Promise<void> {
    this.#options.delete(sessionId);
    await this.#ports.transcripts.deleteSession(sessionId);
    await this.#ports.values.set(OPTIONS_KEY + sessionId, null);
  }

  /** @param where they are kept; `elsewhere`: the session's own record has them, as a delegated one's does */
  async setOptions(
    sessionId: string,
    options: SessionOptions,
    where: 'here' | 'elsewhere' = 'here',
  ): Promise<void> {
    const merged = { ...this.#options.get(sessionId), ...options };
    this.#options.set(sessionId, merged);
    for (const listener of this.#listeners) listener();
    if (where === 'here') await this.#ports.values.set(OPTIONS_KEY + sessionId, merged);
  }

  /** A session goes on with the persona and the model that it begins with, whatever is found later. */
  async keepOptions(sessionId: string): Promise<void> {
    const { persona, model } = this.optionsOf(sessionId);
    const begun = persona === '' ? await this.#ports.begun?.(model) : undefined;
    if (begun !== undefined && begun.name !== '') {
      const isOpen = this.#options.get(sessionId)?.model === undefined;
      const own = isOpen && begun.model !== undefined ? { model: begun.model } : {};
      await this.setOptions(sessionId, { persona: begun.name, ...own });
    }
    if (this.#options.get(sessionId)?.model !== undefined || this.#ports.namesModel()) return;
    await this.setOptions(sessionId, { model: this.optionsOf(sessionId).model });
  }

  /** True when its queue waits for the user: after a stop, a restore or an import. */
  async isHeld(sessionId: string): Promise<boolean> {
    return (await this.#ports.values.get(QUEUE_PAUSED_KEY, sessionId)) !== undefined;
  }

  /** Holds its queue until the user's next message, which goes first. */
  async hold(sessionId: string): Promise<void> {
    await this.#ports.values.set(QUEUE_PAUSED_KEY, AFTER_NEXT_MESSAGE, sessionId);
  }

  /** The person goes on with a session that may have been held; gives how. */
  async release(sessionId: string): Promise<Json | undefined> {
    const held = await this.#ports.values.get(QUEUE_PAUSED_KEY, sessionId);
    if (held !== undefined) await this.#ports.values.set(QUEUE_PAUSED_KEY, null, sessionId);
    return held;
  }

  /** Fires when a session was given other options; they hold already. */
  onOptions(listener: () => void): Disposable {
    this.#listeners.add(listener);
    return { dispose: () => this.#listeners.delete(listener) };
  }

  optionsOf(sessionId: string): Required<SessionOptions> {
    return { ...this.#ports.defaults(), ...this.#options.get(sessionId) };
  }
}

const EFFORTS: readonly ThinkingEffort[] = ['off', 'low', 'medium', 'high'];

/** Reads stored options; what is not understood is left out, and the default holds. */
function optionsFrom(value: Json): SessionOptions {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return {};
  const { model, mode, thinking, persona } = value as Record<string, Json>;
  const knownMode = modeFrom(mode);
  const knownEffort = EFFORTS.find((known) => known === thinking);
  return {
    ...(typeof model === 'string' ? { model } : {}),
    ...(knownMode === undefined ? {} : { mode: knownMode }),
    ...(typeof persona === 'string' ? { persona } : {}),
    ...(knownEffort === undefined ? {} : { thinking: knownEffort }),
  };
}
