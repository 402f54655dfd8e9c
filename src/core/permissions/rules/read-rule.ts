import {
  type PermissionRule,
  RULE_EFFECTS,
  RULE_TEXTS,
} from '../../../domain/permissions/permission-rule.ts';
import { globProblem } from '../../../domain/glob/glob.ts';
import { told, type Told } from '../../../domain/text/told.ts';

const KEYS = new Set<string>([...RULE_TEXTS, 'effect', 'access', 'off']);
/** Longest value of a criterion, in characters. */
const LONGEST = 1000;

/** Reads a rule of a settings or workspace file; the problem is a sentence that names what is wrong. */
export function readRule(
  raw: unknown,
): { readonly rule: PermissionRule } | { readonly problem: Told } {
  if (Array.isArray(raw) && raw.length > 0)
    return {
      problem: told`A list of rules is expected, with an object for each, not ${shown(raw[0])}.`,
    };
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw))
    return { problem: told`A rule is an object, not ${shown(raw)}.` };
  const given = raw as Readonly<Record<string, unknown>>;
  const unknown = Object.keys(given).find((key) => !KEYS.has(key));
  if (unknown !== undefined)
    return { problem: told`A rule has no ${shown(unknown)}: ${shown(raw)}.` };
  const problem = problemOf(given);
  return problem === undefined
    ? { rule: given as unknown as PermissionRule }
    : { problem: told`${problem}: ${shown(raw)}.` };
}

function problemOf(given: Readonly<Record<string, unknown>>): Told | undefined {
  const { effect, access, off } = given;
  if (typeof effect !== 'string' || !(RULE_EFFECTS as readonly string[]).includes(effect))
    return told`The effect of a rule is one of ${RULE_EFFECTS.join(', ')}`;
  for (const key of RULE_TEXTS) {
    const value = given[key];
    if (value === undefined) continue;
    if (typeof value !== 'string' || value.trim() === '' || value.length > LONGEST)
      return told`${key} of a rule is a text`;
  }
  if (access !== undefined && access !== 'read' && access !== 'write')
    return told`access of a rule is read or write`;
  if (off !== undefined && typeof off !== 'boolean') return told`off of a rule is true or false`;
  return criteriaProblem(given) ?? patternProblem(given);
}

function criteriaProblem(given: Readonly<Record<string, unknown>>): Told | undefined {
  const has = (key: keyof PermissionRule): boolean => given[key] !== undefined;
  const subjects = (['path', 'command', 'host', 'server'] as const).filter(has);
  if (subjects.length > 1)
    return told`A rule is about one of ${subjects.join(' and ')}; make a rule for each`;
  if (subjects.length === 0 && !has('tool'))
    return told`A rule needs tool, path, command, host or server`;
  if (has('access') && !has('path')) return told`access belongs to a rule with a path`;
  if (has('hash') && !has('serverTool') && !has('subject') && !has('command'))
    return told`hash belongs to a rule with a serverTool, a subject or a command`;
  if (has('subject') && (!has('tool') || subjects.length > 0))
    return told`subject belongs to a rule with a tool and nothing else`;
  if (has('subject') && given['effect'] === 'allow' && !has('hash'))
    return told`a rule that allows a subject needs its hash`;
  if (has('serverTool') && !has('server')) return told`serverTool belongs to a rule with a server`;
  return undefined;
}

/** A pattern that fits nothing, whatever there is: the rule would silently do nothing. */
function patternProblem({
  effect,
  path,
  command,
  host,
  in: folder,
}: Readonly<Record<string, unknown>>): Told | undefined {
  if (typeof path === 'string') {
    const problem = pathProblem(path);
    if (problem !== undefined) return problem;
  }
  if (typeof command === 'string' && /["']/u.test(command.replaceAll(/"[^"]*"|'[^']*'/gu, '')))
    return told`The command ${shown(command)} of a rule can fit nothing: a quote in it is not closed`;
  // A remembered approval may have such a word, which was quoted.
  const joint = effect === 'allow' ? undefined : jointIn(command);
  if (joint !== undefined)
    return told`The command ${shown(command)} of a rule can fit nothing: a rule is about one command, and ${joint} stands between two`;
  if (typeof folder === 'string' && !FROM_ROOT.test(folder))
    return told`The folder ${shown(folder)} of a rule can fit nothing: give it from the root`;
  if (typeof host === 'string' && !/^(?:\*\.?)?[\p{L}\p{N}.:[\]_-]*$/u.test(host))
    return told`The host ${shown(host)} of a rule can fit nothing: it is a name like example.org or *.example.org, without scheme, path and blanks`;
  return undefined;
}

/** Of the path of a rule. */
function pathProblem(path: string): Told | undefined {
  const unclosed = unclosedIn(path);
  if (unclosed !== undefined)
    return told`The path ${shown(path)} of a rule can fit nothing: its ${unclosed} is not closed (a \\ before it makes it a letter)`;
  if (path.split(/[\\/]/u).includes('..') && !FROM_ROOT.test(path))
    return told`The path ${shown(path)} of a rule can fit nothing: it leads out of the workspace; give it from the root`;
  // The first two slashes may be those of a server.
  const names = path
    .replace(/^(?:\.[\\/](?!$)|[\\/]{2})/u, '')
    .split(OF_WINDOWS.test(path) ? /[\\/]/u : '/');
  if (names.some((name) => name === '..' || name === '.') || names.slice(1, -1).includes(''))
    return told`The path ${shown(path)} of a rule can fit nothing: write it without . and .. and without two slashes in a row`;
  if (/^\s|(?<!\\)\s$/u.test(path))
    return told`The path ${shown(path)} of a rule can fit nothing: it has a blank at its beginning or end (a \\ before it makes it a letter)`;
  if (!OF_WINDOWS.test(path) && /\\[\p{L}\p{N}_]/u.test(path.replaceAll('\\\\', '_')))
    return told`The path ${shown(path)} of a rule can fit nothing: divide folders with / (a \\ makes the next character a letter)`;
  if (/\$\{|^\$HOME\b|^%\w+%/u.test(path))
    return told`The path ${shown(path)} of a rule can fit nothing: a variable has no value here; begin with ~/ for your home folder, or with a name in the workspace`;
  if (globProblem(path) !== undefined)
    return told`The path ${shown(path)} of a rule is not understood: for one of several write {a,b}, and no ! at its beginning`;
  return undefined;
}

const OF_WINDOWS = /^(?:[a-z]:\\|\\\\)/iu;

const FROM_ROOT = /^(?:[a-z]:|[\\/])/iu;

/** The operator between two commands, outside of quotes. */
function jointIn(command: unknown): string | undefined {
  if (typeof command !== 'string') return undefined;
  const plain = command.replaceAll(/"[^"]*"|'[^']*'/gu, '_');
  return /(?:^|\s)(?<joint>&&|\|\|?)(?=\s|$)|(?<=\S)(?<end>;)(?=\s|$)/u.exec(plain)?.[0].trim();
}

/** The bracket of a glob that is not closed; behind a backslash it is a letter. */
function unclosedIn(glob: string): string | undefined {
  const plain = OF_WINDOWS.test(glob) ? glob : glob.replaceAll(/\\./gu, '_');
  const withoutSets = plain.replaceAll(/\[[!^]?\]?[^[\]]*\]/gu, '_');
  if (withoutSets.includes('[')) return '[';
  for (const [open, close] of ['{}', '()'] as const)
    if (withoutSets.split(open ?? '').length > withoutSets.split(close ?? '').length) return open;
  return undefined;
}

function shown(value: unknown): string {
  return (JSON.stringify(value) ?? 'undefined').slice(0, 120);
}
