import type { Emit } from '../../core/ports/events.ts';
import type { ToolContext } from '../../core/tool-call/tool-call.ts';
import type { JsonObject } from '../../domain/data/json.ts';
import type { RequestAnswer } from '../../domain/mcp/server-request.ts';
import type { CredentialStorage } from '../auth/credential-book.ts';
import type { AskedForm, AskedPage } from './elicitation.ts';
import type { AskedSampling } from './sampling.ts';

/** The call that a server works on while it asks. */
export interface AskingCall {
  readonly sessionId: string;
  readonly runId: string;
  readonly callId: string;
  readonly emit: Emit;
  /** Fires when the call is given up. */
  readonly signal?: AbortSignal;
  /** Fires when the call has ended, however. */
  readonly over?: AbortSignal;
  /** A second question in the call; absent where nobody can be asked. */
  readonly confirm?: ToolContext['confirm'];
}

/** A question's surroundings. */
export interface Asking {
  /** The server's name in the settings. */
  readonly server: string;
  /** The latest call that is under way; absent: none is, the server asks by itself. */
  readonly call: AskingCall | undefined;
  /** The server, the call or the connection gave up. */
  readonly signal: AbortSignal;
  /** Of a page: fires when the server says that it is done with. */
  readonly ended?: AbortSignal | undefined;
}

/** A page that was offered to the person. */
export interface PageAnswer {
  readonly action: RequestAnswer['action'];
  /** Waits until they are done there: they say so, or the server does; `false`: they gave up, or the call is over. Absent: it was not opened. */
  readonly done?: () => Promise<boolean>;
}

export interface SamplingAnswer {
  readonly text: string;
  readonly model: string;
  readonly stopReason: 'endTurn' | 'maxTokens' | 'stopSequence';
}

/** Everything behind the requests of servers, and who hears of their news. */
export interface ServerSupport {
  /** Absent: nobody is there to fill in forms, to sign in, or to lend a model. */
  readonly person?: McpPerson | undefined;
  /** Keeps what sign-ins gave; absent: until the process ends. */
  readonly credentials?: CredentialStorage;
  /** Absolute folders that servers are told about; absent: the workspace folder. */
  readonly roots?: () => readonly string[];
  /** Hears every secret that a server gets at its start, with what it is. */
  readonly onSecret?: (value: string, what: string) => void;
  readonly onEvent?: ((server: string, method: string, params: unknown) => void) | undefined;
}

/** The person behind the client, and the model that they may lend. */
export interface McpPerson {
  fillForm(form: AskedForm, asking: Asking, params: JsonObject): Promise<RequestAnswer>;
  /** Shows the whole address; with a yes it is opened. */
  openPage(page: AskedPage, asking: Asking, params: JsonObject): Promise<PageAnswer>;
  /** Shows the whole prompt; with a yes the model answers. `undefined`: declined. */
  sample(
    prompt: AskedSampling,
    asking: Asking,
    params: JsonObject,
  ): Promise<SamplingAnswer | undefined>;
  /** Tells who wants a sign-in and where, and opens the page; `false`: they do not want to. */
  signIn(server: string, url: URL, signal: AbortSignal): Promise<boolean>;
}
