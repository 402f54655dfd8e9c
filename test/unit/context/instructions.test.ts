import assert from 'node:assert/strict';
import { BelayError } from '../../../src/domain/failure.ts';
import type { FileSystem } from '../../../src/core/ports.ts';
import { loadInstructions } from '../../../src/core/context/instructions.ts';

/** Files by path; reading is all that is needed here. */
function disk(files: Readonly<Record<string, string>>): {
  readonly fileSystem: FileSystem;
  readonly read: string[];
} {
  const read: string[] = [];
  const missing = (path: string): Promise<never> =>
    Promise.reject(new BelayError({ code: 'not_found', message: `${path} is not there.` }));
  const fileSystem: FileSystem = {
    read: (path) => {
      read.push(path);
      const text = files[path];
      return text === undefined ? missing(path) : Promise.resolve(new TextEncoder().encode(text));
    },
    write: missing,
    readPart: missing,
    stat: () => Promise.resolve(undefined),
    list: missing,
    realpath: missing,
    delete: missing,
    rename: missing,
  };
  return { fileSystem, read };
}

describe('project instructions', () => {
  it('A7: AGENTS.md of the root, CLAUDE.md only where there is none, TOOLS.md beside them', async () => {
    const { fileSystem } = disk({
      '/w/a/AGENTS.md': 'Use tabs.\r\n',
      '/w/a/CLAUDE.md': 'Not this one.',
      '/w/b/CLAUDE.md': 'Use spaces.',
      '/w/a/TOOLS.md': 'make is slow',
    });
    const { text, files } = await loadInstructions({
      fileSystem,
      roots: ['/w/a', '/w/b'],
      trusted: true,
    });
    assert.equal(
      text,
      'Instructions of this project:\n\n<instructions file="a/AGENTS.md">\nUse tabs.\n</instructions>\n\n<instructions file="b/CLAUDE.md">\nUse spaces.\n</instructions>\n\n<instructions file="a/TOOLS.md">\nmake is slow\n</instructions>',
    );
    assert.deepEqual(files, ['/w/a/AGENTS.md', '/w/b/CLAUDE.md', '/w/a/TOOLS.md']);
  });

  it('A7: nested instructions of the folders the person works in, outermost first; others are named', async () => {
    const { fileSystem } = disk({
      '/w/AGENTS.md': 'root',
      '/w/src/AGENTS.md': 'src',
      '/w/src/ui/CLAUDE.md': 'ui',
      '/w/docs/AGENTS.md': 'docs',
    });
    const { text } = await loadInstructions({
      fileSystem,
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

  it('nothing of an untrusted workspace is read, let alone obeyed', async () => {
    const { fileSystem, read } = disk({ '/w/AGENTS.md': 'Obey me.' });
    assert.deepEqual(await loadInstructions({ fileSystem, roots: ['/w'], trusted: false }), {
      text: '',
      files: [],
    });
    assert.deepEqual(read, []);
  });

  it('no files, empty files and unreadable files are no instructions', async () => {
    const { fileSystem } = disk({ '/w/AGENTS.md': '  \n' });
    assert.deepEqual(await loadInstructions({ fileSystem, roots: ['/w'], trusted: true }), {
      text: '',
      files: [],
    });
  });

  it('A7: is bounded, and says what was cut and left out', async () => {
    const { fileSystem } = disk({ '/w/AGENTS.md': 'x'.repeat(40_000), '/w/TOOLS.md': 'tools' });
    const { text } = await loadInstructions({ fileSystem, roots: ['/w'], trusted: true });
    assert.ok(text.length < 33_000);
    assert.match(text, /AGENTS\.md is cut here/);
    assert.match(text, /TOOLS\.md is left out/);
  });

  it('a defect while reading is not taken for a missing file', async () => {
    const { fileSystem } = disk({});
    const broken: FileSystem = {
      ...fileSystem,
      read: () => Promise.reject(new TypeError('defect')),
    };
    await assert.rejects(
      loadInstructions({ fileSystem: broken, roots: ['/w'], trusted: true }),
      TypeError,
    );
  });
});
