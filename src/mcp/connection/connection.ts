import {
  inEnglish,
  joined,
  told,
  type Told,
  verbatim,
  withValues,
} from '../../domain/text/told.ts';
import type { CallToolResult, FetchLike } from '@modelcontextprotocol/client';
import { abortError, throwIfAborted } from '../../domain/lifetime/abort.ts';
import type { Clock } from '../../core/ports/clock.ts';
import type { Disposable } from '../../domain/lifetime/disposable.ts';
import type { Log } from '../../core/ports/log.ts';
import { Backoff } from './backoff.ts';
import { callFailure, notAvailable, refusal } from '../tools/call-failure.ts';
import { type ServerDefinition, isStartable } from '../config/config.ts';
import type { Prepared } from '../config/start-target.ts';
import type { EraMemory } from './era.ts';
import type { ListedTool } from '../tools/listed-tool.ts';
import type { OpenOptions, Opened } from './handshake.ts';
import type { ProcessExit } from '../transport/server-process.ts';
import type { Offers } from './offers.ts';
import type { CallProblem, ConnectProblem } from './problem.ts';
import { CredentialBook } from '../auth/credential-book.ts';
import { ServerNews } from './server-news.ts';
import { CallsUnderWay } from '../requests/calls-under-way.ts';
import type { ServerSupport } from '../requests/person.ts';
import { fault, sentenceOf } from '../../domain/failure.ts';
import { FLOODED, endOf, oneLine } from '../status/sentence.ts';
import { ServerLog } from '../status/server-log.ts';
import type { ServerStatus } from '../status/server-status.ts';
import type { CallOptions, Session } from './session.ts';
import { ToolList } from '../tools/tool-list.ts';
import { untilAborted } from '../../domain/lifetime/until-aborted.ts';

export interface ConnectionOptions {
  readonly clock: Clock;
  readonly log: Log;
  readonly client: { readonly name: string; readonly version: string };
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Working directory of a local server whose definition names none. */
  readonly folder: string;
  readonly eras: EraMemory;
  readonly fetch: FetchLike;
  /** The target with what it needs at a start: values of the person, who is asked where they are there, and files. */
  readonly prepare: (byHand: boolean, signal: AbortSignal) => Promise<Prepared>;
  readonly support: ServerSupport & Required<Pick<ServerSupport, 'credentials' | 'roots'>>;
  /** Milliseconds for starting, shaking hands and listing tools together. */
  readonly handshakeMs: number;
  /** The state or the tools have changed. */
  readonly onChange: () => void;
}

interface Attempt {
  readonly abort: AbortController;
  late: boolean;
  flooded: boolean;
  /** The person began it: they are there to sign in. */
  readonly byHand: boolean;
  /** They are signing in, or asked for a value; the time for the handshake stands still. */
  waits: boolean;
  /** The established connection has ended again. */
  ended?: { readonly how: ProcessExit | undefined };
}

/** Milliseconds for a remote server to show that it is still there. */
const verifyTimeout = 10_000;

const GIVEN_UP = told`It failed several times in a row; restart it when the cause is gone.`;

/** One server over its whole life: it starts, fails, comes back, is asked, ends. Only `call` rejects. */
export class Connection {
  readonly definition: ServerDefinition;
  readonly log: ServerLog;
  readonly tools: ToolList;
  readonly #options: ConnectionOptions;
  readonly #backoff: Backoff;
  readonly #book: CredentialBook;
  readonly #calls = new CallsUnderWay();
  readonly #news: ServerNews;
  #status: ServerStatus;
  #session: Session | undefined;
  #attempt: Attempt | undefined;
  #starting: Promise<void> | undefined;
  #retry: Disposable | undefined;
  /** The end of an earlier session that is still under way. */
  #closing: Promise<unknown> = Promise.resolve();

  constructor(definition: ServerDefinition, options: ConnectionOptions) {
    this.definition = definition;
    this.#options = options;
    this.log = new ServerLog(options.clock);
    this.#backoff = new Backoff(options.clock);
    this.#news = new ServerNews(options.clock, options.onChange);
    this.tools = new ToolList(options.clock, this.log, options.onChange);
    this.#book = new CredentialBook(options.support.credentials, definition.hash);
    const reason = joined(definition.problems.map(sentenceOf), ' ');
    if (!definition.enabled) this.#status = { state: 'disabled' };
    else if (definition.target === undefined) this.#status = { state: 'failed', reason };
    else this.#status = { state: 'stopped' };
  }

  get status(): ServerStatus {
    return this.#status;
  }

  /** The tools that its definition lets through, of a server that is ready or expected to come back. */
  get offered(): readonly ListedTool[] {
    const { state, retryAt } = this.#status;
    if (state !== 'ready' && state !== 'starting' && retryAt === undefined) return [];
    return this.tools.passing(this.definition.filter);
  }

  get session(): Omit<Session, 'callTool' | 'close' | 'watchTools'> | undefined {
    return this.#session;
  }

