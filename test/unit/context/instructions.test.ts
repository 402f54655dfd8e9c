import assert from 'node:assert/strict';
import { BelayError } from '../../../src/domain/failure.ts';
import { loadInstructions } from '../../../src/core/context/prompt/instructions.ts';
import { PromptFiles } from '../../../src/core/context/prompt/prompt-files.ts';

/** A workspace in memory that everything may be read of; reading is all that is needed here. */
function disk(files: Readonly<Record<string, string>>): {
  readonly files: PromptFiles;
  readonly read: string[];
  readonly judged: string[];
} {
  const [read, judged]: [string[], string[]] = [[], []];
  const at = (path: string): Uint8Array | undefined =>
    Object.hasOwn(files, path) ? new TextEncoder().encode(files[path]) : undefined;
  return { files: doorOver({ at, read, judged }), read, judged };
}

function doorOver({
  at,
  read,
  judged = [],
}: {
  readonly at: (path: string) => Uint8Array | undefined;
  readonly read: string[];
  readonly judged?: string[];
}): PromptFiles {
  const none = (path: string): Promise<never> =>
    Promise.reject(new BelayError({ code: 'not_found', message: `${path} is not there.` }));
  return new PromptFiles(
    {
      roots: () => ['/w', '/w/a', '/w/b'],
      files: {
        read: async (path) => {
          read.push(path);
          return at(path) ?? none(path);
        },
        stat: async (path) => {
          const size = at(path)?.length;
          return size === undefined
            ? undefined
            : { type: 'file', size, modifiedAt: 0, readOnly: false };
        },
        write: none,
        readPart: none,
        list: none,
        realpath: none,
        delete: none,
        rename: none,
      },
    },
    {
      judge: async ({ path, access }) => {
        judged.push(path);
        return { path, real: path, access, place: 'inside' };
      },
    },
  );
}

describe('project instructions', () => {
  it('A7: AGENTS.md of the root, CLAUDE.md only where there is none, TOOLS.md beside them', async () => {
    const { files } = disk({
      '/w/a/AGENTS.md': 'Use tabs.\r\n',
      '/w/a/CLAUDE.md': 'Not this one.',
      '/w/b/CLAUDE.md': 'Use spaces.',
      '/w/a/TOOLS.md': 'make is slow',
    });
    const { text, files: found } = await loadInstructions({
      files,
      roots: ['/w/a', '/w/b'],
      trusted: true,
    });
    assert.equal(
      text,
      'Instructions of this project:\n\n<instructions file="a/AGENTS.md">\nUse tabs.\n</instructions>\n\n<instructions file="b/CLAUDE.md">\nUse spaces.\n</instructions>\n\n<instructions file="a/TOOLS.md">\nmake is slow\n</instructions>',
    );
    assert.deepEqual(found, ['/w/a/AGENTS.md', '/w/b/CLAUDE.md', '/w/a/TOOLS.md']);
  });

  it('A7: nested instructions of the folders the person works in, outermost first; others are named', async () => {
    const { files } = disk({
      '/w/AGENTS.md': 'root',
      '/w/src/AGENTS.md': 'src',
      '/w/src/ui/CLAUDE.md': 'ui',
      '/w/docs/AGENTS.md': 'docs',
    });
    const { text } = await loadInstructions({
      files,
      roots: ['/w'],
      trusted: true,
      focus: ['/w/src/ui/button.ts', '/elsewhere/x.ts'],
      nested: ['/w/src/AGENTS.md', '/w/docs/AGENTS.md'],
    });
    assert.deepEqual(
      [...text.matchAll(/file="([^"]+)"/g)].map((match) => match[1]),
      ['AGENTS.md', 'src/AGENTS.md', 'src/ui/CLAUDE.md'],
    );
    assert.match(text, /read them before you change files there: docs\/AGENTS\.md\.$/);
    assert.ok(!text.includes('\ndocs\n'));
  });

  it('only what is there is judged', async () => {
    const { files, judged } = disk({ '/w/AGENTS.md': 'Use tabs.' });
    await loadInstructions({ files, roots: ['/w'], trusted: true });
    assert.deepEqual(judged, ['/w/AGENTS.md']);
  });

  it('nothing of an untrusted workspace is read, let alone obeyed', async () => {
    const { files, read } = disk({ '/w/AGENTS.md': 'Obey me.' });
    assert.deepEqual(await loadInstructions({ files, roots: ['/w'], trusted: false }), {
      text: '',
      files: [],
      texts: { inForce: {}, elsewhere: [] },
    });
    assert.deepEqual(read, []);
  });

  it('no files, empty files and unreadable files are no instructions', async () => {
    const { files } = disk({ '/w/AGENTS.md': '  \n' });
    assert.deepEqual(await loadInstructions({ files, roots: ['/w'], trusted: true }), {
      text: '',
      files: [],
      texts: { inForce: {}, elsewhere: [] },
    });
  });

  it('A7: is bounded, and says what was cut and left out', async () => {
    const { files } = disk({ '/w/AGENTS.md': 'x'.repeat(40_000), '/w/TOOLS.md': 'tools' });
    const { text } = await loadInstructions({ files, roots: ['/w'], trusted: true });
    assert.ok(text.length < 33_000);
    assert.match(text, /AGENTS\.md is cut here/);
    assert.match(text, /TOOLS\.md is left out/);
  });

  it('a defect while reading is not taken for a missing file', async () => {
    const broken = doorOver({
      at: () => {
        throw new TypeError('defect');
      },
      read: [],
    });
    await assert.rejects(
      loadInstructions({ files: broken, roots: ['/w'], trusted: true }),
      TypeError,
    );
  });
});
