import { parseSync } from 'oxc-parser';
import { isTranslate } from './said-texts.ts';
import type { Node } from './source-graph.ts';

/** Rooms whose texts are for the person in front of them. */
export const SPEAKING = /^(webview|src\/(panel|window|hosts\/vscode|compose\/vscode))\//;

/** Rooms that give the person reasons, beside the English of their record: `told`. */
export const REASONING = /^src\/core\/permissions\//;

/** Rooms whose errors the person reads, too, beside texts for the model: `told`. */
export const FAILING = /^src\/(tools|core|mcp|providers|store|hosts\/node)\//;

/** Files in them whose reasons are not for the person, and whom they are for. */
export const UNTOLD: Readonly<Record<string, string>> = {
  'src/core/tool-call/find-tool.ts': 'the model, about its arguments',
  'src/core/tool-call/use-tool.ts': 'the model, about its arguments',
  'src/hosts/node/headless/run-headless.ts': 'who runs the command line, in English',
  'src/mcp/server/context-listener.ts': 'programs that ask the server of a window',
  'src/providers/gemini/assemble.ts': 'the rules that read the words of servers',
  'src/tools/commands/output-record.ts': 'the model, below the output of a command',
  'src/tools/context/pending-changes.ts': 'the model, about its arguments',
};

/** Fields and variables that say why something failed. */
const REASON = /^(message|reason|problem|why|detail|refused|lost)$/;

/** Calls that make a failure, or the result of one. */
const FAILS = /^(fault|storeError|failedOutcome|textResult|BelayError|SignInError|NoAnswer)$/;

/** Sentences about failures that are not `told`: given to a call that makes one, or named as a reason. */
export function untoldErrors(file: string, code: string): string[] {
  const found: string[] = [];
  const see = (value: unknown, isReason: boolean): void => {
    if (Array.isArray(value)) {
      for (const one of value) see(one, isReason);
      return;
    }
    if (typeof value !== 'object' || value === null || !('type' in value)) return;
    const node = value as Node;
    const text = isReason ? textOf(node) : undefined;
    if (text !== undefined && SENTENCE.test(text.replaceAll('§', '')))
      found.push(`${file}: ${text.trim().slice(0, 80)}`);
    if (isSilent(node, code)) return;
    const reasons = reasonsIn(node, code);
    for (const [field, child] of Object.entries(node)) {
      if (field === 'key' || field === 'typeAnnotation' || field === 'source') continue;
      see(child, field === reasons || (isReason && PASSES.has(node.type) && field !== 'test'));
    }
  };
  see(parseSync(file, code).program, false);
  return found;
}

/** The field of a node in which a reason stands, if there is one. */
function reasonsIn(node: Node, code: string): string | undefined {
  if (node.type === 'VariableDeclarator')
    return REASON.test(String((node.id as { name?: string }).name)) ? 'init' : undefined;
  if (node.type === 'Property') return REASON.test(nameOf(node) ?? '') ? 'value' : undefined;
  if (node.type !== 'CallExpression' && node.type !== 'NewExpression') return undefined;
  const callee = node.callee as Node & { readonly end: number };
  return FAILS.test(code.slice(callee.start, callee.end)) ? 'arguments' : undefined;
}

/** Files in them that speak to others, in English, and to whom. */
export const ENGLISH: Readonly<Record<string, string>> = {
  'src/hosts/vscode/extension-tools/': 'the model',
  'src/hosts/vscode/files/': 'the model',
  'src/hosts/vscode/language/': 'the model',
  'src/hosts/vscode/notebooks/': 'the model',
  'src/hosts/vscode/tasks/': 'the model',
  'src/hosts/vscode/terminal/': 'the model',
  'src/panel/input/message-input.ts': 'the model, around what is mentioned',
  'src/panel/input/sources/': 'the model, beside what the list says',
  'src/hosts/vscode/mcp/mcp-places.ts': 'the log, and who looks for a file of settings',
  'src/window/apps/app-host.ts': 'the app of a server',
  'webview/views/find/find-ranges.ts': 'the browser, in selectors',
  'src/window/asks/ask-texts.ts': 'the model, in messages of the person',
  'src/window/log/': 'who reads the log',
  'src/window/terminal/runner.ts': 'Node',
  'src/core/permissions/command/visible-command.ts': 'who reads a command, in signs',
  'src/core/permissions/command/program-risks.ts': 'nobody: it has names of programs',
  'src/core/permissions/command/programs/versions.ts': 'nobody: it has names of programs',
  'src/core/permissions/protected-paths.ts': 'nobody: it has names of files',
  'src/core/permissions/rules/removed-kinds.ts': 'who writes rules: commands of examples',
  'src/core/permissions/rules/checks.ts': 'nobody: it has names of programs',
};

