import { type Told, told } from '../../domain/text/told.ts';
import { type ParseError, parse, printParseErrorCode } from 'jsonc-parser';
import type { Json, JsonObject } from '../../domain/data/json.ts';
import { cutJson } from '../../domain/data/json-limits.ts';
import { type FoundServers, clientServers } from './client-servers.ts';
import { nameFor } from './server-name.ts';

export type Pasted = { readonly servers: FoundServers } | { readonly problem: Told };

/** Characters that are read. */
export const LONGEST = 200_000;

/** Reads what pages of servers tell people to paste: JSON with comments, an address or a command. */
export function readPasted(pasted: string): Pasted {
  if (pasted.length > LONGEST)
    return { problem: told`It has ${pasted.length} characters; at most ${LONGEST} are read.` };
  const text = pasted.trim().replace(/^```\w*\r?\n([\s\S]*?)\r?\n```$/u, '$1');
  if (text === '') return { problem: told`There is nothing in it.` };
  if (/^[{["/]/u.test(text)) return fromJson(text);
  if (/^https?:\/\/\S+$/u.test(text)) return one({ url: text });
  if (/[\r\n]/u.test(text)) return { problem: told`It is neither JSON, an address nor a command.` };
  return one(commandLine(text));
}

/** Reads JSON as people write it; the first fault is reported with its line. What is over the limits is `CUT_JSON`. */
export function readJson(text: string): { readonly value: unknown } | { readonly problem: Told } {
  const errors: ParseError[] = [];
  const bounded = cutJson(text);
  const value: unknown = parse(bounded, errors, { allowTrailingComma: true });
  const [error] = errors;
  if (error === undefined) return { value };
  const line = bounded.slice(0, error.offset).split('\n').length;
  return {
    problem: told`is not valid JSON (${printParseErrorCode(error.error)}, line ${String(line)})`,
  };
}

function fromJson(text: string): Pasted {
  // Pages often show only `"name": { … }`.
  const read = readJson(text.startsWith('"') ? `{${text}}` : text);
  if ('problem' in read) return { problem: told`It ${read.problem}.` };
  return taken(read.value);
}

function taken(value: unknown): Pasted {
  const servers = clientServers(value);
  if (servers === undefined || Object.keys(servers).length === 0)
    return {
      problem: told`No MCP server was found. Paste \`mcpServers\` JSON or VS Code’s \`servers\`. Each needs a \`command\` or a \`url\`.`,
    };
  return { servers };
}

const one = (definition: JsonObject): Pasted => ({
  servers: { [nameFor(definition)]: definition },
});

/** `NAME=value` words before a program become its environment. */
export function commandLine(text: string): JsonObject {
  const words = wordsIn(text);
  const env: Record<string, Json> = {};
  for (; /^[A-Za-z_]\w*=/u.test(words[0] ?? ''); words.shift()) {
    const [, name = '', value = ''] = /^(\w+)=(.*)$/su.exec(words[0] ?? '') ?? [];
    env[name] = value;
  }
  const [command = '', ...args] = words;
  return {
    command,
    ...(args.length === 0 ? {} : { args }),
    ...(Object.keys(env).length === 0 ? {} : { env }),
  };
}

/** Words of a command line: quotes keep blanks together; nothing is run or filled in. */
function wordsIn(text: string): string[] {
  const words: string[] = [];
  for (const [whole] of text.matchAll(/(?:"(?:\\.|[^"\\])*"|'[^']*'|[^\s"'])+/gu))
    words.push(
      whole.replaceAll(
        /"((?:\\.|[^"\\])*)"|'([^']*)'/gu,
        (_, double?: string, single?: string) =>
          single ?? (double ?? '').replaceAll(/\\(["\\])/gu, '$1'),
      ),
    );
  return words;
}
