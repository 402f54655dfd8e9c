import { computed, type ReadonlySignal, signal, type Signal } from '@preact/signals';
import { keepTail, type SessionChange } from '../src/protocol/changes.ts';
import type { MessageView, PartView, ToolView } from '../src/protocol/view.ts';
import { OTHER, shapeOf } from './series.ts';

/** Messages kept in the panel; beyond it the far end is let go and loaded again when it is scrolled to. */
export const KEPT = 600;

/** One message; its parts are signals, so that text is appended without touching anything else. */
export class MessageEntry {
  readonly id: string;
  readonly seq: number;
  readonly view: Signal<Omit<MessageView, 'parts'>>;
  readonly parts: Signal<readonly Signal<PartView>[]>;
  /** The kind of each part: text that grows does not change it. */
  readonly shape: ReadonlySignal<string>;

  constructor(message: MessageView) {
    const { parts, ...view } = message;
    this.id = message.id;
    this.seq = message.seq;
    this.view = signal(view);
    this.parts = signal(parts.map((part) => signal(part)));
    this.shape = computed(() =>
      this.view.value.role === 'assistant'
        ? this.parts.value.map((part) => shapeOf(part.value)).join('')
        : OTHER,
    );
  }

  /** Takes over another state of the same message; what is the same is left alone. */
  update(message: MessageView): void {
    const { parts, ...view } = message;
    if (!sameJson(this.view.peek(), view)) this.view.value = view;
    const before = this.parts.peek();
    for (const [index, part] of parts.entries()) {
      const known = before[index];
      if (known !== undefined && !sameJson(known.peek(), part)) known.value = part;
    }
    if (before.length !== parts.length) {
      this.parts.value = parts.map((part, index) => before[index] ?? signal(part));
    }
  }

  setPart(index: number, part: PartView): void {
    const before = this.parts.peek();
    const known = before[index];
    if (known !== undefined) {
      known.value = part;
      return;
    }
    const next = [...before];
    while (next.length < index) next.push(signal<PartView>({ type: 'text', text: '' }));
    next.push(signal(part));
    this.parts.value = next;
  }

  appendText(index: number, kind: 'text' | 'reasoning', text: string): void {
    const part = this.parts.peek()[index]?.peek();
    const before = part !== undefined && part.type === kind ? part.text : '';
    this.setPart(index, { type: kind, text: before + text });
  }
}

/** The changes that a transcript understands. */
type TranscriptChange = Exclude<SessionChange, { readonly type: 'session' }>;

/** The window of the conversation that the panel holds. */
export class Transcript {
  readonly entries = signal<readonly MessageEntry[]>([]);
  readonly hasOlder = signal(false);
  /** The newest messages were let go because older ones are being read. */
  readonly hasNewer = signal(false);
  /** Paths that tools have named (A9), for links in the answers. */
  readonly files = signal<ReadonlySet<string>>(new Set());
  readonly #byId = new Map<string, MessageEntry>();
  readonly #tools = new Map<string, Signal<PartView>>();

  /** `keep`: it is the same session, so what is already here and still fits stays. */
  show(messages: readonly MessageView[], hasOlder: boolean, keep: boolean): void {
    const first = messages[0]?.seq ?? 0;
    const known = keep ? this.entries.peek() : [];
    if (keep && this.hasNewer.peek() && !known.some((entry) => entry.seq >= first)) {
      // The person reads elsewhere: the end is not put in the place of it.
      return;
    }
    const reaches = known.some((entry) => entry.seq >= first);
    const older = reaches ? known.filter((entry) => entry.seq < first) : [];
    const entries = messages.map((message) => {
      const entry = keep ? this.#byId.get(message.id) : undefined;
      if (entry === undefined || entry.seq !== message.seq) return new MessageEntry(message);
      entry.update(message);
      return entry;
    });
    this.#replace([...older, ...entries]);
    if (older.length === 0) this.hasOlder.value = hasOlder;
    this.hasNewer.value = false;
  }

  /** Puts older messages before the window; the newest are let go when there are too many. */
  prepend(messages: readonly MessageView[], hasOlder: boolean): void {
    const first = this.entries.peek()[0]?.seq ?? Number.POSITIVE_INFINITY;
    const older = messages
      .filter((message) => message.seq < first)
      .map((message) => new MessageEntry(message));
    const all = [...older, ...this.entries.peek()];
    this.#replace(all.slice(0, KEPT));
    if (all.length > KEPT) this.hasNewer.value = true;
    this.hasOlder.value = hasOlder;
  }

  /** Puts newer messages behind the window; the oldest are let go when there are too many. */
  append(messages: readonly MessageView[], hasNewer: boolean): void {
    const last = this.entries.peek().at(-1)?.seq ?? 0;
    const newer = messages
      .filter((message) => message.seq > last)
      .map((message) => new MessageEntry(message));
    const all = [...this.entries.peek(), ...newer];
    this.#replace(all.slice(-KEPT));
    if (all.length > KEPT) this.hasOlder.value = true;
    this.hasNewer.value = hasNewer;
  }

