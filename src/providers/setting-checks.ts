import { personaProblems } from '../core/customizations/read-persona.ts';
import { userRuleProblems, workspaceRuleProblems } from '../core/permissions/rules/rule-list.ts';
import { NAME_CHECKS } from '../domain/settings/name-checks.ts';
import type { EntryChecks } from '../domain/settings/read-settings.ts';
import { readUpdates } from './catalog/updates.ts';
import { readInstances } from './instances-setting.ts';

/** Checks the entries inside settings of the right shape, for every host. */
export const ENTRY_CHECKS: EntryChecks = {
  'model.catalog': (models) => readUpdates(models).problems,
  'model.providers': (entries) => readInstances(entries).problems,
  'permissions.rules': userRuleProblems,
  'permissions.workspaceRules': workspaceRuleProblems,
  personas: personaProblems,
  ...NAME_CHECKS,
};
