import { told, type Told } from '../../domain/text/told.ts';
import { MODE_WORDS } from '../../domain/permissions/permission-mode.ts';
import type { Level, Mode } from '../tool-call/tool-call.ts';
import type { Concern } from './decision.ts';
import { BY_MODE, BY_PLACE } from './mode-tables.ts';
import type { JudgedPath } from './path-guard.ts';
import { describePath } from './risks.ts';
import type { CallParts, JudgedLine } from './rules/call-parts.ts';
import { programName } from './rules/command-pattern.ts';
import type { Unit } from './rules/match.ts';

/** Git's commands that change nothing; every other one is for the level admin (A5). */
const GIT_READS = new Set(
  'status diff log show grep blame annotate ls-files ls-tree ls-remote rev-parse rev-list describe shortlog cat-file name-rev merge-base whatchanged for-each-ref count-objects cherry version help check-ignore check-attr diff-tree diff-index diff-files show-ref show-branch var'.split(
    ' ',
  ),
);

/** Objections of the mode, the places and the guards to each part of a call. */
export function concernsOf(
  call: CallParts,
  mode: Mode,
  level: Level,
  allowsEdits = false,
): readonly Concern[] {
  const { tool, lines } = call;
  const byMode = BY_MODE[mode][tool.permission];
  const isAllowed = allowsEdits && tool.permission === 'edit' && byMode === 'ask';
  const verdict = isAllowed ? 'allow' : byMode;
  const concerns: Concern[] = [];
  if (verdict === 'refuse') return [{ verdict, reason: refusedByMode(tool.name, mode) }];
  for (const unit of verdict === 'ask' ? unitsOf(call) : []) concerns.push({ verdict, unit });
  const asks = { commands: verdict === 'ask', edits: BY_MODE[mode].edit !== 'allow' };
  for (const line of lines) {
    const said = lineConcerns(line, asks, level);
    // Code is approved as a whole, with the line that starts it.
    const isWhole = (one: Concern): boolean => one.unit === undefined || call.code === undefined;
    concerns.push(...said.filter(isWhole));
  }
  for (const path of call.paths) concerns.push(...pathConcerns(path, mode));
  concerns.push(...belowConcerns(call.below ?? [], mode));
  return concerns;
}

/** The parts of a call that require approval each; command lines are judged by themselves. */
function unitsOf({ tool, paths, lines, hosts, code }: CallParts): readonly Unit[] {
  if (code !== undefined) return [{ kind: 'code', code }];
  if (tool.permission === 'edit') {
    const writes = paths.filter(({ access }) => access === 'write');
    if (writes.length > 0) return writes.map((path) => ({ kind: 'path', path }));
    return [{ kind: 'tool' }];
  }
  if (tool.server !== undefined) return [{ kind: 'server' }];
  if (hosts.length > 0) return hosts.map((host) => ({ kind: 'host', host }));
  return lines.length > 0 ? [] : [{ kind: 'tool' }];
}

function lineConcerns(
  line: JudgedLine,
  asks: { readonly commands: boolean; readonly edits: boolean },
  level: Level,
): readonly Concern[] {
  const { verdict, reason, programs, always, exact } = line;
  const because = reason === undefined ? {} : { reason };
  if (verdict === 'refuse')
    return [{ verdict, reason: reason ?? told`This command may not be run.` }];
  if (verdict === 'allow' || !asks.commands) return [];
  if (level !== 'admin' && level !== 'owner' && changesRepository(line)) {
    return [
      {
        verdict: 'refuse',
        reason: told`Changing the repository with git needs the level admin, and the level here is ${level}. It was not run; tell the person which command to run.`,
      },
    ];
  }
  // It only does what the file tools may do in this mode.
  if (line.edits === true && !asks.edits) return [];
  if (always === true && exact !== true) return [{ verdict: 'ask', ...because }];
  if (programs === undefined || exact === true)
    return [{ verdict: 'ask', ...because, unit: { kind: 'line', line } }];
  return (line.asking ?? programs).map((words) => ({
    verdict: 'ask' as const,
    ...because,
    unit: { kind: 'program' as const, words, line },
  }));
}

function changesRepository({ text, programs }: JudgedLine): boolean {
  if (programs === undefined) return /\bgit\b/u.test(text);
  return programs.some((words) => {
    const at = words.findIndex((word) => programName(word) === 'git');
    if (at < 0) return false;
    const subcommand = words.slice(at + 1).find((word) => !word.startsWith('-'));
    return subcommand !== undefined && !GIT_READS.has(subcommand);
  });
}

function pathConcerns(path: JudgedPath, mode: Mode): readonly Concern[] {
  const { place, access } = path;
  if (place === 'inside') return [];
  const verdict = BY_PLACE[mode][place][access];
  switch (verdict) {
    case 'allow':
      return [];
    case 'refuse':
      return [{ verdict, reason: refusedPath(path) }];
    case 'ask':
      return [
        {
          verdict,
          reason: describePath(path),
          ...(place === 'outside' ? { unit: { kind: 'path' as const, path } } : {}),
          ...(place === 'outside' && access === 'write' ? { unattended: refusedPath(path) } : {}),
        },
      ];
    default:
      return verdict satisfies never;
  }
}

/** Objections to what a folder takes along to another place; the first of each kind. */
function belowConcerns(below: readonly JudgedPath[], mode: Mode): readonly Concern[] {
  return (['config', 'secret'] as const).flatMap((place): readonly Concern[] => {
    const found = below.find((path) => path.place === place);
    if (found === undefined) return [];
    const verdict = BY_PLACE[mode][place][found.access];
    return verdict === 'allow' ? [] : [{ verdict, reason: describePath(found) }];
  });
}

function refusedByMode(name: string, mode: Mode): Told {
  return told`${name} was not run: the permission mode is "${{ text: MODE_WORDS[mode].name, values: [] }}", which allows reading and searching only. Say what you would change; the person can choose another mode in the panel.`;
}

function refusedPath(path: JudgedPath): Told {
  if (path.place === 'outside')
    return told`${path.path} lies outside the workspace, and in this permission mode nothing may be changed there. Work inside the workspace, or ask the person to add the folder to it.`;
  return told`${describePath(path)} Go another way.`;
}