  /** Goes to another place of the session: these messages are the window now. */
  jump(messages: readonly MessageView[], hasOlder: boolean, hasNewer: boolean): void {
    this.#replace(
      messages.map((message) => this.#byId.get(message.id) ?? new MessageEntry(message)),
    );
    this.hasOlder.value = hasOlder;
    this.hasNewer.value = hasNewer;
  }

  /** The end is wanted again: the next snapshot is not held off by the window. */
  leave(): void {
    this.hasNewer.value = false;
  }

  apply(change: TranscriptChange): void {
    switch (change.type) {
      case 'message':
        this.#put(change.message);
        break;
      case 'message_removed':
        this.#replace(this.entries.peek().filter((entry) => entry.id !== change.id));
        break;
      case 'message_closed': {
        const entry = this.#byId.get(change.id);
        if (entry === undefined) break;
        const { view } = entry;
        view.value = { ...view.peek(), ...change.record, open: false };
        break;
      }
      case 'part': {
        const entry = this.#byId.get(change.messageId);
        entry?.setPart(change.index, change.part);
        if (entry !== undefined) this.#indexTools([entry]);
        break;
      }
      case 'text':
        this.#byId.get(change.messageId)?.appendText(change.index, change.kind, change.text);
        break;
      case 'tool':
        this.#changeTool(change.callId, (tool) => ({ ...tool, ...change.set }));
        if (change.set.files !== undefined)
          this.#addFiles(change.set.files.map((file) => file.path));
        if (change.set.file !== undefined && change.set.file !== null)
          this.#addFiles([change.set.file.path]);
        break;
      case 'output':
        this.#changeTool(change.callId, (tool) => ({
          ...tool,
          output: keepTail(tool.output + change.text),
        }));
        break;
      default:
        change satisfies never;
    }
  }

  /** The card of a call, if it is in the window. */
  tool(callId: string): Signal<PartView> | undefined {
    return this.#tools.get(callId);
  }

  /** Id of the person's message that a message answers; `undefined`: it is not in the window. */
  requestOf(messageId: string): string | undefined {
    const entries = this.entries.peek();
    const at = entries.findIndex(({ id }) => id === messageId);
    const isRequest = ({ view }: MessageEntry): boolean => {
      const { role, origin = 'person' } = view.peek();
      return role === 'user' && origin === 'person';
    };
    return entries.slice(0, at + 1).findLast(isRequest)?.id;
  }

  /** True when a call between a message of the user and this answer changed files. */
  hasEdits(messageId: string): boolean {
    const entries = this.entries.peek();
    const to = entries.findIndex(({ id }) => id === messageId);
    const from = entries.findIndex(({ id }) => id === this.requestOf(messageId));
    return entries
      .slice(from + 1, to + 1)
      .flatMap(({ parts }) => parts.peek().map((part) => part.peek()))
      .some((part) => part.type === 'tool' && part.state === 'done' && part.diff !== null);
  }

  #put(message: MessageView): void {
    const known = this.#byId.get(message.id);
    if (known !== undefined && known.seq === message.seq) {
      known.update(message);
      this.#indexTools([known]);
      return;
    }
    // The end of the conversation is not in the window: it is loaded when it is scrolled to.
    if (this.hasNewer.peek()) return;
    const others = this.entries.peek().filter((entry) => entry.id !== message.id);
    const at = others.findLastIndex((entry) => entry.seq < message.seq) + 1;
    const all = others.toSpliced(at, 0, new MessageEntry(message));
    this.#replace(all.slice(-KEPT));
    if (all.length > KEPT) this.hasOlder.value = true;
  }

  #changeTool(callId: string, change: (tool: ToolView) => ToolView): void {
    const part = this.#tools.get(callId);
    const tool = part?.peek();
    if (part !== undefined && tool?.type === 'tool') part.value = change(tool);
  }

  #replace(entries: readonly MessageEntry[]): void {
    this.#byId.clear();
    this.#tools.clear();
    for (const entry of entries) this.#byId.set(entry.id, entry);
    this.#indexTools(entries);
    this.entries.value = entries;
  }

  #indexTools(entries: readonly MessageEntry[]): void {
    const named: string[] = [];
    for (const entry of entries) {
      for (const part of entry.parts.peek()) {
        const view = part.peek();
        if (view.type !== 'tool') continue;
        this.#tools.set(view.callId, part);
        if (view.file !== null) named.push(view.file.path);
        named.push(...view.files.map((file) => file.path));
      }
    }
    this.#addFiles(named);
  }

  #addFiles(paths: readonly string[]): void {
    const known = this.files.peek();
    const added = paths
      .map((path) => path.replace(/^\.\//u, ''))
      .filter((path) => !known.has(path));
    if (added.length > 0) this.files.value = new Set([...known, ...added]);
  }
}

function sameJson(left: unknown, right: unknown): boolean {
  return JSON.stringify(left) === JSON.stringify(right);
}
