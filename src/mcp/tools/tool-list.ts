import type { Clock } from '../../core/ports/clock.ts';
import type { Disposable } from '../../domain/lifetime/disposable.ts';
import { toolChanged } from './call-failure.ts';
import { type ListedTool, isSameTool } from './listed-tool.ts';
import { type ToolFilter, passes } from './tool-filter.ts';
import type { ServerLog } from '../status/server-log.ts';
import type { Session } from '../connection/session.ts';

/** Milliseconds: changes of the list within this time are read once, however many a server announces. */
const debounce = 300;

/** The tools of one server, kept up to date while a session lasts. */
export class ToolList {
  readonly #clock: Clock;
  readonly #log: ServerLog;
  readonly #onChange: () => void;
  #tools: readonly ListedTool[] = [];
  #watch: { readonly session: Session; readonly end: AbortController } | undefined;
  #timer: Disposable | undefined;
  #reading = false;
  #announcement: PromiseWithResolvers<void> | undefined;
  /** A change was announced while the list was being read. */
  #stale = false;

  constructor(clock: Clock, log: ServerLog, onChange: () => void) {
    this.#clock = clock;
    this.#log = log;
    this.#onChange = onChange;
  }

  /** Resolves when what has been announced is read; absent: nothing has. */
  get reading(): Promise<void> | undefined {
    return this.#announcement?.promise;
  }

  passing(filter: ToolFilter): readonly ListedTool[] {
    return this.#tools.filter(({ name }) => passes(filter, name));
  }

  /** @throws BelayError when the tool is another now than the one that was allowed, and told to the model */
  mustHave(tool: ListedTool, server: string): void {
    const now = this.#tools.find(({ name }) => name === tool.name);
    if (now === undefined || !isSameTool(now, tool))
      throw toolChanged(server, tool.name, now === undefined);
  }

  watch(session: Session, tools: readonly ListedTool[]): void {
    this.unwatch();
    this.#tools = tools;
    this.#watch = { session, end: new AbortController() };
    session.watchTools(() => {
      if (this.#watch?.session === session) this.#announced();
    });
  }

  /** Keeps the tools; they are still the best that is known of the server. */
  unwatch(): void {
    this.#watch?.end.abort();
    this.#watch = undefined;
    this.#timer?.dispose();
    this.#timer = undefined;
    this.#stale = false;
    this.#settle();
  }

  #settle(): void {
    this.#announcement?.resolve();
    this.#announcement = undefined;
  }

  #announced(): void {
    this.#announcement ??= Promise.withResolvers();
    if (this.#reading) this.#stale = true;
    else this.#timer ??= this.#clock.after(debounce, () => void this.#read());
  }

  async #read(): Promise<void> {
    this.#timer = undefined;
    const watch = this.#watch;
    if (watch === undefined) return;
    this.#reading = true;
    try {
      const tools = await watch.session.listTools(watch.end.signal);
      if (this.#watch !== watch || JSON.stringify(tools) === JSON.stringify(this.#tools)) return;
      this.#tools = tools;
      this.#onChange();
    } catch (error) {
      if (!watch.end.signal.aborted) {
        this.#log.add('belay', `The changed list of tools could not be read: ${String(error)}`);
      }
    } finally {
      this.#reading = false;
      if (this.#stale) {
        this.#stale = false;
        this.#announced();
      } else this.#settle();
    }
  }
}
