import { startWireServer } from '../wire-server/wire-server.ts';
import type {
  WireScript,
  WireServer,
  WireServerOptions,
  WireTurn,
} from '../wire-server/wire-server.ts';
import { geminiRefusal } from './refusals.ts';

export interface GeminiPart {
  readonly text?: string;
  readonly thought?: boolean;
  readonly thoughtSignature?: string;
  readonly functionCall?: { readonly id?: string; readonly name: string; readonly args: unknown };
  readonly functionResponse?: {
    readonly id?: string;
    readonly name: string;
    readonly response: Readonly<Record<string, unknown>>;
  };
  readonly inlineData?: { readonly mimeType: string; readonly data: string };
}

export interface GeminiContent {
  readonly role: 'user' | 'model';
  readonly parts: readonly GeminiPart[];
}

/** A request body as the server received it. */
export interface GeminiRequest {
  readonly contents: readonly GeminiContent[];
  readonly tools?: readonly {
    readonly functionDeclarations: readonly {
      readonly name: string;
      readonly parametersJsonSchema?: unknown;
    }[];
  }[];
  readonly generationConfig: Readonly<Record<string, unknown>>;
  readonly [field: string]: unknown;
}

export type GeminiScript = WireScript<GeminiRequest>;

export interface GeminiServer extends WireServer<GeminiRequest> {
  /** With the path `/v1beta`. */
  readonly url: string;
}

export interface GeminiServerOptions extends Pick<WireServerOptions<GeminiRequest>, 'pages'> {
  readonly script: GeminiScript;
  /** False: requests are answered without being checked. */
  readonly strict?: boolean;
}

/** Starts a scripted Gemini API on loopback that refuses what the real one refuses. */
export async function startGeminiServer(options: GeminiServerOptions): Promise<GeminiServer> {
  const { pages, script, strict = true } = options;
  const server = await startWireServer<GeminiRequest>({
    script,
    pages,
    refuse: ({ body, path }) => {
      const problem = strict ? geminiRefusal(body, path) : undefined;
      return problem === undefined ? undefined : geminiError(400, problem);
    },
    failed: (error) => geminiError(500, `The script failed: ${String(error)}`),
  });
  return { ...server, url: `${server.origin}/v1beta` };
}

/** An error in the API's own form. */
export const geminiError = (
  status: number,
  message: string,
  more: Readonly<Record<string, unknown>> = {},
): WireTurn => ({
  status,
  body: { error: { code: status, message, status: 'INVALID_ARGUMENT', ...more } },
});

export const GEMINI_MODEL = 'gemini-g-001';

const USAGE = {
  promptTokenCount: 100,
  cachedContentTokenCount: 60,
  candidatesTokenCount: 15,
  thoughtsTokenCount: 5,
  totalTokenCount: 120,
};

/** A chunk with these parts. */
export const geminiChunk = (
  parts: readonly unknown[],
  finishReason?: string,
  more: Readonly<Record<string, unknown>> = {},
) => ({
  candidates: [
    {
      content: { role: 'model', parts },
      ...(finishReason === undefined ? {} : { finishReason }),
      index: 0,
    },
  ],
  usageMetadata: USAGE,
  modelVersion: GEMINI_MODEL,
  ...more,
});

/** A chunk for each part, the last with the reason. */
export const geminiParts = (
  parts: readonly GeminiPart[],
  finishReason = 'STOP',
  more: Partial<WireTurn> = {},
): WireTurn => ({
  chunks: parts.map((part, index) =>
    geminiChunk([part], index === parts.length - 1 ? finishReason : undefined),
  ),
  ...more,
});

export const geminiCall = (path: string, more: Partial<GeminiPart> = {}): GeminiPart => ({
  functionCall: { name: 'read_file', args: { path } },
  ...more,
});

export const geminiSay = (text: string, more: Partial<WireTurn> = {}): WireTurn =>
  geminiParts(
    (text.match(/.{1,12}/gsu) ?? []).map((one) => ({ text: one })),
    'STOP',
    more,
  );
