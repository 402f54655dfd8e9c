import type {
  CallToolResult,
  CompleteResult,
  GetPromptResult,
  Progress,
  ReadResourceResult,
  ServerCapabilities,
} from '@modelcontextprotocol/client';
import type { JsonObject } from '../../src/domain/data/json.ts';

/** What a person answers to a form or page. */
export interface Answered {
  readonly action: 'accept' | 'decline' | 'cancel';
  readonly content?: object;
}

export interface OpenOptions {
  readonly url?: string;
  readonly command?: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly transport?: 'http' | 'sse' | 'stdio';
  readonly protocol?: '2025-11-25' | '2026-07-28';
  readonly clientInfo?: { readonly name: string; readonly version: string };
  readonly elicit?: (request: JsonObject) => Promise<Answered>;
  readonly sample?: (request: JsonObject) => Promise<{ readonly text: string } | undefined>;
  readonly roots?: () => readonly (string | { readonly uri: string })[];
  readonly openExternal?: (url: string) => Promise<unknown>;
  readonly clientMetadataUrl?: string;
  readonly registered?: object;
  readonly on?: (event: string, params: unknown) => void;
  readonly log?: (line: string) => void;
}

export interface CallOptions {
  readonly signal?: AbortSignal;
  readonly timeout?: number;
  readonly onprogress?: (progress: Progress) => void;
}

export interface AdaptedSession {
  readonly protocol: string | undefined;
  tools(): Promise<
    { readonly name: string; readonly inputSchema: unknown; readonly [more: string]: unknown }[]
  >;
  call(name: string, args?: object, options?: CallOptions): Promise<CallToolResult>;
  resources(): Promise<readonly JsonObject[]>;
  templates(): Promise<readonly JsonObject[]>;
  read(uri: string): Promise<ReadResourceResult>;
  prompts(): Promise<readonly JsonObject[]>;
  prompt(name: string, args?: Readonly<Record<string, string>>): Promise<GetPromptResult>;
  subscribe(uri: string): Promise<void>;
  unsubscribe(uri: string): Promise<void>;
  complete(ref: object, argument?: object, context?: object): Promise<CompleteResult>;
  setLevel(level: string): Promise<void>;
  rootsChanged(): Promise<void>;
  ping(): Promise<void>;
  capabilities(): ServerCapabilities | undefined;
  server(): { readonly name: string; readonly version: string } | undefined;
  instructions(): string | undefined;
  log(): readonly { readonly source: string; readonly text: string }[];
  close(): Promise<void>;
}

export function open(options: OpenOptions): Promise<AdaptedSession>;
