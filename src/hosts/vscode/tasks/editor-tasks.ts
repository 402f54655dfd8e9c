import { setTimeout as delay } from 'node:timers/promises';
import * as vscode from 'vscode';
import { abortError, throwIfAborted } from '../../../domain/lifetime/abort.ts';
import type { TaskEnd, TaskInfo, TaskProblem, Tasks } from '../../../core/ports/commands/tasks.ts';
import { fault } from '../../../domain/failure.ts';
import { told } from '../../../domain/text/told.ts';

/** Milliseconds for which a list is taken as it is: extensions look for tasks in the whole workspace. */
const FRESH = 30_000;
/** Milliseconds in which the list must come; what takes longer counts as none. */
const PATIENCE = 5000;
/** Milliseconds after the end of its process in which a task's problems arrive. */
const SETTLE = 400;
/** Milliseconds to wait for the problems of a task that failed without showing any: a busy window is late with them. */
const FAILED_SETTLE_MS = 3000;
/** Milliseconds a task that watches gets to show its first problems. */
const WATCH = 5000;
/** Problems that are told. */
const MAX_PROBLEMS = 50;

/** The tasks of the window; none while the workspace is not trusted, because they run its code. */
export class EditorTasks implements Tasks {
  #known: { readonly at: number; readonly tasks: readonly Named[] } | undefined;

