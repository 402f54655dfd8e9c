import { isLike } from '../text/like-names.ts';
import { wordsOf } from '../text/words.ts';
import { told, type Told } from '../text/told.ts';
import type { EntryChecks } from './read-settings.ts';

/** Names of Belay's own tools. A test compares them with the registry: code at the start must not load the tools. */
export const TOOL_NAMES = wordsOf(
  `read_file list_files find_files search_text edit_file write_file run_command ask_human read_result todo fetch_url
  manage_files background_command run_tests run_task apply_patch git run_notebook_cell edit_notebook read_skill
  remember recall forget get_run_journal update_run_journal append_run_journal_entry schedule_followup
  cancel_followup read_attachment web_search agent write_agent diagnostics inspect_symbol find_symbol rename_symbol
  list_code_actions apply_code_action change_settings`,
);

/** Groups of Belay's own tools, and that of tools of other extensions. */
export const MODULES = wordsOf(
  'files search edit terminal human web git notebook skills memory journal followups agents language settings extensions',
);

/** Beginnings of names of tools that MCP servers and other extensions bring, which may be unknown at the start. */
const LATER_TOOLS = /^(?:mcp|ext)__/u;

/** Checks the names in lists: what is unknown or given twice has no effect, and is named. */
export const NAME_CHECKS: EntryChecks = {
  'agents.deniedTools': (names) => toolProblems('agents.deniedTools', names),
  'agents.deniedToolsOfLeaves': (names) => toolProblems('agents.deniedToolsOfLeaves', names),
  'tools.disabled': (names) => toolProblems('tools.disabled', names),
  'identity.guestModules': (names) => [
    ...names.flatMap((name) => unknownName('identity.guestModules', name, MODULES)),
    ...repeatedNames('identity.guestModules', names),
  ],
  'model.fallbacks': (names) => repeatedNames('model.fallbacks', names),
  'model.favorites': (names) => repeatedNames('model.favorites', names),
};

function toolProblems(key: string, names: readonly string[]): readonly Told[] {
  const own = names.filter((name) => !LATER_TOOLS.test(name));
  return [
    ...own.flatMap((name) => unknownName(key, name, TOOL_NAMES)),
    ...repeatedNames(key, names),
  ];
}

function unknownName(key: string, name: string, known: readonly string[]): readonly Told[] {
  if (known.includes(name)) return [];
  const like = known.find((one) => isLike(name, one));
  const shown = JSON.stringify(name);
  return [
    like === undefined
      ? told`belay.${key}: nothing is named ${shown}, so this entry is ignored.`
      : told`belay.${key}: nothing is named ${shown}, so this entry is ignored. Did you mean ${like}?`,
  ];
}

const repeatedNames = (key: string, names: readonly string[]): readonly Told[] =>
  [...new Set(names.filter((name, index) => names.indexOf(name) !== index))].map(
    (name) => told`belay.${key}: ${JSON.stringify(name)} is listed more than once.`,
  );
