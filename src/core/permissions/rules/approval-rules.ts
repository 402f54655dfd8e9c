import { told, type Told } from '../../../domain/text/told.ts';
import type { PermissionRule } from '../../../domain/permissions/permission-rule.ts';
import type { Allowable } from '../decision.ts';
import { pathBelow } from '../../../domain/paths.ts';
import { type CallParts, isFed } from './call-parts.ts';
import { isCheck } from './checks.ts';
import { patternOf } from './command-pattern.ts';
import { FILE_WORD, findFileWord } from './file-prefix.ts';
import type { Unit } from './match.ts';
import { folderOfPrograms } from './line-folder.ts';
import { escaped } from './path-pattern.ts';

/** The narrowest rules that would have spared a question; `undefined` when none can be told exactly. */
export function createApprovalRules({ units, parts }: Allowable): readonly PermissionRule[] | undefined {
  const rules: PermissionRule[] = [];
  for (const unit of units) {
    const rule = ruleFor(unit, parts);
    if (rule === undefined) return undefined;
    if (!rules.some((other) => JSON.stringify(other) === JSON.stringify(rule))) rules.push(rule);
  }
  return rules.length === 0 ? undefined : rules;
}

function ruleFor(unit: Unit, { tool, roots }: CallParts): PermissionRule | undefined {
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
    case 'program': {
      const command = patternOf(withFileWord(unit.words, unit.line.files));
      // The folder is part of what was shown.
      const folder = folderOfPrograms(unit.line);
      if (command === undefined || folder === undefined || isFed(unit.line, unit.words))
        return undefined;
      return roots.some((one) => pathBelow(one, folder) !== undefined)
        ? { effect: 'allow', command, in: folder }
        : undefined;
    }
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

/** Explains in a sentence why an approval can't be remembered; `undefined` when it can. */
export function explainSingleUse(allowable: Allowable | undefined): Told | undefined {
  if (allowable === undefined)
    return told`This approval counts once, because part of the call requires approval each time.`;
  const { units, parts } = allowable;
  const unit = units.find((one) => ruleFor(one, parts) === undefined);
  if (unit === undefined) return undefined;
  if (unit.kind === 'line')
    return told`This approval counts once, because the command can't be checked automatically.`;
  if (unit.kind !== 'program')
    return told`This approval counts once, because ${parts.tool.name} may run something else next time.`;
  if (isFed(unit.line, unit.words))
    return told`This approval counts once, because the program also gets input that its arguments don't show.`;
  return patternOf(unit.words) === undefined
    ? told`This approval counts once, because a rule can't repeat these arguments exactly.`
    : told`This approval counts once, because the command doesn't run in one known folder of the workspace.`;
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

/** True when a yes to this call is kept for the project unasked: all in it checks the project. */
export function isCheckOnly({ units }: Allowable): boolean {
  return units.every(
    (unit) => unit.kind === 'program' && isCheck(unit.words) && !isFed(unit.line, unit.words),
  );
}