  /** Resolves when the server is ready or has failed. Does nothing when it is ready. */
  start(byHand = false): Promise<void> {
    if (this.#session !== undefined || !isStartable(this.definition)) return Promise.resolve();
    this.#retry?.dispose();
    this.#retry = undefined;
    this.#starting ??= this.#start(byHand);
    return this.#starting;
  }

  /** Starts it again where failures in a row made us give up, when that was a while ago. */
  wake(): void {
    const { state, retryAt } = this.#status;
    if (state !== 'failed' || retryAt !== undefined || !this.#backoff.rested) return;
    void this.start();
  }

  /** Ends the server and starts it again at once; a person who asks for it may be asked to sign in. */
  async restart(): Promise<void> {
    await this.stop();
    this.#backoff.reset();
    await this.start(true);
  }

  /** Forgets what a sign-in gave, and ends the server. */
  async signOut(): Promise<void> {
    await this.stop(told`You signed out.`);
    await this.#book.forget();
  }

  /** Takes effect at once; resolves when no process is left. `reason` is shown with the state. */
  async stop(reason?: Told): Promise<void> {
    this.#retry?.dispose();
    this.#retry = undefined;
    this.#attempt?.abort.abort();
    this.#news.stop();
    const session = this.#session;
    this.#session = undefined;
    this.tools.unwatch();
    if (isStartable(this.definition))
      this.#set({ state: 'stopped', ...(reason === undefined ? {} : { reason }) });
    if (session !== undefined) this.#close(session);
    await this.#starting;
    await this.#closing;
  }

  /** Calls a tool, bringing a gone server back first. Rejects with `BelayError` or AbortError. */
  async call(
    tool: ListedTool,
    input: Readonly<Record<string, unknown>>,
    options: CallOptions,
  ): Promise<CallToolResult> {
    this.log.called(tool.name);
    const end = options.call && this.#calls.begin(options.call);
    try {
      return await this.#call(tool, input, options);
    } finally {
      end?.();
    }
  }

  /** Reads something of a server, bringing a gone one back first; once more where the connection broke. */
  async use<Value>(work: (offers: Offers) => Promise<Value>, signal: AbortSignal): Promise<Value> {
    for (let attempt = 1; ; attempt += 1) {
      const session = await this.#ready(signal);
      const answer = await session.ask(work, signal);
      if ('value' in answer) return answer.value;
      const { kind, detail } = answer.problem;
      if (this.#isGone(kind, session) && attempt === 1) continue;
      throw fault(
        kind === 'refused' ? 'tool' : 'network',
        told`The MCP server “${this.definition.name}” did not answer as asked: ${detail}`,
      );
    }
  }

  async #call(
    tool: ListedTool,
    input: Readonly<Record<string, unknown>>,
    options: CallOptions,
  ): Promise<CallToolResult> {
    for (let attempt = 1; ; attempt += 1) {
      const session = this.#session ?? (await this.#ready(options.signal));
      this.tools.mustHave(tool, this.definition.name);
      const answer = await session.callTool(tool, input, options);
      if ('result' in answer) return answer.result;
      const { kind, detail, code } = answer.problem;
      if (kind === 'refused') return refusal(this.definition.name, detail);
      const gone = this.#isGone(kind, session);
      if (kind === 'unreachable') void this.#verify(session);
      // The server has not run the tool: it never saw the call, or does not know our session any more.
      if (gone && kind !== 'lost' && attempt === 1) continue;
      throw callFailure(this.definition.name, tool.name, {
        kind,
        // For a lost connection the state knows more than the call.
        detail: kind === 'lost' ? (this.#status.reason ?? told`${detail}.`) : detail,
        code,
      });
    }
  }

  /** The session is over, and given up. */
  #isGone(kind: CallProblem['kind'], session: Session): boolean {
    const forgotten = kind === 'session' && session.hasServerSession;
    const gone = kind === 'lost' || kind === 'unsent' || forgotten;
    if (gone) this.#lost(session, undefined);
    return gone;
  }

  /** Other calls may still be on their way: the session is given up only when the server does not answer at all. */
  async #verify(session: Session): Promise<void> {
    const end = new AbortController();
    const timer = this.#options.clock.after(verifyTimeout, () => end.abort());
    try {
      await session.listTools(end.signal);
    } catch (thrown) {
      this.log.add('belay', `It does not answer: ${oneLine(String(thrown))}`);
      this.#lost(session, undefined);
    } finally {
      timer.dispose();
    }
  }

  async #ready(signal: AbortSignal): Promise<Session> {
    throwIfAborted(signal);
    const { state } = this.#status;
    if (this.#session === undefined && state !== 'stopped' && state !== 'disabled')
      await untilAborted(this.start(), signal);
    if (this.#session !== undefined) return this.#session;
    throw notAvailable(this.definition.name, this.#status.reason);
  }

  async #start(byHand: boolean): Promise<void> {
    const attempt: Attempt = {
      abort: new AbortController(),
      late: false,
      flooded: false,
      byHand,
      waits: true,
    };
    this.#attempt = attempt;
    this.#set({ state: 'starting' });
    const { clock, handshakeMs } = this.#options;
    const expire = (): void => {
      if (attempt.waits) {
        deadline = clock.after(handshakeMs, expire);
        return;
      }
      attempt.late = true;
      attempt.abort.abort();
    };
    let deadline = clock.after(handshakeMs, expire);
    try {
      const opened = await this.#open(attempt);
      if ('problem' in opened)
        this.#fail(attempt.flooded ? { reason: FLOODED, retry: false } : opened.problem);
      else this.#established(opened.session, opened.tools, attempt);
    } catch (thrown) {
      if (attempt.late) {
        const late = told`It did not answer within ${handshakeMs / 1000} s.`;
        this.#fail({ reason: late, retry: true });
      } else if (!attempt.abort.signal.aborted) {
        this.#options.log.error(
          `The MCP server ${this.definition.name} could not be started.`,
          thrown,
        );
        this.#fail({ reason: verbatim(oneLine(String(thrown))), retry: false });
      }
    } finally {
      deadline.dispose();
      this.#starting = undefined;
    }
  }

  async #open(attempt: Attempt): Promise<Opened> {
    const prepared = await this.#options.prepare(attempt.byHand, attempt.abort.signal);
    attempt.abort.signal.throwIfAborted();
    attempt.waits = false;
    if ('problem' in prepared) return prepared;
    for (const [secret] of prepared.secrets) this.log.hide(secret);
    // Importing the SDK takes a quarter of a second: only who has a server pays for it.
    const { openSession } = await import('./open-session.ts');
    return openSession(prepared.target, this.#openOptions(attempt));
  }

  #openOptions(attempt: Attempt): OpenOptions {
    const { name, hash } = this.definition;
    const { client, clock, eras, environment, fetch, folder, support } = this.#options;
    const { person, roots, onEvent } = support;
    return {
      hash,
      answering: {
        server: name,
        log: this.log,
        person,
        roots,
        call: () => this.#calls.latest(),
        pages: this.#news.pages,
        onEvent: (method, params) => {
          this.#news.heard(method, params);
          onEvent?.(name, method, params);
        },
      },
      signIn: { credentials: this.#book, open: () => this.#signInPage(attempt) },
      client,
      clock,
      eras,
      local: { environment, folder },
      fetch,
      log: this.log,
      signal: attempt.abort.signal,
      onClosed: (how) => {
        attempt.ended = { how };
        if (this.#attempt === attempt && this.#session !== undefined)
          this.#lost(this.#session, how);
      },
      onFlood: () => {
        attempt.flooded = true;
      },
    };
  }

  /** Where a person is there: at a start by hand, and while one of their calls is under way. */
  #signInPage(attempt: Attempt): ((url: URL, signal: AbortSignal) => Promise<boolean>) | undefined {
    const { person } = this.#options.support;
    if (person === undefined || (!attempt.byHand && this.#calls.size === 0)) return undefined;
    return async (url, signal) => {
      attempt.waits = true;
      this.log.add('belay', `Signing in at ${url.host}.`);
      return person.signIn(this.definition.name, url, signal);
    };
  }

  #established(session: Session, tools: readonly ListedTool[], attempt: Attempt): void {
    if (attempt.abort.signal.aborted) {
      this.#close(session);
      throw abortError();
    }
    attempt.waits = false;
    this.#session = session;
    this.#backoff.ready();
    this.tools.watch(session, tools);
    this.#set({ state: 'ready' });
    if (attempt.ended !== undefined) this.#lost(session, attempt.ended.how);
  }

  /** The connection ended by itself. */
  #lost(session: Session, how: ProcessExit | undefined): void {
    if (this.#session !== session) return;
    this.#session = undefined;
    this.tools.unwatch();
    this.#close(session);
    const reason =
      how === undefined ? told`The connection to it broke.` : endOf(how, this.log.lastError());
    const retry = this.#attempt?.flooded !== true;
    this.#fail({ reason: retry ? reason : FLOODED, retry });
  }

  #close(session: Session): void {
    this.#closing = Promise.all([this.#closing, session.close()]);
  }

  #fail({ reason, retry, signIn }: ConnectProblem): void {
    this.log.add('belay', inEnglish(reason));
    this.#backoff.failed();
    const wait = retry ? this.#backoff.next() : undefined;
    if (wait === undefined) {
      const said = retry ? joined([reason, GIVEN_UP], ' ') : reason;
      this.#set({ state: 'failed', reason: said, ...(signIn === true ? { signIn } : {}) });
      return;
    }
    const { clock } = this.#options;
    this.#retry = clock.after(wait, () => void this.start());
    this.#set({ state: 'failed', reason, retryAt: clock.now() + wait });
  }

  #set({ reason, ...state }: ServerStatus): void {
    const said = reason && withValues(reason, (value) => this.log.masked(value));
    this.#status = said === undefined ? state : { ...state, reason: said };
    const why = said && { reason: inEnglish(said) };
    this.#options.log.debug('MCP server', { server: this.definition.name, ...state, ...why });
    this.#options.onChange();
  }
}
