import type { Tool } from '../core/tool-call/tool-call.ts';
import { applyPatchTool } from './apply-patch.ts';
import { askHumanTool } from './ask-human.ts';
import { backgroundCommandTool } from './background-command.ts';
import { editFileTool } from './edit-file.ts';
import { editNotebookTool } from './edit-notebook.ts';
import { fetchUrlTool } from './fetch-url.ts';
import { findFilesTool } from './find-files.ts';
import { languageTools } from './language/registry.ts';
import { gitTool } from './git.ts';
import { listFilesTool } from './list-files.ts';
import { manageFilesTool } from './manage-files.ts';
import { readFileTool } from './read-file.ts';
import { readResultTool } from './read-result.ts';
import { runCommandTool } from './run-command.ts';
import { runNotebookCellTool } from './run-notebook-cell.ts';
import { runTaskTool } from './run-task.ts';
import { runTestsTool } from './run-tests/run-tests.ts';
import { searchTextTool } from './search-text.ts';
import { todoTool } from './todo.ts';
import type { ToolParts } from './tool-parts.ts';
import { writeFileTool } from './write-file.ts';

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
];

/** The built-in tools, whatever of them is on offer. */
export function createTools(parts: ToolParts): readonly Tool[] {
  return [...FACTORIES.map((make) => make(parts)), ...languageTools(parts)];
}
