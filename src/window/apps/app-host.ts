import type { Clock } from '../../core/ports/clock.ts';
import { FloodGuard } from '../../mcp/transport/flood-guard.ts';
import { failureOf } from '../../domain/failure.ts';
import { type Json, type JsonObject, isJsonObject } from '../../domain/data/json.ts';

/** The call whose result an app shows. */
export interface ShownCall {
  readonly input: JsonObject;
  /** As the protocol has it; absent: the call was given up. */
  readonly result?: JsonObject;
}

/** The look of the window, as the page around the app tells it. */
export interface AppLook {
  readonly theme: 'light' | 'dark';
  readonly variables: JsonObject;
  /** Pixels. */
  readonly width: number;
  readonly height: number;
}

export interface AppHostParts {
  readonly call: ShownCall;
  readonly version: string;
  /** To the app. */
  readonly post: (message: JsonObject) => void;
  /** Calls a tool of its server, asked about as any other; resolves with the server's result. Rejects as below. */
  readonly callTool: (name: string, input: JsonObject) => Promise<JsonObject>;
  /** Reads a resource of its server. Rejects with `BelayError`. */
  readonly readResource: (uri: string) => Promise<readonly unknown[]>;
  /** Opens a page with the person's yes; rejects with `BelayError`, code `permission`: they said no. */
  readonly openLink: (url: string) => Promise<void>;
  /** With the person's yes a message is written into the input, and they send it. Rejects as above. */
  readonly offerMessage: (text: string) => Promise<void>;
  /** Saves files where the person says; rejects as above. */
  readonly save: (files: readonly AppFile[]) => Promise<void>;
  readonly log: (line: string) => void;
  /** It was cut off, with a sentence for the person. */
  readonly stopped: (why: string) => void;
  readonly clock: Clock;
  /** The app wants to be closed. */
  readonly close: () => void;
}

/** A file that an app gives. */
export interface AppFile {
  /** A name, never a path. */
  readonly name: string;
  readonly bytes: Uint8Array;
}

const PROTOCOL = '2026-01-26';
/** Messages of an app in a minute, above which it is cut off: it runs in a circle. */
const LOOP = { most: 300, windowMs: 60_000 };
/** Files of one download, and characters of one of them. */
const MOST_FILES = 20;
const LARGEST_FILE = 50_000_000;
/** Requests of an app that are answered at a time. */
const MOST_OPEN = 8;
/** After so many noes of the person nothing more is asked. */
const MOST_NOES = 3;
/** Characters of a message that an app offers. */
const LONGEST = 20_000;

/** JSON-RPC: a wrong parameter, an unknown method, anything else. */
const CODES = { invalid: -32_602, unknown: -32_601, failed: -32_000 } as const;

/** A refusal by the protocol's rules. */
class Refused extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

type Answer = (params: JsonObject) => Promise<JsonObject> | JsonObject;

/** The host's side of an app (MCP Apps): answers what it asks, each with the person's yes, and shows it the call. */
export class AppHost {
  readonly #parts: AppHostParts;
  readonly #requests: ReadonlyMap<string, Answer>;
  #look: AppLook;
  #open = 0;
  #told = false;
  /** Times that the person said no to something. */
  #noes = 0;
  readonly #flood: FloodGuard;

  constructor(parts: AppHostParts, look: AppLook) {
    this.#parts = parts;
    this.#look = look;
    const stopped = (): void =>
      parts.stopped(
        `It was cut off: it asked more than ${LOOP.most} times within a minute. Close it and open it again to go on.`,
      );
    this.#flood = new FloodGuard(parts.clock, stopped, LOOP);
    this.#requests = new Map(Object.entries(this.#answers()));
  }

