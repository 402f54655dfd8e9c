import path from 'node:path';
import { NodeFileSystem } from '../../../src/hosts/node/files/file-system.ts';
import { NodeSearch } from '../../../src/hosts/node/search/search.ts';
import { SystemClock } from '../../../src/hosts/node/clock.ts';
import { locateFiles } from '../../../src/panel/input/locate.ts';
import { MessageInput, type MessageInputParts } from '../../../src/panel/input/message-input.ts';
import { FileSource } from '../../../src/panel/input/sources/files.ts';
import { pageSource } from '../../../src/panel/input/sources/web-page.ts';
import { sessionSource } from '../../../src/panel/input/sources/sessions.ts';
import { terminalSource } from '../../../src/panel/input/sources/terminal.ts';
import {
  editorsSource,
  gitSource,
  pendingSource,
  selectionSource,
} from '../../../src/panel/input/sources/workspace-things.ts';
import { silentLog } from '../memory-recorder.ts';
import type { TestEngine } from './test-engine.ts';

const nothing = async (): Promise<void> => undefined;

/** The input over a whole engine, with the sources that need no VS Code; the editor has these files open. */
export function engineInput(
  { engine, workspace }: TestEngine,
  open: readonly string[] = [],
  more: Partial<Pick<MessageInputParts, 'mentions' | 'commands'>> = {},
): MessageInput {
  const reader = engine.mentions;
  const roots = (): readonly string[] => [workspace];
  const files = new NodeFileSystem();
  const paths = open.map((name) => ({ file: path.join(workspace, name), name }));
  const [first] = paths;
  const selection = first && {
    file: first.file,
    path: first.name,
    fromLine: 2,
    toLine: 3,
    text: '',
  };
  const seen = () => ({ editors: paths, ...(selection === undefined ? {} : { selection }) });
  const { reviews, store } = engine;
  return new MessageInput({
    rows: [selectionSource(seen, roots)],
    mentions: [
      editorsSource(seen, reader),
      terminalSource(
        () => ({
          terminal: 'bash',
          command: 'make',
          output: 'two errors',
          exitCode: 2,
          isRunning: false,
        }),
        reader,
        nothing,
      ),
      gitSource(async () => true, reader, nothing),
      ...(reviews === undefined
        ? []
        : [
            pendingSource(
              { reviews, roots, judge: (...given) => engine.guard.judge(...given) },
              reader,
              nothing,
            ),
          ]),
      new FileSource({
        files,
        search: new NodeSearch([], {}),
        roots,
        seen,
        reader,
        openFile: nothing,
      }),
      pageSource(reader, nothing),
      sessionSource(
        { list: () => store.transcripts.sessions() },
        store.transcripts,
        reader,
        nothing,
      ),
      ...(more.mentions ?? []),
    ],
    commands: more.commands ?? [],
    locate: (dropped, code) =>
      locateFiles(dropped, code, { files, roots, placeOfCode: () => undefined }),
    clock: new SystemClock(),
    log: silentLog,
  });
}
