import * as vscode from 'vscode';
import type { Clock } from '../../../core/ports/clock.ts';
import type { Language } from '../../../core/ports/editor/language.ts';
import type { FileSystem } from '../../../core/ports/files/file-system.ts';
import type { Search } from '../../../core/ports/files/search.ts';
import type { Log } from '../../../core/ports/log.ts';
import type { PathGuard } from '../../../core/permissions/path-guard.ts';
import type { McpHub } from '../../../mcp/hub.ts';
import { MessageInput } from '../../../panel/input/message-input.ts';
import { locateFiles } from '../../../panel/input/locate.ts';
import { type GivenContext, appContextSource } from '../../../panel/input/sources/app-context.ts';
import { ownCommandSource } from '../../../panel/input/sources/own-commands.ts';
import { promptSource } from '../../../panel/input/sources/prompts.ts';
import { kindsSource } from '../../../panel/input/sources/kinds.ts';
import { resourceSource } from '../../../panel/input/sources/resources.ts';
import { ServerOffers } from '../../../panel/input/sources/server-offers.ts';
import { FileSource } from '../../../panel/input/sources/files.ts';
import { pageSource } from '../../../panel/input/sources/web-page.ts';
import { sessionSource } from '../../../panel/input/sources/sessions.ts';
import { symbolSource } from '../../../panel/input/sources/symbols.ts';
import { type TerminalCommand, terminalSource } from '../../../panel/input/sources/terminal.ts';
import {
  editorsSource,
  gitSource,
  pendingSource,
  problemsSource,
  selectionSource,
} from '../../../panel/input/sources/workspace-things.ts';
import type { PanelEditor } from '../../../panel/services.ts';
import type { WindowEngine } from '../commands/services.ts';
import type { SessionIndex } from '../state/session-index.ts';
import { placeOfCode } from '../workspace/copied-code.ts';
import { editorState } from '../workspace/editor-state.ts';

/** The places in which the input finds things, beside the engine. */
export interface InputGround {
  readonly search: Pick<Search, 'files'>;
  readonly language: Language;
  readonly isRepository: () => Promise<boolean>;
  readonly servers: Pick<McpHub, 'servers' | 'server'>;
}

export interface WindowInputParts {
  readonly ground: InputGround;
  readonly engine: Pick<
    WindowEngine,
    'customizations' | 'guard' | 'mentions' | 'reviews' | 'store'
  >;
  readonly files: FileSystem;
  readonly roots: () => readonly string[];
  readonly sessions: Pick<SessionIndex, 'list'>;
  readonly editor: Pick<PanelEditor, 'openFile' | 'openExternal'>;
  readonly showSession: (sessionId: string) => Promise<void>;
  readonly lastCommand: () => TerminalCommand | undefined;
  /** The text that the app of a call gave for the next message. */
  readonly appContext: (callId: string) => GivenContext | undefined;
  readonly clock: Clock;
  readonly log: Log;
}

async function showText(content: string): Promise<void> {
  const document = await vscode.workspace.openTextDocument({ content });
  await vscode.window.showTextDocument(document);
}

/** The sources of the input's list, in the order of rows that are worth the same. */
export function windowInput(parts: WindowInputParts): MessageInput {
  const { engine, files, roots, editor, clock, log } = parts;
  const { search, language, servers, isRepository } = parts.ground;
  const reader = engine.mentions;
  const run = async (command: string): Promise<void> => vscode.commands.executeCommand(command);
  const problems = async (): Promise<number> => {
    const report = await language.problems({ waitMs: 0 }, new AbortController().signal);
    return report.problems.filter(({ severity }) => severity === 'error' || severity === 'warning')
      .length;
  };
  const { reviews } = engine;
  const judge = async (...given: Parameters<PathGuard['judge']>) => engine.guard.judge(...given);
  const offers = new ServerOffers(servers, clock);
  const fileSource = new FileSource({
    files,
    search,
    roots,
    seen: editorState,
    reader,
    openFile: editor.openFile,
  });
  return new MessageInput({
    rows: [
      kindsSource(() => offers.names.length > 0),
      selectionSource(editorState, roots),
      symbolSource(language, roots),
      fileSource.folders,
    ],
    mentions: [
      editorsSource(editorState, reader),
      problemsSource(problems, reader, async () => run('workbench.actions.view.problems')),
      terminalSource(parts.lastCommand, reader, async () => run('workbench.action.terminal.focus')),
      gitSource(isRepository, reader, async () => run('workbench.view.scm')),
      ...(reviews === undefined
        ? []
        : [
            pendingSource({ reviews, roots, judge }, reader, async () =>
              run('belay.openAllPending'),
            ),
          ]),
      fileSource,
      resourceSource(offers, reader),
      pageSource(reader, async (url) => editor.openExternal(url, url)),
      appContextSource(parts.appContext, reader, showText),
      sessionSource(parts.sessions, engine.store.transcripts, reader, parts.showSession),
    ],
    commands: [ownCommandSource(async () => engine.customizations.found()), promptSource(offers)],
    locate: async (dropped, code) => locateFiles(dropped, code, { files, roots, placeOfCode }),
    clock,
    log,
  });
}
