import type { Face } from './face/face.ts';
import { agentFace, writeAgentFace } from './agents/agent-face.ts';
import { askHumanFace } from './ask-human-face.ts';
import { backgroundCommandFace } from './commands/background-command-face.ts';
import { runCommandFace } from './commands/run-command-face.ts';
import { runTaskFace } from './commands/run-task-face.ts';
import { editFileFace } from './editing/edit-file-face.ts';
import { writeFileFace } from './editing/write-file-face.ts';
import { findToolFace } from './find-tool-face.ts';
import { gitFace } from './git-face.ts';
import { applyCodeActionFace } from './language/code-actions/apply-code-action-face.ts';
import { diagnosticsFace } from './language/diagnostics-face.ts';
import { findSymbolFace } from './language/find-symbol-face.ts';
import { inspectSymbolFace } from './language/inspect-symbol-face.ts';
import { listCodeActionsFace } from './language/code-actions/list-code-actions-face.ts';
import { renameSymbolFace } from './language/rename-symbol-face.ts';
import { manageFilesFace } from './manage-files/manage-files-face.ts';
import { editNotebookFace } from './notebook/edit-notebook-face.ts';
import { runNotebookCellFace } from './notebook/run-notebook-cell-face.ts';
import { applyPatchFace } from './patch/apply-patch-face.ts';
import { cancelFollowupFace, scheduleFollowupFace } from './followups/followup-faces.ts';
import {
  appendRunJournalEntryFace,
  getRunJournalFace,
  updateRunJournalFace,
} from './journal/journal-faces.ts';
import { forgetFace, recallFace, rememberFace } from './memory/memory-faces.ts';
import { readSkillFace } from './skills/read-skill-face.ts';
import { readResultFace } from './read-result-face.ts';
import { readAttachmentFace } from './reading/read-attachment-face.ts';
import { readFileFace } from './reading/read-file-face.ts';
import { runTestsFace } from './run-tests/run-tests-face.ts';
import { findFilesFace } from './searching/find-files-face.ts';
import { listFilesFace } from './searching/list-files-face.ts';
import { searchTextFace } from './searching/search-text-face.ts';
import { changeSettingsFace } from './settings/change-settings-face.ts';
import { todoFace } from './todo-face.ts';
import { useToolFace } from './use-tool-face.ts';
import { webSearchFace } from './web/web-search-face.ts';
import { fetchUrlFace } from './web/fetch-url-face.ts';

/** The faces of all tools, one line a tool. The panel loads them at its start: no code of a tool is here. */
export const FACES: readonly Face[] = [
  readFileFace,
  listFilesFace,
  findFilesFace,
  searchTextFace,
  editFileFace,
  writeFileFace,
  runCommandFace,
  askHumanFace,
  readResultFace,
  readAttachmentFace,
  todoFace,
  fetchUrlFace,
  webSearchFace,
  manageFilesFace,
  backgroundCommandFace,
  runTestsFace,
  runTaskFace,
  applyPatchFace,
  gitFace,
  runNotebookCellFace,
  editNotebookFace,
  readSkillFace,
  rememberFace,
  recallFace,
  forgetFace,
  getRunJournalFace,
  updateRunJournalFace,
  appendRunJournalEntryFace,
  scheduleFollowupFace,
  cancelFollowupFace,
  agentFace,
  writeAgentFace,
  changeSettingsFace,
  diagnosticsFace,
  inspectSymbolFace,
  findSymbolFace,
  renameSymbolFace,
  listCodeActionsFace,
  applyCodeActionFace,
  useToolFace,
  findToolFace,
];
