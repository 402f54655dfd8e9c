import { told, type Told } from '../../../domain/text/told.ts';
import { BelayError } from '../../../domain/failure.ts';
import { cutJson } from '../../../domain/data/json-limits.ts';
import { readRule } from './read-rule.ts';
import { describeRemovedKinds, withoutRemovedKinds } from './removed-kinds.ts';
import { type KnownRule } from '../../../domain/permissions/permission-rule.ts';
import { sourceText } from './rule-text.ts';
import type { FileSystem } from '../../ports/files/file-system.ts';

const WORKSPACE_FILE = '.belay/permissions.json';
/** Bytes; a longer file is not read: each of its rules is matched with each path of each call. */
const LONGEST = 32_768;

export interface RuleList {
  readonly rules: readonly KnownRule[];
  /** Sentences for the user: rules that count for nothing, a file that cannot be read. */
  readonly notes: readonly Told[];
}

/** The rule that holds while rules cannot be read: nobody knows what they would forbid. */
export function unreadableRule(origin: KnownRule['origin'], source: string, note: Told): KnownRule {
  return { rule: { effect: 'ask', tool: '*' }, origin, source, unreadable: note };
}

/** Problems of the rules in a workspace's settings: a sentence for each entry. */
export function workspaceRuleProblems(raw: readonly unknown[]): readonly Told[] {
  return stricterRules(raw, 'belay.permissions.workspaceRules').notes;
}

/** The rules in a workspace's own list: only what makes things stricter. */
export function stricterRules(raw: readonly unknown[], source: string): RuleList {
  const rules: KnownRule[] = [];
  const notes: Told[] = [];
  const removed = describeRemovedKinds(raw, sourceText({ source }));
  if (removed !== undefined) notes.push(removed);
  for (const one of withoutRemovedKinds(raw)) {
    const read = readRule(one);
    if ('problem' in read) {
      const note = told`${sourceText({ source })}: ${read.problem} Until it is put right, everything is asked about.`;
      notes.push(note);
      rules.push(unreadableRule('workspace', source, note));
      continue;
    }
    rules.push({ rule: read.rule, origin: 'workspace', source });
    if (read.rule.effect === 'allow')
      notes.push(
        told`${sourceText({ source })}: a workspace allows nothing, so this rule counts for nothing: ${JSON.stringify(one)}.`,
      );
  }
  return { rules, notes };
}

export async function readWorkspaceFile(
  root: string,
  files: Pick<FileSystem, 'read'>,
): Promise<RuleList> {
  const path = `${root}/${WORKSPACE_FILE}`;
  const broken = (why: Told): RuleList => {
    const note = told`${path} ${why}. Until it is put right, everything is asked about.`;
    return { rules: [unreadableRule('workspace', path, note)], notes: [note] };
  };
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(await files.read(path, LONGEST));
  } catch (thrown) {
    if (thrown instanceof BelayError && thrown.code === 'not_found')
      return { rules: [], notes: [] };
    return thrown instanceof BelayError && thrown.code === 'invalid'
      ? broken(told`is larger than ${LONGEST} bytes`)
      : broken(told`cannot be read`);
  }
  if (cutJson(text) !== text) return broken(told`has too many values or levels`);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return broken(told`is not JSON`);
  }
  const rules = Array.isArray(value)
    ? (value as unknown[])
    : typeof value === 'object' && value !== null && 'rules' in value
      ? value.rules
      : undefined;
  return Array.isArray(rules)
    ? stricterRules(rules as unknown[], path)
    : broken(told`has no list of rules`);
}
