import path from 'node:path';
import type { JsonObject } from '../../domain/data/json.ts';

/** Programs that start a package which an argument names. */
const RUNNERS = /^(?:npx|bunx|uvx|pipx|pnpm|yarn|npm|bun|uv|deno|docker|podman|node|python3?)$/u;
const NOT_A_NAME = /^(?:-|run$|exec$|dlx$|x$|tool$)/u;

/** A short name for a server that has none: of its package, program or host. */
export function nameFor({ command, args, url }: JsonObject): string {
  if (typeof url === 'string' && URL.canParse(url)) return hostWord(new URL(url).hostname);
  const program = path
    .basename((typeof command === 'string' ? command : '').replaceAll('\\', '/'))
    .replace(/\.\w+$/u, '');
  const words = Array.isArray(args) ? args.filter((word) => typeof word === 'string') : [];
  const names = words.filter((word) => !NOT_A_NAME.test(word));
  const what = RUNNERS.test(program)
    ? program === 'docker' || program === 'podman'
      ? names.at(-1)
      : names[0]
    : undefined;
  return packageWord(what ?? program);
}

/** `@modelcontextprotocol/server-github@1.2.0` is “github”. */
function packageWord(name: string): string {
  const bare = name.replace(/(?<=.)(?:@|==)[^/]*$/u, '');
  const last = bare.split('/').at(-1) ?? bare;
  const short = last
    .replace(/:[\w.-]+$|\.(?:[cm]?[jt]s|py)$/u, '')
    .replace(/^(?:mcp-)?server-|^mcp-|-mcp(?:-server)?$|-server$/gu, '');
  return short === '' || short === 'mcp'
    ? bare.replaceAll(/[@/]+/gu, '-').replace(/^-/u, '')
    : short;
}

/** `mcp.linear.app` is “linear”. */
function hostWord(host: string): string {
  if (/^[\d.[\]:]+$/u.test(host)) return host;
  const parts = host.split('.').filter((part) => !/^(?:www|mcp|api)$/u.test(part));
  return (parts.length > 1 ? parts.at(-2) : parts[0]) ?? host;
}
