import { LONGEST_PATTERN, wildcard } from '../../../domain/glob/glob.ts';
import {
  FILE_WORD,
  type KnownRule,
  type PermissionRule,
} from '../../../domain/permissions/permission-rule.ts';
import { pathBelow, resolvePath } from '../../../domain/paths.ts';
import type { JudgedPath } from '../path-guard.ts';
import { type CallParts, type JudgedLine, type StartedCode, isFed } from './call-parts.ts';
import { commandAllowed, commandCaught, patternWords, roughWords } from './command-pattern.ts';
import { findFileWord } from './checks.ts';
import { folderOfPrograms } from './line-folder.ts';
import { type PatternPlace, type Width, pathFits } from './path-pattern.ts';

/** A part of a call that requires approval of its own. */
export type Unit =
  | { readonly kind: 'tool' }
  | { readonly kind: 'code'; readonly code: StartedCode }
  | { readonly kind: 'path'; readonly path: JudgedPath }
  | { readonly kind: 'program'; readonly words: readonly string[]; readonly line: JudgedLine }
  | { readonly kind: 'line'; readonly line: JudgedLine }
  | { readonly kind: 'host'; readonly host: string }
  | { readonly kind: 'server' };

/** The first rule that denies the call or asks about it: a deny before an ask. */
export function caughtBy(
  rules: readonly KnownRule[],
  parts: CallParts,
  home?: string,
): KnownRule | undefined {
  const place = placeOf(parts, home);
  const catches = (effect: 'deny' | 'ask') => (known: KnownRule) =>
    known.rule.effect === effect &&
    inForce(known.rule, parts) &&
    ruleCatches(known.rule, parts, place);
  return rules.find(catches('deny')) ?? rules.find(catches('ask'));
}

/**
 * The rule that allows a unit. Workspace rules allow nothing; one that names a whole tool or just
 * letters of it counts only where `wholeTools` says so.
 */
export function allowedBy(
  rules: readonly KnownRule[],
  unit: Unit,
  parts: CallParts,
  options: { readonly wholeTools: boolean; readonly home?: string },
): KnownRule | undefined {
  const place = placeOf(parts, options.home);
  const mayHide = hidesDenied(unit, parts.tool) && rules.some(({ rule }) => denies(rule, parts));
  return rules.find(
    ({ rule, origin }) =>
      rule.effect === 'allow' &&
      origin !== 'workspace' &&
      inForce(rule, parts) &&
      (rule.tool === undefined || toolFits(rule.tool, parts.tool.name, 'exact')) &&
      ruleAllows(rule, unit, place, parts, options.wholeTools) &&
      (isAboutPart(rule) || !mayHide),
  );
}

/** Returns whether a rule names what it is about, other than a whole tool. */
function isAboutPart(rule: PermissionRule): boolean {
  return rule.command !== undefined || rule.path !== undefined || rule.subject !== undefined;
}

/** Returns whether a rule keeps the agent from a path or a command that this tool could reach. */
function denies(rule: PermissionRule, parts: CallParts): boolean {
  return (
    rule.effect !== 'allow' &&
    (rule.command !== undefined || rule.path !== undefined) &&
    (rule.tool === undefined || toolFits(rule.tool, parts.tool.name, 'wide')) &&
    inForce(rule, parts)
  );
}

/**
 * Returns whether a denied path or command may hide in a part: it runs something that is not known to be harmless, so
 * nothing tells what else it runs, reads or writes.
 */
function hidesDenied(unit: Unit, tool: CallParts['tool']): boolean {
  return (
    unit.kind === 'line' ||
    unit.kind === 'program' ||
    unit.kind === 'code' ||
    (unit.kind === 'tool' && tool.permission === 'execute')
  );
}

function placeOf({ roots }: CallParts, home: string | undefined): PatternPlace {
  return { roots, ...(home === undefined ? {} : { home }) };
}

/** A rule for one folder counts for calls in that workspace only. */
function inForce(rule: PermissionRule, { roots, lines }: CallParts): boolean {
  if (rule.off === true) return false;
  if (rule.in === undefined) return true;
  const folder = rule.in.replace(/[\\/]\*\*$/u, '');
  const within = (path: string): boolean => pathBelow(folder, path) !== undefined;
  // A command means something else in another folder.
  const below = folder !== rule.in;
  const here = (path: string): boolean => (below ? within(path) : pathBelow(folder, path) === '');
  // The folder that a line goes into first counts, not the one it begins in, unless the rule is about the whole line.
  const isLine = rule.command !== undefined && rule.hash !== undefined;
  const place = (line: JudgedLine): string | undefined =>
    isLine ? line.cwd : folderOfPrograms(line);
  if (rule.effect === 'allow' && lines.some((line) => !here(place(line) ?? ''))) return false;
  return roots.some(within) || lines.some((line) => within(folderOfPrograms(line) ?? line.cwd));
}

