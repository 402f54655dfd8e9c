import { placedText } from '../../core/permissions/rules/rule-text.ts';
import { inWords } from '../../domain/text/told.ts';
import * as l10n from '@vscode/l10n';
import { allowedBy, caughtBy } from '../../core/permissions/rules/match.ts';
import type { RuleBook } from '../../core/permissions/rules/rule-book.ts';
import { tokensOf } from '../../core/tool-call/find-tool.ts';
import type { ToolRow } from '../../core/tool-call/offered-tools.ts';
import {
  type KnownRule,
  type PermissionRule,
  sameRule,
} from '../../domain/permissions/permission-rule.ts';
import { makeVisible } from '../../domain/text/honest-text.ts';
import type { McpTool } from '../../mcp/tools/tool-proxy.ts';
import type { ServerToolRow } from '../../protocol/center/view.ts';
import { toolNote } from '../../window/tool-rows.ts';

/** Characters of a description that are shown. */
const SHOWN_CHARACTERS = 300;

/** A tool of a server with its rule. */
export function toolRow(
  tool: McpTool,
  row: ToolRow | undefined,
  rules: readonly KnownRule[],
  roots: readonly string[],
): ServerToolRow {
  const call = { tool, roots, paths: [], lines: [], hosts: [] };
  const deciding =
    caughtBy(rules, call) ?? allowedBy(rules, { kind: 'server' }, call, { wholeTools: false });
  const own = deciding !== undefined && isOwn(deciding, tool);
  const former = rules.some((one) => isOwn(one, tool) && one.rule.effect === 'allow');
  return {
    name: tool.name,
    title: makeVisible(tool.serverTool),
    description: makeVisible(tool.description).slice(0, SHOWN_CHARACTERS),
    on: row?.state !== 'off',
    note: noteOf(row),
    readOnly: !tool.sideEffects,
    approval: own ? deciding.rule.effect : null,
    decidedBy:
      deciding !== undefined && !own
        ? inWords(placedText(deciding))
        : former && !own
          ? l10n.t('your yes was for what it was before, or for another folder')
          : null,
    tokens: tokensOf([tool]),
  };
}

/** Why it is not offered, though it is on. */
function noteOf(row: ToolRow | undefined): string {
  if (row === undefined) return l10n.t('not offered here');
  return row.state === 'on' || row.state === 'off' ? '' : toolNote(row);
}

/** A rule of the person's settings for this very tool. */
function isOwn({ rule, origin }: KnownRule, { server, serverTool }: McpTool): boolean {
  return origin === 'user' && rule.server === server && rule.serverTool === serverTool;
}

/** As a kept yes: for what the tool is now, in this workspace. Stricter rules hold everywhere. */
function newRule(
  { server, serverTool, hash }: McpTool,
  effect: PermissionRule['effect'],
  root: string | undefined,
): PermissionRule {
  const rule = { effect, server, serverTool };
  if (effect !== 'allow') return rule;
  return { ...rule, hash, ...(root === undefined ? {} : { in: root }) };
}

/** Makes this the person's one rule for a tool of a server; `null`: none. */
export async function approveTool(
  rules: RuleBook,
  tool: McpTool,
  effect: PermissionRule['effect'] | null,
  roots: readonly string[],
): Promise<void> {
  const { rules: inForce } = await rules.list(undefined, roots);
  const present = inForce.filter((one) => isOwn(one, tool)).map(({ rule }) => rule);
  const wanted = effect === null ? undefined : newRule(tool, effect, roots[0]);
  // The new one first: until the old one is gone the stricter of the two counts.
  if (wanted !== undefined) await rules.add([wanted]);
  for (const rule of present)
    if (wanted === undefined || !sameRule(rule, wanted)) await rules.remove(rule);
    else if (rule.off === true) await rules.switch(rule, false);
}
