import assert from 'node:assert/strict';
import { lookForInstructions } from '../../../src/core/context/prompt/instruction-files.ts';
import { loadInstructions } from '../../../src/core/context/prompt/instructions.ts';
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

  it('follow the imports of CLAUDE.md, relative to each file, five deep and each once', async () => {
    const chain = Object.fromEntries(
      [1, 2, 3, 4, 5, 6].map((at) => [`/w/docs/${at}.md`, `Depth ${at}. @${at + 1}.md`]),
    );
    const files = inMemory({
      ...chain,
      '/w/CLAUDE.md': [
        'See @docs/1.md and @./my\\ notes.md, (@docs/rules.md).',
        'Not me@mail.md, `@span.md`, @missing.md, @docs or @alice.',
        '```',
        '@block.md',
        '~~~',
        '@block.md',
        '```',
        '@.env @../outside.md @~/own.md',
      ].join('\n'),
      '/w/my notes.md': 'Notes.',
      '/w/docs/rules.md': 'Rules. @../CLAUDE.md @1.md',
      '/w/span.md': 'x',
      '/w/block.md': 'x',
      '/w/mail.md': 'x',
      '/w/.env': undefined,
      '/outside.md': undefined,
    });
    const found = await lookForInstructions({ files, roots: ['/w'], trusted: true });
    assert.deepEqual(
      found.map(({ path, state }) => `${state} ${path}`),
      [
        'in_force /w/CLAUDE.md',
        ...[1, 2, 3, 4, 5].map((at) => `in_force /w/docs/${at}.md`),
        'refused /w/docs/6.md',
        'in_force /w/my notes.md',
        'in_force /w/docs/rules.md',
        'refused /w/.env',
        'refused /outside.md',
        'refused ~/own.md',
      ],
    );
    const only = await loadInstructions({ files, roots: ['/w'], trusted: true }, ['CLAUDE.md']);
    assert.match(only.text, /<instructions file="docs\/rules.md">\nRules\./u);
    assert.match(only.text, /~\/own\.md is left out: imports from the home folder/u);
  });
});