function ruleCatches(rule: PermissionRule, parts: CallParts, place: PatternPlace): boolean {
  const { tool, paths, lines, hosts } = parts;
  if (rule.tool !== undefined && !toolFits(rule.tool, tool.name, 'wide')) return false;
  if (rule.path !== undefined) {
    const { path: pattern, access } = rule;
    return (
      [...paths, ...(parts.below ?? []), ...lines.flatMap((line) => line.paths ?? [])].some(
        (one) =>
          (access === undefined || access === one.access) &&
          (pathFits(pattern, one.path, place, 'wide') ||
            pathFits(pattern, one.real, place, 'wide')),
      ) ||
      lines.some((line) => namedIn(line).some((path) => pathFits(pattern, path, place, 'wide')))
    );
  }
  if (rule.command !== undefined) {
    const { command } = rule;
    return lines.some((line) =>
      (line.programs ?? [roughWords(line.text)]).some((words) =>
        line.programs === undefined
          ? words.some((_, at) => commandCaught(command, words.slice(at)))
          : commandCaught(command, words),
      ),
    );
  }
  if (rule.host !== undefined) {
    const { host } = rule;
    return (
      hosts.some((one) => hostFits(host, one)) || lines.some((line) => mentionsHost(line, host))
    );
  }
  if (rule.server !== undefined) return serverFits(rule, parts, 'wide');
  return rule.subject === undefined || rule.subject === parts.code?.subject;
}

function ruleAllows(
  rule: PermissionRule,
  unit: Unit,
  place: PatternPlace,
  parts: CallParts,
  wholeTools: boolean,
): boolean {
  const { subject } = rule;
  const about = [rule.path, rule.command, rule.host, rule.server, subject].some(
    (one) => one !== undefined,
  );
  // A tool by its full name asks for nothing that could be told more narrowly: no files, no commands.
  if (!about) {
    if (unit.kind === 'line' && unit.line.exact === true) return false;
    return wholeTools || (unit.kind === 'tool' && rule.tool === parts.tool.name);
  }
  if (rule.command !== undefined && rule.hash !== undefined)
    return 'line' in unit && rule.hash === unit.line.hash;
  switch (unit.kind) {
    case 'tool':
    case 'line':
      return false;
    case 'code':
      return (
        rule.tool === parts.tool.name &&
        rule.hash !== undefined &&
        subject === unit.code.subject &&
        rule.hash === unit.code.hash
      );
    case 'path': {
      const { path, access } = rule;
      return (
        path !== undefined &&
        (access === undefined || access === unit.path.access) &&
        // The link's target: a link widens nothing.
        pathFits(path, unit.path.real, place, 'exact')
      );
    }
    case 'program':
      return programAllowed(rule, unit);
    case 'host':
      return rule.host !== undefined && hostFits(rule.host, unit.host);
    case 'server':
      return (
        rule.server !== undefined &&
        serverFits(rule, parts, 'exact') &&
        (rule.hash === undefined || rule.hash === parts.tool.hash)
      );
    default:
      return unit satisfies never;
  }
}

function programAllowed(
  { command }: PermissionRule,
  { words, line }: Extract<Unit, { kind: 'program' }>,
): boolean {
  if (command === undefined) return false;
  // A command word for word says nothing about what the program is given to read.
  if (isFed(line, words) && !command.endsWith(' *')) return false;
  if (!patternWords(command).includes(FILE_WORD)) return commandAllowed(command, words);
  const at = findFileWord(words, line.files ?? new Set());
  const wanted = patternWords(command);
  return (
    at !== undefined &&
    words.length === wanted.length &&
    wanted.every((word, index) => word === (index === at ? FILE_WORD : words[index]))
  );
}

function serverFits(rule: PermissionRule, { tool }: CallParts, width: Width): boolean {
  const fold = (text: string): string => (width === 'wide' ? text.toLowerCase() : text);
  const { server, serverTool } = tool;
  if (server === undefined || rule.server === undefined) return false;
  if (!toolFits(fold(rule.server), fold(server), width)) return false;
  return (
    rule.serverTool === undefined ||
    (serverTool !== undefined && toolFits(fold(rule.serverTool), fold(serverTool), width))
  );
}

/** A name with `*` for any letters. */
function toolFits(pattern: string, name: string, width: Width): boolean {
  const wide = width === 'wide';
  return (
    (wide && pattern.length > LONGEST_PATTERN) || wildcard(pattern, { anyCase: wide }).matches(name)
  );
}

function hostFits(pattern: string, host: string): boolean {
  const wanted = pattern.toLowerCase().replace(/\.$/u, '');
  if (wanted === '*') return true;
  if (!wanted.startsWith('*.')) return wanted === host;
  return host.endsWith(wanted.slice(1));
}

/** Paths that the words of a command may mean, from its folder. */
function namedIn(line: JudgedLine): readonly string[] {
  const words = line.programs?.flat() ?? roughWords(line.text);
  return words.flatMap((word) => {
    const pieces = [word, word.replace(/^-{1,2}[^=]*=/u, ''), word.replace(/^-[A-Za-z]/u, '')];
    const behind = word.split(/[=:,@]/u);
    return [...new Set([...pieces, ...behind])]
      .filter((piece) => piece !== '')
      .map((piece) => resolvePath(line.cwd, piece));
  });
}

function mentionsHost({ text }: JudgedLine, pattern: string): boolean {
  const name = pattern.replace(/^\*\.?/u, '').toLowerCase();
  return name !== '' && text.toLowerCase().includes(name);
}
