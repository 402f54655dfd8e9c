import {
  FILE_WORD,
  type KnownRule,
  type PermissionRule,
} from '../../../domain/permissions/permission-rule.ts';
import { said } from '../../../domain/text/language.ts';
import { makeVisible } from '../../../domain/text/honest-text.ts';
import { told, type Told } from '../../../domain/text/told.ts';

/** Places of rules that have no path. */
export const SOURCES = {
  user: said('your settings'),
  session: said('this session'),
  project: said('this project, until its scripts change'),
  workspace: said('the settings of this workspace (belay.permissions.workspaceRules)'),
} as const;
const PLACES: ReadonlySet<string> = new Set(Object.values(SOURCES));

/** The place of a rule: in words, or the path of its file. */
export const sourceText = ({ source }: Pick<KnownRule, 'source'>): Told =>
  PLACES.has(source) ? { text: source, values: [] } : { text: '{0}', values: [source] };

/** The rule with its place: "Deny requests to example.org (your settings)". */
export const placedText = (known: KnownRule): Told => ({
  text: '{0} ({1})',
  values: [ruleText(known.rule), sourceText(known)],
});

/** The rule in words: "Allow the command npm test in /home/me/app". */
export function ruleText(rule: PermissionRule): Told {
  const subject = placedSubject(rule);
  switch (rule.effect) {
    case 'allow':
      return told`Allow ${subject}`;
    case 'ask':
      return told`Ask about ${subject}`;
    case 'deny':
      return told`Deny ${subject}`;
    default:
      return rule.effect satisfies never;
  }
}

function placedSubject(rule: PermissionRule): Told {
  const subject = subjectOf(rule);
  const what = subject ?? told`the tool ${rule.tool ?? ''}`;
  const isBy = subject !== undefined && rule.tool !== undefined && rule.subject === undefined;
  const by = isBy ? told`${what} with ${rule.tool}` : what;
  return rule.in === undefined ? by : told`${by} in ${rule.in}`;
}

function subjectOf(rule: PermissionRule): Told | undefined {
  if (rule.command !== undefined) {
    const command = told`the command ${makeVisible(rule.command)}`;
    return rule.hash === undefined && rule.command.split(' ').includes(FILE_WORD)
      ? told`${command} with any one file or folder of the workspace`
      : command;
  }
  if (rule.host !== undefined) return told`requests to ${rule.host}`;
  if (rule.server !== undefined)
    return rule.serverTool === undefined
      ? told`all tools of the MCP server ${rule.server}`
      : told`${rule.serverTool} of the MCP server ${rule.server}`;
  if (rule.subject !== undefined)
    return told`${rule.subject} with ${rule.tool ?? ''}, as it was shown`;
  if (rule.path === undefined) return undefined;
  if (rule.access === 'read') return told`reading ${rule.path}`;
  return rule.access === 'write'
    ? told`changing ${rule.path}`
    : told`reading and changing ${rule.path}`;
}
