import { told } from '../../domain/text/told.ts';
import * as l10n from '@vscode/l10n';
import * as z from 'zod/mini';
import type { TaskEnd, TaskInfo, Tasks } from '../../core/ports/commands/tasks.ts';
import { visibleCommand } from '../../core/permissions/command/visible-command.ts';
import type { Tool, ToolPreview } from '../../core/tool-call/tool-call.ts';
import { fault } from '../../domain/failure.ts';
import { type DisplayedOutput, defineTool } from '../define-tool.ts';
import { type TaskDisplay, runTaskFace } from './run-task-face.ts';
import type { ToolParts } from '../tool-parts.ts';
import { shownPath } from '../workspace-path.ts';

/** Seconds a task may take. */
const LIMIT = 1800;
/** Tasks of a list that are told. */
const MOST_LISTED = 100;

const schema = z.strictObject({
  task: z.optional(
    z.string().check(z.minLength(1), z.describe('from the list; absent: lists them')),
  ),
});

/** The person's yes: the task runs with exactly this definition. */
const accepted = new WeakMap<ToolPreview, string>();

/** The editor's tasks. Extensions get no output of them: only end and matched problems. */
export function runTaskTool(parts: ToolParts): Tool {
  return defineTool(runTaskFace, {
    description:
      "Lists or runs the editor's tasks (tasks.json and extensions): exit code and problems found, not the output.",
    schema,
    sideEffects: true,
    level: 'user',
    module: 'terminal',
    permission: 'execute',
    permissionFor: ({ task }) => (task === undefined ? 'none' : 'execute'),
    rare: true,
    available: async () => ((await parts.commands.tasks?.list()) ?? []).length > 0,
    timeoutMs: LIMIT * 1000,
    starts: async ({ task }, roots) => {
      if (task === undefined) return { lines: [] };
      const { id, definition, command, cwd = roots[0] } = await taskOf(tasksOf(parts), task);
      return {
        lines: command === undefined || cwd === undefined ? [] : [{ command, cwd }],
        code: { subject: id, text: definition },
      };
    },
    preview: async ({ task = '' }, { roots }) => {
      const found = await taskOf(tasksOf(parts), task);
      const preview = { title: l10n.t('Run a task'), detail: detailOf(found, roots) };
      accepted.set(preview, found.definition);
      return preview;
    },
    run: async ({ task }, { signal, roots, preview }) => {
      const tasks = tasksOf(parts);
      if (task === undefined) return listed(await tasks.list());
      const { id, definition } = await taskOf(tasks, task);
      const agreed = preview === undefined ? undefined : accepted.get(preview);
      if (agreed !== undefined && agreed !== definition) {
        const message = told`The task ${id} was changed after you asked to run it, so it was not run. List the tasks again.`;
        throw fault('invalid', message);
      }
      return ended(id, await tasks.run(id, signal), roots);
    },
  });
}

function tasksOf({ commands: { tasks } }: ToolParts): Tasks {
  if (tasks !== undefined) return tasks;
  throw fault('tool', told`There are no tasks here. Use run_command with the command itself.`);
}

async function taskOf(tasks: Tasks, wanted: string): Promise<TaskInfo> {
  const all = await tasks.list();
  const found =
    all.find(({ id }) => id === wanted) ??
    all.find(({ id }) => id.toLowerCase() === wanted.toLowerCase());
  if (found !== undefined) return found;
  const near = all.filter(({ id }) => id.toLowerCase().includes(wanted.toLowerCase()));
  const names = (near.length > 0 ? near : all).slice(0, 20).map(({ id }) => id);
  const message = told`There is no task ${JSON.stringify(wanted)}. There is: ${names.join(', ')}.`;
  throw fault('not_found', message);
}

function listed(tasks: readonly TaskInfo[]): DisplayedOutput<TaskDisplay> {
  const lines = tasks.slice(0, MOST_LISTED).map(lineOf);
  const more = tasks.length - lines.length;
  return {
    content: [
      {
        type: 'text',
        text: [
          ...(tasks.length === 0 ? ['There are no tasks.'] : lines),
          ...(more > 0 ? [`… and ${more} more.`] : []),
        ].join('\n'),
      },
    ],
    display: { kind: 'task', count: tasks.length, running: false },
  };
}

function lineOf({ id, source, group, detail, background }: TaskInfo): string {
  const facts = [
    source,
    ...(group === undefined ? [] : [group]),
    ...(background ? ['watches'] : []),
    ...(detail === undefined || detail === '' ? [] : [detail]),
  ];
  return `${id} (${facts.join('; ')})`;
}

/** The task with the command that it runs, for the question. */
function detailOf(task: TaskInfo, roots: readonly string[]): string {
  const { command, cwd = roots[0] ?? '' } = task;
  const runs =
    command === undefined
      ? 'What it runs is made by an extension and cannot be shown beforehand.'
      : `${visibleCommand(command)}\n\nin ${cwd}`;
  return `${lineOf(task)}\n\n${runs}`;
}

function ended(task: string, end: TaskEnd, roots: readonly string[]): DisplayedOutput<TaskDisplay> {
  const { exitCode, running, problems } = end;
  const how = running
    ? `${task} goes on: it watches. Its problems appear in diagnostics.`
    : exitCode === undefined
      ? `${task} ended; the editor told no exit code.`
      : `${task} ended with exit code ${exitCode}.`;
  const places = problems.map(({ path, line, severity, message }) => ({
    path: shownPath(path, roots),
    line,
    text: `${severity}: ${message}`,
  }));
  const lines = places.map(({ path, line, text }) => `${path}:${line}: ${text}`);
  const none = running ? [] : ['No new problem was found. The output stands in its terminal.'];
  return {
    content: [{ type: 'text', text: [how, ...(lines.length === 0 ? none : lines)].join('\n') }],
    isError: exitCode !== undefined && exitCode !== 0,
    files: places.map(({ path, line }) => ({ path, line })),
    display: {
      kind: 'task',
      task,
      ...(exitCode === undefined ? {} : { exitCode }),
      count: problems.length,
      running,
    },
  };
}
