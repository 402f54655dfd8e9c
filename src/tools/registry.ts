import type { Tool } from '../core/tool-call/tool-call.ts';
import { agentTool, writeAgentTool } from './agents/agent.ts';
import { applyPatchTool } from './patch/apply-patch.ts';
import { askHumanTool } from './ask-human.ts';
import { backgroundCommandTool } from './commands/background-command.ts';
import { editFileTool } from './editing/edit-file.ts';
import { editNotebookTool } from './notebook/edit-notebook.ts';
import { webSearchTool } from './web/web-search.ts';
import { fetchUrlTool } from './web/fetch-url.ts';
import { findFilesTool } from './searching/find-files.ts';
import { languageTools } from './language/registry.ts';
import { gitTool } from './git.ts';
import { listFilesTool } from './searching/list-files.ts';
import { manageFilesTool } from './manage-files/manage-files.ts';
import { cancelFollowupTool } from './followups/cancel-followup.ts';
import { scheduleFollowupTool } from './followups/schedule-followup.ts';
import { appendRunJournalEntryTool } from './journal/append-run-journal-entry.ts';
import { getRunJournalTool } from './journal/get-run-journal.ts';
import { updateRunJournalTool } from './journal/update-run-journal.ts';
import { forgetTool } from './memory/forget.ts';
import { recallTool } from './memory/recall.ts';
import { rememberTool } from './memory/remember.ts';
import { readAttachmentTool } from './reading/read-attachment.ts';
import { readFileTool } from './reading/read-file.ts';
import { readSkillTool } from './skills/read-skill.ts';
import { readResultTool } from './read-result.ts';
import { runCommandTool } from './commands/run-command.ts';
import { runNotebookCellTool } from './notebook/run-notebook-cell.ts';
import { runTaskTool } from './commands/run-task.ts';
import { runTestsTool } from './run-tests/run-tests.ts';
import { changeSettingsTool } from './settings/change-settings.ts';
import { searchTextTool } from './searching/search-text.ts';
import { todoTool } from './todo.ts';
import type { ToolParts } from './tool-parts.ts';
import { writeFileTool } from './editing/write-file.ts';

/** One line a tool. The order is part of the prompt: changing it empties every prompt cache. */
const FACTORIES: readonly ((parts: ToolParts) => Tool)[] = [
  readFileTool,
  listFilesTool,
  findFilesTool,
  searchTextTool,
  editFileTool,
  writeFileTool,
  runCommandTool,
  askHumanTool,
  readResultTool,
  todoTool,
  fetchUrlTool,
  manageFilesTool,
  backgroundCommandTool,
  runTestsTool,
  runTaskTool,
  applyPatchTool,
  gitTool,
  runNotebookCellTool,
  editNotebookTool,
  readSkillTool,
  rememberTool,
  recallTool,
  forgetTool,
  getRunJournalTool,
  updateRunJournalTool,
  appendRunJournalEntryTool,
  scheduleFollowupTool,
  cancelFollowupTool,
  readAttachmentTool,
  webSearchTool,
  agentTool,
  writeAgentTool,
  changeSettingsTool,
];

export function createTools(parts: ToolParts): readonly Tool[] {
  return [...FACTORIES.map((make) => make(parts)), ...languageTools(parts)];
}
