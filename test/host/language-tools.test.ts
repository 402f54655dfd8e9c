import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { PathGuard } from '../../src/core/permissions/path-guard.ts';
import type { Log } from '../../src/core/ports/log.ts';
import type { Tool, ToolContext, ToolOutput } from '../../src/core/tool-call/tool-call.ts';
import type { JsonObject } from '../../src/domain/data/json.ts';
import { NodeFileSystem } from '../../src/hosts/node/files/file-system.ts';
import { NodeIgnoredPaths } from '../../src/hosts/node/search/ignore/belay-ignore.ts';
import { DocumentFileSystem } from '../../src/hosts/vscode/files/document-file-system.ts';
import { EditorLanguage } from '../../src/hosts/vscode/language/language.ts';
import { withDiagnosticsAfterEdit } from '../../src/tools/language/diagnostics-after-edit.ts';
import { ChangedFiles } from '../../src/tools/language/changed-files.ts';
import { languageTools } from '../../src/tools/language/registry.ts';
import { ReadState } from '../../src/tools/editing/read-state.ts';
import { MapValues } from '../support/map-values.ts';
import { SystemClock } from '../../src/hosts/node/clock.ts';
import type { ToolParts } from '../../src/tools/tool-parts.ts';
import { LANGUAGE_FILES } from '../contract/language/language-contract.ts';

const SILENT: Log = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};

describe('language tools over the TypeScript server', function () {
  this.timeout(60_000);

  const servers = new EditorLanguage();
  const files = new DocumentFileSystem(new NodeFileSystem());
  const ignored = new NodeIgnoredPaths();
  const guard = new PathGuard({ files, ownFolders: [], ignored });
  const language = {
    servers,
    judge: (...[touch, roots]: Parameters<PathGuard['judge']>) => guard.judge(touch, roots),
    changed: new ChangedFiles(),
  };
  // What these tools use of all parts.
  const disk = { files, ignored };
  const parts = {
    disk,
    language,
    readState: new ReadState(new MapValues(), new SystemClock()),
  } as unknown as ToolParts;
  const tools = languageTools(parts);
  let folder: string;

  const tool = (name: string): Tool => tools.find((one) => one.name === name) ?? assert.fail(name);
  const context = (): ToolContext => ({
    callId: 'call',
    runId: 'run',
    sessionId: 'session',
    roots: [folder],
    signal: new AbortController().signal,
    emit: () => undefined,
    recordProcess: async () => undefined,
  });
  const textOf = ({ content }: Pick<ToolOutput, 'content'>): string =>
    content.map((part) => (part.type === 'text' ? part.text : '')).join('\n');
  const run = async (name: string, input: JsonObject): Promise<string> =>
    textOf(await tool(name).run(input, context()));

  before(async () => {
    const root = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';
    folder = path.join(root, 'language-tools');
    await mkdir(folder);
    for (const [name, text] of Object.entries(LANGUAGE_FILES))
      await writeFile(path.join(folder, name), text);
  });

  after(async () => {
    servers.dispose();
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  it('rename a symbol at one of its uses in every file, open or not, as what was shown', async () => {
    const open = await vscode.workspace.openTextDocument(path.join(folder, 'shape.ts'));
    await vscode.window.showTextDocument(open);
    const input = { path: 'user.ts', line: 6, symbol: 'area', new_name: 'surface' };
    const preview = await tool('rename_symbol').preview?.(input, context());
    assert.equal(preview?.title, 'Rename area to surface in 3 files');
    assert.match(await readFile(path.join(folder, 'user.ts'), 'utf8'), /area\(/u);
    const output = await tool('rename_symbol').run(input, {
      ...context(),
      ...(preview === undefined ? {} : { preview }),
    });
    assert.match(textOf(output), /^Rename area to surface: done\./u);
    const texts = await Promise.all(
      ['shape.ts', 'user.ts', 'unsorted.ts'].map((name) =>
        readFile(path.join(folder, name), 'utf8'),
      ),
    );
    assert.equal(
      texts.some((text) => /\barea(?! of)/u.test(text)),
      false,
      texts.join('\n'),
    );
    assert.match(open.getText(), /function surface/u);
    assert.equal(open.isDirty, false);
  });

  it('organize imports as an edit of the file', async () => {
    const list = await run('list_code_actions', { path: 'unsorted.ts' });
    assert.match(list, /- Organize Imports \(source\.organizeImports\)/u);
    await run('apply_code_action', { path: 'unsorted.ts', title: 'Organize Imports' });
    assert.equal(
      (await readFile(path.join(folder, 'unsorted.ts'), 'utf8')).includes('readFile'),
      false,
    );
  });

  it('say where a symbol is used, with its lines', async () => {
    const text = await run('inspect_symbol', {
      path: 'user.ts',
      symbol: 'total',
      what: 'references',
    });
    assert.match(text, /^total \(user\.ts:4\): \d references in 2 files\n/u);
    assert.match(text, /unsorted\.ts\n/u);
  });

  it('see a new problem after an edit of a file that is open in no editor, and only that', async () => {
    const file = path.join(folder, 'user.ts');
    const edit: Tool = {
      ...tool('rename_symbol'),
      name: 'edit',
      touches: () => [{ path: file, access: 'write' }],
    };
    const write = (text: string) =>
      withDiagnosticsAfterEdit({ language, disk, log: SILENT, clock: Date, enabled: () => true })(
        async ({ part }) => {
          await files.write(file, new TextEncoder().encode(text));
          return {
            result: {
              type: 'tool_result',
              callId: part.id,
              name: part.name,
              state: 'done',
              content: [{ type: 'text', text: 'Edited.' }],
              files: [{ path: file }],
            },
          };
        },
      )({
        part: { type: 'tool_call', id: 'call', name: 'edit', input: {} },
        tool: edit,
        context: context(),
      });
    const good = await readFile(file, 'utf8');
    const broken = await write(good.replace('shape.side', 'shape.height'));
    assert.match(
      textOf(broken.result),
      /^Edited\.\nAfter this edit the language server sees new problems \(1 error\):\nuser\.ts\n {2}5:\d+ error \[ts 2339\] Property 'height' does not exist on type 'Shape'\.\n {4}return /u,
    );
    const more = await write(
      `${good.replace('shape.side', 'shape.height')}\nexport const one = 1;\n`,
    );
    assert.equal(textOf(more.result), 'Edited.');
    assert.equal(textOf((await write(good)).result), 'Edited.');
    assert.match(
      await run('diagnostics', { changed: true }),
      /^No problems in the files you changed/u,
    );
  });
});
