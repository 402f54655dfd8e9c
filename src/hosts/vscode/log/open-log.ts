import path from 'node:path';
import * as vscode from 'vscode';
import type { Disposable } from '../../../domain/lifetime/disposable.ts';
import { type LogLevel, HostLog } from '../../../window/log/host-log.ts';
import { LogFile } from '../../../window/log/log-file.ts';

export interface OpenLog extends Disposable {
  readonly log: HostLog;
  readonly file: LogFile;
  /** Shows the output channel. */
  show(): void;
}

/** The log output channel `Belay` and `belay.log` in the extension's log folder. */
export function openLog(
  context: Pick<vscode.ExtensionContext, 'logUri'>,
  level: () => LogLevel,
): OpenLog {
  const channel = vscode.window.createOutputChannel('Belay', { log: true });
  const file = new LogFile(path.join(context.logUri.fsPath, 'belay.log'));
  const sinks = {
    channel: {
      error: (line: string) => channel.error(line),
      warn: (line: string) => channel.warn(line),
      info: (line: string) => channel.info(line),
      debug: (line: string) => channel.debug(line),
    },
    file,
  };
  return {
    log: new HostLog(sinks, level),
    file,
    show: () => channel.show(true),
    dispose: () => channel.dispose(),
  };
}
