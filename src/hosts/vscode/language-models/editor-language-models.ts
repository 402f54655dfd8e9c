import * as vscode from 'vscode';
import type {
  EditorMessage,
  EditorModel,
  EditorModels,
  EditorPart,
  EditorRequest,
} from '../../../core/ports/editor/editor-models.ts';
import type { Disposable } from '../../../domain/lifetime/disposable.ts';
import { isJsonObject } from '../../../domain/data/json.ts';
import type { JsonObject } from '../../../domain/data/json.ts';
import { tokenOf } from '../extension-tools/cancellation.ts';

/** Facts that VS Code tells at run time, beyond its stable types; absent in older ones. */
interface Capable {
  readonly capabilities?: {
    readonly supportsToolCalling?: boolean;
    readonly supportsImageToText?: boolean;
  };
}

/** `vscode.lm`: the models that extensions bring, Copilot's among them. */
export class EditorLanguageModels implements EditorModels {
  #chats = new Map<string, vscode.LanguageModelChat>();

  async list(): Promise<readonly EditorModel[]> {
    const chats = await vscode.lm.selectChatModels();
    // Several groups of one vendor may have a model in common.
    this.#chats = new Map(chats.toReversed().map((chat) => [idOf(chat), chat]));
    return [...new Set(chats.map(idOf))].flatMap((id) => {
      const chat = this.#chats.get(id);
      return chat === undefined ? [] : [modelOf(id, chat)];
    });
  }

  async send(
    model: string,
    request: EditorRequest,
    signal: AbortSignal,
  ): Promise<AsyncIterable<EditorPart>> {
    const chat = await this.#chat(model);
    const { justification, required, tools } = request;
    const stopping = tokenOf(signal);
    try {
      const response = await chat.sendRequest(
        request.messages.map(messageOf),
        {
          justification,
          ...(tools.length === 0 ? {} : { tools: tools.map((tool) => ({ ...tool })) }),
          ...(required ? { toolMode: vscode.LanguageModelChatToolMode.Required } : {}),
        },
        stopping.token,
      );
      return partsOf(response, stopping);
    } catch (error) {
      stopping.dispose();
      throw error;
    }
  }

  async countTokens(model: string, message: EditorMessage, signal: AbortSignal): Promise<number> {
    const chat = await this.#chat(model);
    const stopping = tokenOf(signal);
    try {
      return await chat.countTokens(messageOf(message), stopping.token);
    } finally {
      stopping.dispose();
    }
  }

  onChange(listener: () => void): Disposable {
    return vscode.lm.onDidChangeChatModels(() => listener());
  }

  /** An extension that starts again brings its models again: one that is missing is looked for once. */
  async #chat(model: string): Promise<vscode.LanguageModelChat> {
    if (!this.#chats.has(model)) await this.list();
    const chat = this.#chats.get(model);
    if (chat === undefined) throw vscode.LanguageModelError.NotFound();
    return chat;
  }
}

const idOf = ({ vendor, id }: vscode.LanguageModelChat): string => `${vendor}/${id}`;

function modelOf(id: string, chat: vscode.LanguageModelChat & Capable): EditorModel {
  const { name, vendor, maxInputTokens, capabilities } = chat;
  const [tools, images] = [capabilities?.supportsToolCalling, capabilities?.supportsImageToText];
  return { id, name, vendor, maxInputTokens, tools, images };
}

function messageOf({ role, parts }: EditorMessage): vscode.LanguageModelChatMessage {
  const { User, Assistant } = vscode.LanguageModelChatMessageRole;
  const content = parts.flatMap(inputOf);
  return new vscode.LanguageModelChatMessage(role === 'user' ? User : Assistant, content);
}

function inputOf(part: EditorPart): vscode.LanguageModelInputPart[] {
  switch (part.type) {
    case 'text':
      return [new vscode.LanguageModelTextPart(part.text)];
    case 'data':
      return [new vscode.LanguageModelDataPart(part.data, part.mimeType)];
    case 'call':
      return [new vscode.LanguageModelToolCallPart(part.id, part.name, part.input)];
    case 'result':
      return [
        new vscode.LanguageModelToolResultPart(part.callId, [
          new vscode.LanguageModelTextPart(part.text),
        ]),
      ];
    case 'thinking':
      return thinkingOf(part);
    default:
      return part satisfies never;
  }
}

type ThinkingPart = new (value: string, id?: unknown, metadata?: unknown) => object;

/** The class is there at run time, but in no stable type; without it thinking is left out. */
function thinkingOf({
  text,
  rest,
}: Extract<EditorPart, { readonly type: 'thinking' }>): vscode.LanguageModelInputPart[] {
  const { LanguageModelThinkingPart: Part } = vscode as {
    LanguageModelThinkingPart?: ThinkingPart;
  };
  if (Part === undefined) return [];
  return [new Part(text, rest['id'], rest['metadata']) as vscode.LanguageModelTextPart];
}

async function* partsOf(
  response: vscode.LanguageModelChatResponse,
  stopping: Disposable,
): AsyncGenerator<EditorPart> {
  try {
    for await (const chunk of response.stream) {
      const part = outputOf(chunk);
      if (part !== undefined) yield part;
    }
  } finally {
    stopping.dispose();
  }
}

function outputOf(chunk: unknown): EditorPart | undefined {
  if (chunk instanceof vscode.LanguageModelTextPart) return { type: 'text', text: chunk.value };
  if (chunk instanceof vscode.LanguageModelDataPart)
    return { type: 'data', mimeType: chunk.mimeType, data: chunk.data };
  if (chunk instanceof vscode.LanguageModelToolCallPart) {
    const { callId: id, name, input } = chunk;
    return { type: 'call', id, name, input: input as JsonObject };
  }
  return thoughtIn(chunk);
}

/** Thinking, by its form: `value`, `id`, `metadata`. */
function thoughtIn(chunk: unknown): EditorPart | undefined {
  if (typeof chunk !== 'object' || chunk === null || !('value' in chunk)) return undefined;
  const { value, id, metadata } = chunk as Readonly<Record<string, unknown>>;
  const isText = typeof value === 'string' || Array.isArray(value);
  if (!isText) return undefined;
  return {
    type: 'thinking',
    text: typeof value === 'string' ? value : (value as unknown[]).join(''),
    rest: {
      ...(typeof id === 'string' ? { id } : {}),
      ...(isJsonObject(metadata) ? { metadata } : {}),
    },
  };
}