  /** A message of the app; it may be anything. */
  receive(message: unknown): void {
    if (!isJsonObject(message) || message['jsonrpc'] !== '2.0') return;
    const { id, method, params } = message;
    if (typeof method !== 'string' || this.#flood.count()) return;
    const given = isJsonObject(params) ? params : {};
    if (typeof id === 'string' || typeof id === 'number') void this.#answer(id, method, given);
    else this.#notified(method, given);
  }

  /** The window looks different now. */
  looksLike(look: AppLook): void {
    this.#look = look;
    if (this.#told) this.#notify('ui/notifications/host-context-changed', this.#context());
  }

  #answers(): Readonly<Record<string, Answer>> {
    const { callTool, readResource, openLink, offerMessage, save, version } = this.#parts;
    return {
      ping: () => ({}),
      'ui/initialize': () => ({
        protocolVersion: PROTOCOL,
        hostInfo: { name: 'Belay', version },
        hostCapabilities: {
          openLinks: {},
          serverTools: {},
          serverResources: {},
          logging: {},
          downloadFile: {},
          message: { text: {} },
        },
        hostContext: this.#context(),
      }),
      'ui/request-display-mode': () => ({ mode: 'fullscreen' }),
      'tools/call': async ({ name, arguments: input }) =>
        callTool(textOf(name, 'name'), isJsonObject(input) ? input : {}),
      'resources/read': async ({ uri }) => ({
        contents: (await readResource(textOf(uri, 'uri'))) as readonly Json[],
      }),
      'ui/open-link': async ({ url }) => {
        await openLink(textOf(url, 'url'));
        return {};
      },
      'ui/download-file': async ({ contents }) => {
        const given = Array.isArray(contents) ? (contents as readonly Json[]) : [];
        if (given.length === 0 || given.length > MOST_FILES)
          throw new Refused(CODES.invalid, `A download has 1 to ${MOST_FILES} files.`);
        const files: AppFile[] = [];
        for (const one of given) files.push(...(await filesOf(one, readResource)));
        await save(files);
        return {};
      },
      'ui/message': async ({ content }) => {
        const blocks = Array.isArray(content) ? (content as readonly Json[]) : [content];
        const texts = blocks.map((one) => (isJsonObject(one) ? textOf(one['text'], 'text') : ''));
        const text = texts.join('\n').trim();
        if (text === '' || text.length > LONGEST)
          throw new Refused(CODES.invalid, `A message has 1 to ${LONGEST} characters.`);
        await offerMessage(text);
        return {};
      },
    };
  }

  async #answer(id: string | number, method: string, params: JsonObject): Promise<void> {
    const { post } = this.#parts;
    this.#open += 1;
    try {
      const answer = this.#requests.get(method);
      if (answer === undefined) throw new Refused(CODES.unknown, `There is no ${method} here.`);
      if (this.#noes >= MOST_NOES && method !== 'ping')
        throw new Refused(CODES.failed, 'The person said no; nothing more is asked.');
      if (this.#open > MOST_OPEN) throw new Refused(CODES.failed, 'Too much is asked at once.');
      post({ jsonrpc: '2.0', id, result: await answer(params) });
    } catch (thrown) {
      const isRefused = thrown instanceof Refused;
      const failure = failureOf(thrown);
      if (!isRefused && failure.code === 'permission') this.#noes += 1;
      const { code, message } = isRefused ? thrown : { ...failure, code: CODES.failed };
      post({ jsonrpc: '2.0', id, error: { code, message } });
    } finally {
      this.#open -= 1;
    }
  }

  #notified(method: string, params: JsonObject): void {
    const { call, close, log } = this.#parts;
    switch (method) {
      case 'ui/notifications/initialized':
        if (this.#told) return;
        this.#told = true;
        this.#notify('ui/notifications/tool-input', { arguments: call.input });
        if (call.result === undefined) this.#notify('ui/notifications/tool-cancelled', {});
        else this.#notify('ui/notifications/tool-result', call.result);
        return;
      case 'notifications/message':
        log(JSON.stringify(params['data'] ?? null).slice(0, 1000));
        return;
      case 'ui/notifications/request-teardown':
        close();
        return;
      default:
    }
  }

  #notify(method: string, params: JsonObject): void {
    this.#parts.post({ jsonrpc: '2.0', method, params });
  }

  #context(): JsonObject {
    const { theme, variables, width, height } = this.#look;
    return {
      theme,
      styles: { variables },
      displayMode: 'fullscreen',
      availableDisplayModes: ['fullscreen'],
      containerDimensions: { width, height },
      platform: 'desktop',
    };
  }
}

function textOf(value: Json | undefined, name: string): string {
  if (typeof value === 'string' && value !== '') return value;
  throw new Refused(CODES.invalid, `“${name}” must be a text.`);
}

/** The files of an embedded resource, or of a link that the server gives. */
async function filesOf(
  given: Json,
  read: AppHostParts['readResource'],
): Promise<readonly AppFile[]> {
  const { type, resource, uri, name } = isJsonObject(given) ? given : {};
  if (type !== 'resource_link') return [fileOf(resource)];
  const found = await read(textOf(uri, 'uri'));
  return found.map((one) => fileOf(one, name));
}

function fileOf(resource: unknown, name?: Json): AppFile {
  const { uri, text, blob } = isJsonObject(resource) ? resource : {};
  const data = blob ?? text;
  if (typeof data !== 'string' || data.length > LARGEST_FILE)
    throw new Refused(CODES.invalid, 'A file has a text or a blob of at most 50 MB.');
  const bytes = blob === undefined ? new TextEncoder().encode(data) : bytesOf(data);
  const last = (one: Json | undefined): string =>
    typeof one === 'string' ? (one.split(/[\\/]/u).at(-1) ?? '') : '';
  const plain = (last(name) || last(uri)).replaceAll(/[^\p{L}\p{N}._ -]/gu, '_');
  return { name: /^[.\s]*$/u.test(plain) ? 'file' : plain.slice(-100), bytes };
}

function bytesOf(base64: string): Uint8Array {
  try {
    return Uint8Array.from(atob(base64), (one) => one.charCodeAt(0));
  } catch {
    throw new Refused(CODES.invalid, 'A blob must be base64.');
  }
}
