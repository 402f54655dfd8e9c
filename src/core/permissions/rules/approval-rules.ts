import { told, type Told } from '../../../domain/text/told.ts';
import { FILE_WORD, type PermissionRule } from '../../../domain/permissions/permission-rule.ts';
import type { Allowable, Memorable } from '../decision.ts';
import { pathBelow } from '../../../domain/paths.ts';
import { type CallParts, type JudgedLine, isFed } from './call-parts.ts';
import { patternOf, programName, roughWords } from './command-pattern.ts';
import { findFileWord, isCheck, isInterpreter, isOwnCode } from './checks.ts';
import type { Unit } from './match.ts';
import { folderOfPrograms } from './line-folder.ts';
import { escaped } from './path-pattern.ts';

/** As long as a criterion of a rule may be. */
const MAX_LINE_CHARS = 1000;

/**
 * Creates the narrowest rules that would have made the approval unnecessary: for each command its words, or the exact
 * line where its words do not say all. Returns `undefined` if the approval can't be remembered.
 */
export function createApprovalRules({
  units,
  parts,
}: Allowable): readonly PermissionRule[] | undefined {
  const narrow = units.map((unit) => createRule(unit, parts));
  const exact = new Set(
    units.flatMap((unit, at) => ('line' in unit && narrow[at] === undefined ? [unit.line] : [])),
  );
  const rules = new Map<string, PermissionRule>();
  for (const [at, unit] of units.entries()) {
    const isExact = 'line' in unit && exact.has(unit.line);
    const rule = isExact ? createLineRule(unit.line) : narrow[at];
    if (rule === undefined) return undefined;
    rules.set(JSON.stringify(rule), rule);
  }
  return rules.size === 0 ? undefined : [...rules.values()];
}

function createRule(unit: Unit, { tool, roots }: CallParts): PermissionRule | undefined {
  const [first] = roots;
  const here = first === undefined ? {} : { in: first };
  switch (unit.kind) {
    case 'line':
      return undefined;
    case 'code': {
      const { subject, hash } = unit.code;
      return hash === undefined
        ? undefined
        : { effect: 'allow', tool: tool.name, subject, hash, ...here };
    }
    case 'tool':
      // A tool that runs something is kept for what was shown of it, never for all that it may run.
      if (tool.permission === 'execute') return undefined;
      return { effect: 'allow', tool: tool.name, ...here };
    case 'server': {
      const { server, serverTool, hash } = tool;
      if (server === undefined || serverTool === undefined) return undefined;
      return {
        effect: 'allow',
        server,
        serverTool,
        ...(hash === undefined ? {} : { hash }),
        ...here,
      };
    }
    case 'host':
      return { effect: 'allow', tool: tool.name, host: unit.host };
    case 'program':
      return createProgramRule(unit, roots);
    case 'path': {
      const { real, access } = unit.path;
      for (const root of roots) {
        const below = pathBelow(root, real);
        // Without a slash it would be a name anywhere.
        if (below?.includes('/') === true)
          return { effect: 'allow', path: escaped(below), access, in: root };
      }
      return { effect: 'allow', path: escaped(real), access };
    }
    default:
      return unit satisfies never;
  }
}

function createProgramRule(
  { words, line }: Extract<Unit, { kind: 'program' }>,
  roots: readonly string[],
): PermissionRule | undefined {
  const command = patternOf(withFileWord(words, line.files));
  // The folder is part of what was shown.
  const folder = folderOfPrograms(line);
  if (command === undefined || folder === undefined || isFed(line, words)) return undefined;
  return roots.some((one) => pathBelow(one, folder) !== undefined)
    ? { effect: 'allow', command, in: folder }
    : undefined;
}

function createLineRule(line: JudgedLine): PermissionRule | undefined {
  const { text, cwd, hash } = line;
  return hash === undefined || text.length > MAX_LINE_CHARS || findOpenProgram(line) !== undefined
    ? undefined
    : { effect: 'allow', command: text, hash, in: cwd };
}

/** Finds a program that runs code which the line does not show: an interpreter that gets input or is not understood. */
function findOpenProgram(line: JudgedLine): string | undefined {
  const { programs, fed = [], text } = line;
  if (programs !== undefined && fed.length === 0 && folderOfPrograms(line) !== undefined)
    return undefined;
  const shown = text.replaceAll(/(^|[;&|(){}\n]|\b(?:do|then|else))\s*\.\s/gu, '$1 source ');
  const words = [...(programs?.flat() ?? []), ...roughWords(shown)];
  return words.map(programName).find((name) => name !== '.' && isInterpreter(name));
}

/** Explains in a sentence why an approval can't be remembered. */
export function explainSingleUse({ allowable, once = [] }: Memorable): Told {
  if (allowable === undefined && once.length > 0)
    return told`Protected files require approval once per session.`;
  if (allowable === undefined)
    return told`This approval counts once, because part of the call requires approval each time.`;
  const { units, parts } = allowable;
  if (parts.lines.some(({ text }) => text.length > MAX_LINE_CHARS))
    return told`This approval counts once, because the command is longer than ${MAX_LINE_CHARS} characters.`;
  const open = units.flatMap((unit) => ('line' in unit ? (findOpenProgram(unit.line) ?? []) : []));
  return told`This approval counts once, because ${open[0] ?? parts.tool.name} may run something else next time.`;
}

/** A command with the one word that may vary, where there is one. */
function withFileWord(
  words: readonly string[],
  files: ReadonlySet<string> = new Set(),
): readonly string[] {
  // Nobody means the placeholder itself.
  if (words.includes(FILE_WORD)) return [''];
  const at = findFileWord(words, files);
  return at === undefined ? words : words.with(at, FILE_WORD);
}

/** Returns whether the call only checks the project: a plain *Allow* remembers it for the project. */
export function isCheckOnly({ units }: Allowable): boolean {
  return units.every(
    (unit) => unit.kind === 'program' && isCheck(unit.words) && !isFed(unit.line, unit.words),
  );
}

/** Returns whether the call runs code of the workspace, which may be changed without another approval. */
export function runsOwnCode({ units }: Allowable): boolean {
  return units.some((unit) => unit.kind === 'program' && isOwnCode(unit.words));
}
