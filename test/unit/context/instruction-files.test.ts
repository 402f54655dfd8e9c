import assert from 'node:assert/strict';
import { lookForInstructions } from '../../../src/core/context/prompt/instruction-files.ts';
import type { PromptFiles } from '../../../src/core/context/prompt/prompt-files.ts';
import { told } from '../../../src/domain/text/told.ts';

type Files = Pick<PromptFiles, 'read' | 'list'>;

/** Files in memory, by absolute path; a missing text stands for a file that must not be read. */
function inMemory(files: Readonly<Record<string, string | undefined>>): Files {
  return {
    read: async (path) => {
      if (!Object.hasOwn(files, path)) return {};
      const text = files[path];
      return text === undefined ? { refused: told`it is protected` } : { text };
    },
    list: async (folder) =>
      Object.keys(files)
        .filter(
          (path) => path.startsWith(`${folder}/`) && !path.slice(folder.length + 1).includes('/'),
        )
        .map((path) => ({ name: path.slice(folder.length + 1), type: 'file' as const })),
  };
}

describe('files of instructions', () => {
  it('apply to a folder that has brackets in its name', async () => {
    const files = inMemory({
      '/w/.github/instructions/a.instructions.md': '---\napplyTo: "src/[id]/**"\n---\nRoutes.\n',
    });
    const focus = ['/w/src/[id]/page.tsx'];
    const [found] = await lookForInstructions({ files, roots: ['/w'], trusted: true, focus });
    assert.equal(found?.state, 'in_force');
  });
});
