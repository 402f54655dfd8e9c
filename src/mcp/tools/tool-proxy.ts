import * as l10n from '@vscode/l10n';
import type { CallToolResult, Progress } from '@modelcontextprotocol/client';
import { createHash } from 'node:crypto';
import { type JsonObject, canonicalJson, isJsonObject } from '../../domain/data/json.ts';
import type { Clock } from '../../core/ports/clock.ts';
import type { Emit } from '../../core/ports/events.ts';
import { cleanText } from '../../domain/text/honest-text.ts';
import type { Tool, ToolContext, ToolPreview } from '../../core/tool-call/tool-call.ts';
import type { Connection } from '../connection/connection.ts';
import type { ListedTool } from './listed-tool.ts';
import { outputOf } from './result.ts';
import { oneLine } from '../status/sentence.ts';
import { alternativeName, toolName } from './tool-name.ts';
import { inputSchemaOf } from './tool-schema.ts';

/** Characters kept of a description: it is data of a stranger that stands in every request. */
const longestDescription = 4000;
/** Milliseconds between two reports of progress of one call. */
const progressEvery = 100;

export interface McpTool extends Tool {
  readonly server: string;
  readonly serverTool: string;
  /** SHA-256 of the server's definition and of what the tool claims to be; an approval is bound to it. */
  readonly hash: string;
  /** The model is offered it. */
  readonly forModel: boolean;
  /** Apps of its server may call it. */
  readonly forApps: boolean;
  /** The server's own result. Rejects as `run` does. */
  call(input: JsonObject, context: ToolContext): Promise<CallToolResult>;
}

/** All tools of all servers, each under a name of its own, sorted by server and tool. */
export function toolsOf(connections: readonly Connection[], clock: Clock): McpTool[] {
  const taken = new Set<string>();
  return connections.flatMap((connection) =>
    connection.offered.map((listed) => {
      const server = connection.definition.name;
      let name = toolName(server, listed.name);
      for (let count = 1; taken.has(name); count += 1) {
        name = alternativeName(name, server, listed.name, count);
      }
      taken.add(name);
      return toolOf(name, connection, listed, clock);
    }),
  );
}

function toolOf(name: string, connection: Connection, listed: ListedTool, clock: Clock): McpTool {
  const { definition } = connection;
  const call: McpTool['call'] = async (input, context) => {
    const { signal, emit, callId } = context;
    const onProgress = progressReporter(clock, emit, callId);
    return connection.call(listed, input, { signal, onProgress, call: context });
  };
  const { page, forModel = true, forApps = true } = listed.ui ?? {};
  return {
    forModel,
    forApps,
    call,
    name,
    description: descriptionOf(definition.name, listed),
    inputSchema: inputSchemaOf(listed.inputSchema),
    // A claim of the server: it allows to repeat and to run in parallel, never to skip the question.
    sideEffects: !listed.readOnly || listed.destructive,
    // A claim, too: a call that was allowed is sent again where it may not have got through.
    repeatable: isIdempotent(listed),
    level: 'user',
    module: definition.name,
    permission: 'execute',
    ...(definition.timeoutMs === undefined ? {} : { timeoutMs: definition.timeoutMs }),
    server: definition.name,
    serverTool: listed.name,
    hash: hashOf(definition.hash, listed),
    // The server is a stranger's program, wherever it runs.
    outbound: true,
    // The server knows its own arguments best; what it says against them goes to the model.
    check: (input) => ({ input }),
    preview: (input) => Promise.resolve(previewOf(definition.name, listed, input)),
    run: async (input, context) =>
      outputOf(await call(input, context), { server: definition.name, page }),
  };
}

function isIdempotent({ claims }: ListedTool): boolean {
  const { annotations } = claims;
  return isJsonObject(annotations) && annotations['idempotentHint'] === true;
}

function descriptionOf(server: string, { title, description }: ListedTool): string {
  const cleaned = cleanText(description).trim();
  const text = cleaned === '' ? oneLine(title ?? '') : cleaned;
  if (text === '') return `A tool of the MCP server “${server}”, which does not describe it.`;
  return text.length > longestDescription ? `${text.slice(0, longestDescription)}…` : text;
}

function previewOf(server: string, { name, title }: ListedTool, input: JsonObject): ToolPreview {
  const shown = title === undefined ? name : `${title} (${name})`;
  return {
    title: l10n.t('Use {0} of the MCP server “{1}”', shown, server),
    detail: JSON.stringify(input, null, 2),
  };
}

function hashOf(
  definition: string,
  { name, description, inputSchema, ...hints }: ListedTool,
): string {
  const claims = { definition, name, description, inputSchema, ...hints };
  return createHash('sha256').update(canonicalJson(claims)).digest('hex');
}

function progressReporter(clock: Clock, emit: Emit, callId: string): (progress: Progress) => void {
  let last = Number.NEGATIVE_INFINITY;
  return ({ progress, total, message }) => {
    const now = clock.monotonic();
    if (now - last < progressEvery) return;
    last = now;
    const fraction =
      total === undefined || total <= 0 ? undefined : Math.min(1, Math.max(0, progress / total));
    const value = total === undefined ? String(progress) : `${progress} of ${total}`;
    // Beside a message a number says something only as a part of a whole.
    const isPart = fraction !== undefined && progress <= (total ?? 0);
    const text = message === undefined ? value : isPart ? `${message} (${value})` : message;
    emit({
      type: 'tool.progress',
      callId,
      message: oneLine(text),
      ...(fraction === undefined ? {} : { fraction }),
    });
  };
}
