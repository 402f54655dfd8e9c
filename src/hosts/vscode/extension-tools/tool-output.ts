import * as vscode from 'vscode';
import type { ToolOutput } from '../../../core/tool-call/tool-call.ts';
import { outputOf } from '../../../mcp/tools/result.ts';

type Block = Parameters<typeof outputOf>[0]['content'][number];

/** The answer of an extension's tool, within the limits of strangers' answers. */
export function extensionOutput(content: readonly unknown[]): ToolOutput {
  return outputOf({ content: content.map(blockOf) });
}

function blockOf(part: unknown): Block {
  if (part instanceof vscode.LanguageModelTextPart) return text(part.value);
  if (part instanceof vscode.LanguageModelDataPart) {
    const { data, mimeType } = part;
    if (/^text\/|[/+]json\b/u.test(mimeType)) return text(new TextDecoder().decode(data));
    return { type: 'image', mimeType, data: Buffer.from(data).toString('base64') };
  }
  if (part instanceof vscode.LanguageModelPromptTsxPart) return text(textIn(part.value));
  return text('[A part of a kind that Belay does not know was left out.]');
}

function text(value: string): Block {
  return { type: 'text', text: value };
}

/** The texts of a rendered prompt, in their order; its nodes are not part of the API. */
function textIn(value: unknown): string {
  const texts: string[] = [];
  const visit = (node: unknown, depth: number): void => {
    if (typeof node !== 'object' || node === null || depth > 100) return;
    for (const [key, inner] of Object.entries(node)) {
      if (key === 'text' && typeof inner === 'string') texts.push(inner);
      else visit(inner, depth + 1);
    }
  };
  visit(value, 0);
  return texts.length > 0 ? texts.join('\n') : JSON.stringify(value);
}