/** Attributes and properties that a person reads. */
const READ =
  /^(title|label|aria-label|placeholder|placeHolder|alt|description|detail|prompt|tooltip|openLabel|heading|note)$/;

/** Texts that are the same in every language: names and examples. */
const SAME =
  /^(Belay|Belay: §|git-changes|terminal|Brave Search|Tavily|SearXNG|\$\(watch\) §|https:\/\/…|sk-ant-…|src\/example\.ts|string|1px (dashed|solid)|uvx mcp-server-git|(media|img)-src data:|codicon codicon-§§|The person said no\.|The MCP server “§” has no tool “§” for its apps\.)$/;

/** Calls whose texts nobody is shown, or which translate themselves. */
const SILENT =
  /(^|[.#])log\.\w+$|^(l10n\.t|plural|count|counted|countedIfAny|atLeast|said|report|wordSet|numeral|hits|fuzzyScore)$|\.(split|closest|matches|querySelector(All)?|startsWith|includes|executeCommand|getConfiguration)$|^(Error|DOMException|TypeError|RegExp)$/;

/** Names of kinds, of subcommands, and lists of words that a program knows. */
const NAMES =
  /^((stash|reflog) (list|show)|(ts|js|py|java|css|htm|json|markdown|yaml|toml)( [a-z]+)+|path cdpath .*)$/;

/** Words of a person: several, and not a selector, a class, a key or a policy. */
const SENTENCE = /\p{L}{2,}[,.:]? \p{L}{2,}/u;

/** Texts of a file that a person would read in English whatever they speak. */
export function unsaidTexts(file: string, code: string): string[] {
  const found: string[] = [];
  const see = (value: unknown, isRead: boolean): void => {
    if (Array.isArray(value)) {
      for (const one of value) see(one, isRead);
      return;
    }
    if (typeof value !== 'object' || value === null || !('type' in value)) return;
    const node = value as Node;
    const text = englishOf(node, isRead);
    if (text !== undefined) found.push(`${file}: ${text.trim().slice(0, 80)}`);
    if (isSilent(node, code)) return;
    const name = nameOf(node);
    const reads =
      name === undefined ? node.type === 'JSXExpressionContainer' && isRead : READ.test(name);
    for (const [field, child] of Object.entries(node)) {
      if (field === 'key' || field === 'typeAnnotation' || field === 'source') continue;
      see(child, reads || (isRead && PASSES.has(node.type) && field !== 'test'));
    }
  };
  see(parseSync(file, code).program, false);
  return found;
}

/** What stands in the place of its parts. */
const PASSES = new Set(['ConditionalExpression', 'LogicalExpression']);

function englishOf(node: Node, isRead: boolean): string | undefined {
  const text = textOf(node);
  const words = isRead || node.type === 'JSXText' ? /\p{L}{2}/u : SENTENCE;
  return text === undefined || !words.test(text) || isCode(text) ? undefined : text;
}

function textOf(node: Node): string | undefined {
  if (node.type === 'JSXText' || node.type === 'Literal')
    return typeof node.value === 'string' ? node.value.trim() : undefined;
  if (node.type !== 'TemplateLiteral') return undefined;
  const quasis = node.quasis as readonly { readonly value: { readonly cooked: string } }[];
  return quasis.map(({ value }) => value.cooked).join('§');
}

const isCode = (text: string): boolean =>
  SAME.test(text) || NAMES.test(text) || /[<>]|\{ padding/.test(text);

function isSilent(node: Node, code: string): boolean {
  if (/^(ImportDeclaration|ImportExpression|TaggedTemplateExpression)$/.test(node.type))
    return true;
  if (node.type.startsWith('TS') && !/^TS(As|NonNull|Satisf)/.test(node.type)) return true;
  if (node.type === 'BinaryExpression') return true;
  if (node.type === 'JSXAttribute') return /^(class|style|data-.*|href)$/.test(nameOf(node) ?? '');
  if (node.type !== 'CallExpression' && node.type !== 'NewExpression') return false;
  const callee = node.callee as Node & { readonly end: number };
  return isTranslate(callee) || SILENT.test(code.slice(callee.start, callee.end));
}

/** The name of an attribute or a property. */
function nameOf(node: Node): string | undefined {
  if (node.type === 'JSXAttribute') return (node.name as { readonly name: string }).name;
  if (node.type !== 'Property') return undefined;
  const { name, value } = node.key as { readonly name?: string; readonly value?: string };
  return name ?? value;
}
