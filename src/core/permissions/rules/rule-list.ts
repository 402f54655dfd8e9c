import type { KnownRule } from '../../../domain/permissions/permission-rule.ts';
import { told, type Told } from '../../../domain/text/told.ts';
import { readRule } from './read-rule.ts';
import { describeRemovedKinds, withoutRemovedKinds } from './removed-kinds.ts';
import { SOURCES, sourceText } from './rule-text.ts';

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

/** Lists problems of the user's own rules: a sentence for each entry that cannot be read. */
export function userRuleProblems(raw: readonly unknown[]): readonly Told[] {
  return userRules(raw).notes;
}

/** A rule of one's own that cannot be read counts for nothing, unless it forbids: then everything is asked. */
export function userRules(raw: readonly unknown[]): RuleList {
  const rules: KnownRule[] = [];
  const notes: Told[] = [];
  const removed = describeRemovedKinds(raw, told`belay.permissions.rules`);
  if (removed !== undefined) notes.push(removed);
  for (const one of withoutRemovedKinds(raw)) {
    const read = readRule(one);
    if ('rule' in read) {
      rules.push({ rule: read.rule, origin: 'user', source: SOURCES.user });
      continue;
    }
    const allows =
      typeof one === 'object' && one !== null && 'effect' in one && one.effect === 'allow';
    const note = allows
      ? told`belay.permissions.rules: ${read.problem} It counts for nothing.`
      : told`belay.permissions.rules: ${read.problem} Until it is put right, everything is asked about.`;
    if (!allows) rules.push(unreadableRule('user', SOURCES.user, note));
    notes.push(note);
  }
  return { rules, notes };
}