  async list(): Promise<readonly TaskInfo[]> {
    return (await this.#tasks()).map(({ id, task }) => infoOf(id, task));
  }

  async run(id: string, signal: AbortSignal): Promise<TaskEnd> {
    throwIfAborted(signal);
    const found = (await this.#tasks()).find((one) => one.id === id);
    if (found === undefined) {
      throw fault('not_found', told`The task ${id} is no longer there. List the tasks again.`);
    }
    const before = new Set(problems().map((one) => JSON.stringify(one)));
    const getNewProblems = (): readonly TaskProblem[] =>
      problems().filter((one) => !before.has(JSON.stringify(one)));
    const following = new TaskFollower(found.task);
    try {
      following.execution = await vscode.tasks.executeTask(found.task);
      const ended = await following.ended(found.task.isBackground ? WATCH : undefined, signal);
      const isFailed = (ended.exitCode ?? 0) !== 0;
      const lateBy = isFailed ? performance.now() + FAILED_SETTLE_MS : 0;
      do await delay(SETTLE);
      while (performance.now() < lateBy && getNewProblems().length === 0);
      return { ...ended, problems: getNewProblems().slice(0, MAX_PROBLEMS) };
    } finally {
      following.dispose();
    }
  }

  async #tasks(): Promise<readonly Named[]> {
    if (!vscode.workspace.isTrusted) return [];
    const now = performance.now();
    if (this.#known !== undefined && now - this.#known.at < FRESH) return this.#known.tasks;
    const late = new Promise<readonly vscode.Task[]>((resolve) => {
      setTimeout(() => resolve([]), PATIENCE);
    });
    const tasks = named(await Promise.race([vscode.tasks.fetchTasks(), late]));
    this.#known = { at: now, tasks };
    return tasks;
  }
}

interface Named {
  readonly id: string;
  readonly task: vscode.Task;
}

/** Every task with a name of its own, in the order of the names. */
function named(tasks: readonly vscode.Task[]): readonly Named[] {
  const all = tasks.map((task) => ({ id: nameOf(task), task }));
  const seen = new Map<string, number>();
  return all
    .toSorted((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0))
    .map(({ id, task }) => {
      const times = (seen.get(id) ?? 0) + 1;
      seen.set(id, times);
      return { id: times === 1 ? id : `${id} (${times})`, task };
    });
}

/** As VS Code's own list names them. */
function nameOf({ name, source }: vscode.Task): string {
  return source === 'Workspace' || source === '' ? name : `${source}: ${name}`;
}

function infoOf(id: string, task: vscode.Task): TaskInfo {
  const { source, group, detail, isBackground } = task;
  const runs = commandOf(task.execution);
  const kind = GROUPS.get(group?.id ?? '');
  return {
    id,
    source,
    ...(kind === undefined ? {} : { group: kind }),
    ...(detail === undefined ? {} : { detail }),
    ...runs,
    definition: JSON.stringify([id, source, task.definition, task.execution ?? null, runs]),
    background: isBackground,
  };
}

/** A task's command as a line; the parts of a process are quoted where they need it. */
function commandOf(execution: vscode.Task['execution']): Pick<TaskInfo, 'command' | 'cwd'> {
  if (execution instanceof vscode.ShellExecution) {
    const { commandLine, command, args, options } = execution;
    const words = [command, ...(args ?? [])].flatMap((one) =>
      one === undefined ? [] : [typeof one === 'string' ? one : one.value],
    );
    const line = commandLine ?? words.join(' ');
    return { command: line, ...(isFolder(options?.cwd) ? { cwd: options.cwd } : {}) };
  }
  if (execution instanceof vscode.ProcessExecution) {
    const { process, args, options } = execution;
    const line = [process, ...args].map((one) => (/^[\w./=:@-]+$/u.test(one) ? one : `'${one}'`));
    return { command: line.join(' '), ...(isFolder(options?.cwd) ? { cwd: options.cwd } : {}) };
  }
  return {};
}

/** A folder as it is: with a variable in it the workspace's is told. */
function isFolder(cwd: string | undefined): cwd is string {
  return cwd !== undefined && !cwd.includes('${');
}

const GROUPS: ReadonlyMap<string, NonNullable<TaskInfo['group']>> = new Map([
  ['build', 'build'],
  ['test', 'test'],
  ['clean', 'clean'],
  ['rebuild', 'rebuild'],
]);

/** Follows one run of a task from before it starts, so that no end is missed. */
class TaskFollower {
  execution: vscode.TaskExecution | undefined;
  readonly #over = Promise.withResolvers<{ readonly exitCode?: number }>();
  readonly #listening: readonly vscode.Disposable[];
  #exitCode: number | undefined;

  constructor(task: vscode.Task) {
    const isOurs = (execution: vscode.TaskExecution): boolean =>
      execution === this.execution || (this.execution === undefined && execution.task === task);
    this.#listening = [
      vscode.tasks.onDidEndTaskProcess(({ execution, exitCode }) => {
        if (isOurs(execution)) this.#exitCode = exitCode;
      }),
      vscode.tasks.onDidEndTask(({ execution }) => {
        if (!isOurs(execution)) return;
        this.#over.resolve(this.#exitCode === undefined ? {} : { exitCode: this.#exitCode });
      }),
    ];
  }

  /** Resolves at its end, or, still running, after `patience` milliseconds. */
  async ended(
    patience: number | undefined,
    signal: AbortSignal,
  ): Promise<{ readonly exitCode?: number; readonly running: boolean }> {
    const stopped = Promise.withResolvers<'stopped'>();
    const stop = (): void => stopped.resolve('stopped');
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    const late = Promise.withResolvers<'late'>();
    const timer =
      patience === undefined ? undefined : setTimeout(() => late.resolve('late'), patience);
    try {
      const first = await Promise.race([this.#over.promise, stopped.promise, late.promise]);
      if (first === 'late') return { running: true };
      if (first === 'stopped') {
        this.execution?.terminate();
        throw abortError();
      }
      return { ...first, running: false };
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
    }
  }

  dispose(): void {
    for (const one of this.#listening) one.dispose();
  }
}

const SEVERITIES: readonly (TaskProblem['severity'] | undefined)[] = [
  'error',
  'warning',
  'information',
];

/** The window's problems without hints. */
function problems(): readonly TaskProblem[] {
  return vscode.languages.getDiagnostics().flatMap(([uri, found]) =>
    found.flatMap(({ message, range, severity }): TaskProblem[] => {
      const kind = SEVERITIES[severity];
      if (kind === undefined || uri.scheme !== 'file') return [];
      return [{ path: uri.fsPath, line: range.start.line + 1, severity: kind, message }];
    }),
  );
}
