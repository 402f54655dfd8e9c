import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from '../rig/processes.ts';
import { assertNone } from './assert-none.ts';
import { sourceFiles } from './source-graph.ts';

/** Whatever reads the content of a file or of an open document. */
const READS =
  /\b(?:readFile|readFileSync|readPart|createReadStream|readlink|readlinkSync|openTextDocument|openNotebookDocument)\(|\b(?:files|fileSystem|disk|judged|fs|handle|Disk|Files)\.read\(|\.getText\(|\bwatchFile\(/u;

/**
 * Every place that reads files, by what becomes of what it reads. A new one fails this test until it stands
 * here: text of files gets to a model through `PromptFiles` or as the masked result of a judged call, never
 * past them.
 */
const PLACES: Readonly<Record<string, readonly string[]>> = {
  'the door to a prompt': ['src/core/context/prompt/prompt-files.ts'],
  'asks the door': ['src/core/context/prompt/instruction-files.ts'],
  'gives what `mayBeShown` judges': ['src/hosts/vscode/workspace/editor-state.ts'],
  'a file that the person picks, judged there': ['src/hosts/vscode/panel/attachments.ts'],
  'a tool, with paths that were judged for its call': [
    'src/tools/language/symbols/source-lines.ts',
    'src/tools/reading/large-file.ts',
    'src/tools/patch/carry-out.ts',
    'src/tools/editing/all-or-nothing.ts',
    'src/tools/editing/edit-plan.ts',
    'src/tools/reading/read-one.ts',
    'src/tools/reading/image.ts',
    'src/tools/reading/pdf.ts',
    'src/tools/reading/text.ts',
    'src/tools/run-tests/run-tests.ts',
    'src/tools/editing/write-edit.ts',
  ],
  'what tools read through': [
    'src/core/permissions/guarded-files.ts',
    'src/core/review/',
    'src/hosts/node/',
    'src/hosts/vscode/files/',
    'src/hosts/vscode/language/',
    'src/hosts/vscode/notebooks/',
  ],
  'shown to the person only': [
    'src/hosts/vscode/mcp/add-servers.ts',
    'src/hosts/vscode/commands/timeline.ts',
    'src/hosts/vscode/code/code-blocks.ts',
    'src/hosts/vscode/pending/',
    'src/hosts/vscode/commands/session-files.ts',
    'src/compose/node/commands/import.ts',
    'src/hosts/vscode/panel/message-input.ts',
  ],
  'compared or obeyed, never shown': [
    'src/core/permissions/rules/',
    'src/core/permissions/command/choosing-files.ts',
    'src/core/permissions/command/secret-scan.ts',
    'src/core/agents/deliver-changes.ts',
    'src/core/files/watch-contents.ts',
    'src/mcp/config/server-files.ts',
    'src/mcp/config/start-target.ts',
    'src/mcp/auth/client-assertion.ts',
    'src/hosts/vscode/workspace/copied-code.ts',
    'src/panel/code/apply-code.ts',
  ],
  'Belay’s own records and programs': [
    'src/manifest/',
    'src/window/',
    'src/store/',
    'src/mcp/server/endpoints.ts',
    'src/providers/catalog/bundle.ts',
    'src/hosts/vscode/startup/language.ts',
    'src/hosts/vscode/diagrams/diagram-tabs.ts',
  ],
  'says what reading is': ['src/core/ports/files/file-system.ts'],
};
/** In rooms that are listed whole, what talks to the engine is none of them. */
const NEVER = ['src/hosts/node/headless/run-headless.ts', 'src/hosts/node/headless/arguments.ts'];

const text = (file: string): string => readFileSync(path.join(root, file), 'utf8');
const code = (file: string): string => text(file).replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gmu, '');

describe('doors to a prompt', () => {
  it('every place that reads files is known, with what becomes of what it reads', () => {
    const reading = sourceFiles().filter(
      (file) => file.startsWith('src/') && READS.test(code(file)),
    );
    const places = Object.values(PLACES).flat();
    const isIn = (file: string) => (place: string) =>
      place.endsWith('/') ? file.startsWith(place) : file === place;
    assertNone(
      reading.filter((file) => NEVER.includes(file) || !places.some(isIn(file))),
      'These read files: let them ask PromptFiles, or list them here with what becomes of the text',
    );
    assertNone(
      places.filter((place) => !reading.some((file) => isIn(file)(place))),
      'These are listed here and no longer read anything',
    );
  });

  it('finds a new one', () => {
    for (const line of [
      'const notes = await host.files.read(`${root}/NOTES.md`);',
      'await vscode.workspace.fs.readFile(uri)',
      'editor.document.getText()',
      "readFileSync('/etc/hosts')",
    ])
      assert.match(line, READS);
  });

  it('whatever puts a prompt together reads no file itself', () => {
    const makes = sourceFiles().filter(
      (file) =>
        /^src\/(?:core\/(?:context|model-call|policies)\/|compose[^/]*\.ts$|providers\/)/u.test(
          file,
        ) && READS.test(code(file)),
    );
    assert.deepEqual(makes, [
      'src/core/context/prompt/instruction-files.ts',
      'src/core/context/prompt/prompt-files.ts',
      // The list of models that came with Belay.
      'src/providers/catalog/bundle.ts',
    ]);
  });

  it('every call of a model is masked: providers are called in one place, behind the mask', () => {
    const callers = (pattern: RegExp) => sourceFiles().filter((file) => pattern.test(code(file)));
    assert.deepEqual(callers(/\bprovider\??\.call\(/u), ['src/providers/registry.ts']);
    assert.deepEqual(callers(/\bregistry\.call\b/u), ['src/compose/order.ts']);
    assert.match(code('src/compose/order.ts'), /return wrapAll\(registry\.call, \[\s*withMask\(/u);
  });
});
