import { type Json, isJsonObject } from '../../domain/data/json.ts';
import { type Message, toolCallsOf, toolResultsOf } from '../../domain/message.ts';
import { type TodoItem, TODO_STATUSES } from '../../domain/session/todo.ts';
import type { EventBroker } from './event-broker.ts';
import type { Values } from '../ports/store/values.ts';
import { makeVisible } from '../../domain/text/honest-text.ts';

/** Under which the list is kept with its session. */
export const TODO_KEY = 'todo';
/** The tool by which the agent writes it. */
const TODO_TOOL = 'todo';

/** The outcome of writing a list. `kept: false`: the person's is still there. */
export interface TodoWritten {
  readonly kept: boolean;
  readonly items: readonly TodoItem[];
}

/** The to-do lists. The agent gets the person's list before it may replace it. */
export class TodoLists {
  readonly #values: Values;
  readonly #broker: Pick<EventBroker, 'publish'>;

  constructor(values: Values, broker: Pick<EventBroker, 'publish'>) {
    this.#values = values;
    this.#broker = broker;
  }

  async read(sessionId: string): Promise<readonly TodoItem[]> {
    return itemsIn(await this.#values.get(TODO_KEY, sessionId));
  }

  /** The model's new list, unless the person has changed the one it knows: then that is given back, once. */
  async writeByModel(
    sessionId: string,
    runId: string,
    items: readonly TodoItem[],
  ): Promise<TodoWritten> {
    const stored = await this.#values.get(TODO_KEY, sessionId);
    if (isJsonObject(stored) && stored['changedByPerson'] === true) {
      const theirs = itemsIn(stored);
      await this.#keep(sessionId, theirs, false);
      return { kept: false, items: theirs };
    }
    await this.#keep(sessionId, items, false);
    this.#broker.publish(sessionId, runId, { type: 'session.todo', items });
    return { kept: true, items };
  }

  async writeByPerson(sessionId: string, items: readonly TodoItem[]): Promise<void> {
    await this.#keep(sessionId, items, true);
    this.#broker.publish(sessionId, '', { type: 'session.todo', items });
  }

  async #keep(
    sessionId: string,
    items: readonly TodoItem[],
    changedByPerson: boolean,
  ): Promise<void> {
    await this.#values.set(TODO_KEY, { items: [...items], changedByPerson }, sessionId);
  }
}

/** The list at the end of a part of a conversation, to be stored; `undefined`: as it is now. */
export function todoAfter(messages: readonly Message[], seq: number): Json | undefined {
  const done = new Set(
    messages
      .flatMap(toolResultsOf)
      .flatMap(({ callId, state }) => (state === 'done' ? [callId] : [])),
  );
  const written = messages.flatMap((message) =>
    toolCallsOf(message)
      .filter(({ id, name }) => name === TODO_TOOL && done.has(id))
      .map(({ input }) => ({ seq: message.seq, input })),
  );
  if (!written.some((one) => one.seq > seq)) return undefined;
  const items = itemsIn(written.findLast((one) => one.seq <= seq)?.input).map((item) => ({
    ...item,
    text: makeVisible(item.text),
  }));
  return { items, changedByPerson: false };
}

/** The list in a stored value; what an import may have put there is checked. */
function itemsIn(value: Json | undefined): readonly TodoItem[] {
  const items = isJsonObject(value) ? value['items'] : undefined;
  if (!Array.isArray(items)) return [];
  return items.flatMap((item: Json) => {
    if (!isJsonObject(item)) return [];
    const { text } = item;
    const status = TODO_STATUSES.find((one) => one === item['status']);
    return typeof text === 'string' && status !== undefined ? [{ text, status }] : [];
  });
}
