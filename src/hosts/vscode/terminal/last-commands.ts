import { stripVTControlCharacters } from 'node:util';
import * as vscode from 'vscode';
import { BoundedOutput } from '../../../core/background/bounded-output.ts';
import type { Disposable } from '../../../domain/lifetime/disposable.ts';
import { Lifetime } from '../../../domain/lifetime/lifetime.ts';
import type { TerminalCommand } from '../../../panel/input/sources/terminal.ts';

/** Characters kept of the beginning and the end of a command's output. */
const HEAD = 8_000;
const TAIL = 24_000;

interface Seen {
  readonly command: string;
  readonly output: BoundedOutput;
  exitCode: number | undefined;
  isRunning: boolean;
}

/**
 * The last command of each terminal with shell integration, while the window is open. The stable API tells of no other:
 * neither of terminals without it, nor of what ran before.
 */
export class LastCommands implements Disposable {
  readonly #lifetime = new Lifetime();
  readonly #seen = new Map<vscode.Terminal, Seen>();
  readonly #executions = new WeakMap<vscode.TerminalShellExecution, Seen>();
  #latest: vscode.Terminal | undefined;

  constructor() {
    const { window } = vscode;
    for (const listening of [
      window.onDidStartTerminalShellExecution(({ terminal, execution }) =>
        this.#follow(terminal, execution),
      ),
      window.onDidEndTerminalShellExecution(({ execution, exitCode }) => {
        const seen = this.#executions.get(execution);
        if (seen !== undefined) Object.assign(seen, { exitCode, isRunning: false });
      }),
      window.onDidCloseTerminal((terminal) => void this.#seen.delete(terminal)),
    ])
      this.#lifetime.add(listening);
  }

  /** Of the terminal in front, else of the one that was used last. */
  last(): TerminalCommand | undefined {
    const { activeTerminal } = vscode.window;
    const terminal =
      activeTerminal !== undefined && this.#seen.has(activeTerminal)
        ? activeTerminal
        : this.#latest;
    const seen = terminal === undefined ? undefined : this.#seen.get(terminal);
    if (terminal === undefined || seen === undefined) return undefined;
    const { command, exitCode, isRunning } = seen;
    const output = stripVTControlCharacters(String(seen.output)).replaceAll('\r\n', '\n');
    return { terminal: terminal.name, command, output, exitCode, isRunning };
  }

  dispose(): void {
    this.#lifetime.dispose();
  }

  #follow(terminal: vscode.Terminal, execution: vscode.TerminalShellExecution): void {
    const seen: Seen = {
      command: execution.commandLine.value,
      output: new BoundedOutput(HEAD, TAIL),
      exitCode: undefined,
      isRunning: true,
    };
    this.#seen.set(terminal, seen);
    this.#executions.set(execution, seen);
    this.#latest = terminal;
    void this.#read(execution, seen.output);
  }

  /** The rest of an output that a terminal does not tell any more is left out. */
  async #read(execution: vscode.TerminalShellExecution, output: BoundedOutput): Promise<void> {
    try {
      for await (const text of execution.read()) output.add(text);
    } catch {
      output.add('\n[the rest of the output could not be read]');
    }
  }
}
