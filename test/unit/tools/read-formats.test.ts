import assert from 'node:assert/strict';
import type { TextEncodings } from '../../../src/core/ports/files/text-encodings.ts';
import { SAMPLES } from '../../contract/tool/samples.ts';
import type { Sample } from '../../contract/tool/samples.ts';
import { WorkspaceRig } from '../../contract/tool/workspace-rig.ts';
import { pdfOf } from '../../support/pdf.ts';
import { textOf } from '../tool-call/rig.ts';

const NOTEBOOK = JSON.stringify({
  nbformat: 4,
  metadata: { kernelspec: { name: 'python3', language: 'python' } },
  cells: [
    { cell_type: 'markdown', id: 'intro', source: ['# Title\n', 'words'] },
    {
      cell_type: 'code',
      execution_count: 3,
      source: 'print("hi")\n',
      outputs: [
        { output_type: 'stream', name: 'stdout', text: ['hi\n'] },
        {
          output_type: 'display_data',
          data: { 'image/png': 'x'.repeat(100_000), 'text/plain': ['<Figure>'] },
        },
        { output_type: 'error', ename: 'E', evalue: 'v', traceback: ['\u001b[31mE\u001b[0m: v'] },
      ],
    },
    { cell_type: 'code', source: '', outputs: [{ output_type: 'stream', text: 'y'.repeat(9000) }] },
  ],
});

describe('read_file of other formats', function () {
  this.timeout(60_000);

  let workspace: WorkspaceRig;

  beforeEach(async () => {
    workspace = await WorkspaceRig.open();
  });

  afterEach(async () => {
    await workspace.close();
  });

  const read = (path: string, more: Readonly<Record<string, number>> = {}): Promise<string> =>
    workspace.text('read_file', { files: [{ path, ...more }] });

  describe('notebooks', () => {
    it('come as their cells, with what they printed, cut, and pictures named', async () => {
      workspace.settings.set('advanced.maxToolResultChars', 100_000);
      await workspace.write('a.ipynb', NOTEBOOK);
      const outcome = await workspace.call('read_file', {
        files: [{ path: 'a.ipynb', start_line: 1, end_line: 17 }],
      });
      assert.equal(
        textOf(outcome)
          .split('\n')
          .slice(1, 17)
          .map((line) => line.replace(/^\d+\t/u, ''))
          .join('\n'),
        [
          '[python3, 3 cells]',
          '',
          '[cell 1: markdown, id intro]',
          '# Title',
          'words',
          '',
          '[cell 2: code, run 3]',
          'print("hi")',
          '[output]',
          'hi',
          '[image/png] <Figure>',
          'E: v',
          '',
          '[cell 3: code]',
          '',
          '[output]',
        ].join('\n'),
      );
    });

    it('that are none come as they are', async () => {
      await workspace.write('broken.ipynb', '{"cells": 1}\n');
      assert.equal(await read('broken.ipynb'), 'broken.ipynb (1 lines)\n{"cells": 1}\n');
    });
  });

  describe('PDF files', () => {
    it('come as text by pages, with the spaces between words', async () => {
      await workspace.write('a.pdf', pdfOf(['First words here', 'Second page', 'The third']));
      assert.equal(
        await read('a.pdf'),
        'a.pdf (PDF, pages 1-3 of 3)\n[page 1]\nFirst words here\n\n[page 2]\nSecond page\n\n[page 3]\nThe third\n',
      );
      assert.equal(
        await read('a.pdf', { start_line: 2, end_line: 2 }),
        'a.pdf (PDF, pages 2-2 of 3)\n[page 2]\nSecond page\n[a.pdf goes on: ask for start_line 3, a page.]\n',
      );
      assert.equal(
        await read('a.pdf', { start_line: 9 }),
        'a.pdf has 3 pages; there is no page 9.',
      );
    });

    it('of many pages come a part at a time', async () => {
      await workspace.write('a.pdf', pdfOf(Array.from({ length: 30 }, (_, index) => `P${index}`)));
      const text = await read('a.pdf');
      assert.match(text, /pages 1-20 of 30.*start_line 21, a page/su);
    });

    it('that are damaged, or pictures only, say so', async () => {
      await workspace.write('a.pdf', '%PDF-1.4\nnothing of use\n');
      const damaged = await workspace.failure('read_file', { files: [{ path: 'a.pdf' }] });
      assert.match(damaged, /The PDF file cannot be read \(.*damaged or need a password/u);
      await workspace.write('b.pdf', pdfOf(['']));
      assert.match(await read('b.pdf'), /No text: the pages are pictures/u);
    });

    it('are given up when the run is stopped', async () => {
      await workspace.write('a.pdf', pdfOf(['x']));
      const emit = (event: { readonly type: string }): void => {
        if (event.type === 'tool.started') setImmediate(() => workspace.rig.abort.abort('x'));
      };
      const input = { files: [{ path: 'a.pdf' }] };
      const outcome = await workspace.call('read_file', input, { emit });
      assert.equal(outcome.result.state, 'canceled');
    });
  });

  describe('encodings', () => {
    it('reads bytes that are not UTF-8 as Windows-1252, says that it is a guess, and writes them back as such', async () => {
      const bytes = Buffer.from([0x93, 0x67, 0x72, 0xfc, 0x6e, 0x94, 0x20, 0x80, 0x0a]);
      await workspace.write('old.txt', bytes);
      assert.equal(
        await read('old.txt'),
        'old.txt (read as windows-1252 (guessed), 1 lines)\n“grün” €\n',
      );
      await workspace.text('edit_file', {
        path: 'old.txt',
        edits: [{ old_string: '“grün”', new_string: '„Grün…' }],
      });
      const { readFile } = await import('node:fs/promises');
      assert.deepEqual(
        [...(await readFile(workspace.at('old.txt')))],
        [0x84, 0x47, 0x72, 0xfc, 0x6e, 0x85, 0x20, 0x80, 0x0a],
      );
    });

    const unknown: readonly (readonly [what: string, bytes: Buffer])[] = [
      ['Shift-JIS', Buffer.from([0x61, 0x0a, 0x93, 0xfa, 0x96, 0x7b, 0x81, 0x5b, 0x0a])],
      ['GBK', Buffer.from([0x61, 0x0a, 0x81, 0x40, 0x90, 0xa1, 0x0a])],
      ['damaged UTF-8', Buffer.from([...Buffer.from('a\nété\n'), 0xff, 0x0a])],
      ['data after much text', Buffer.from(`a\n${'é\n'.repeat(5000)}\0\n`, 'latin1')],
    ];
    for (const [what, bytes] of unknown)
      it(`refuses to change the text of ${what}, whose encoding nothing names, and moves it as it is`, async () => {
        await workspace.write('b.txt', bytes);
        assert.match(
          await read('b.txt'),
          /\(read as windows-1252 \(guessed; some bytes do not fit, so it cannot be edited\), /u,
        );
        const edits = [{ old_string: 'a\n', new_string: 'é\n' }];
        const patch = (...lines: readonly string[]) => ({
          patch: ['*** Begin Patch', '*** Update File: b.txt', ...lines, '*** End Patch'].join(
            '\n',
          ),
        });
        for (const [tool, input] of [
          ['edit_file', { path: 'b.txt', edits }],
          ['write_file', { path: 'b.txt', content: 'x\n' }],
          ['apply_patch', patch('-a', '+b')],
        ] as const)
          assert.match(
            await workspace.failure(tool, input),
            /encoding of b\.txt is unknown.*Ask the user to set "files\.encoding"/u,
          );
        assert.deepEqual(Buffer.from(await workspace.files.read(workspace.at('b.txt'))), bytes);
        await workspace.text('apply_patch', patch('*** Move to: c.txt'));
        assert.deepEqual(Buffer.from(await workspace.files.read(workspace.at('c.txt'))), bytes);
      });

    it('refuses half of a surrogate pair, which no encoding has', async () => {
      await workspace.write('a.txt', 'a\n');
      await read('a.txt');
      const edits = [{ old_string: 'a', new_string: '\ud83d' }];
      assert.match(
        await workspace.failure('edit_file', { path: 'a.txt', edits }),
        /an encoding that lacks a character/u,
      );
    });

    describe('that the user has set in the editor', () => {
      const encodings: TextEncodings = {
        encodingOf: (file) =>
          file.endsWith('.koi') ? 'koi8r' : file.endsWith('.wide') ? 'utf16le' : undefined,
        decode: async (bytes) => new TextDecoder('koi8-r').decode(bytes),
        encode: async (text) =>
          Uint8Array.from(
            text,
            (letter) => ({ п: 0xd0, р: 0xd2, о: 0xcf })[letter] ?? letter.charCodeAt(0),
          ),
      };
      const sample: Sample = {
        ...SAMPLES['read_file']!,
        parts: (_folder, { disk }) => ({ disk: { ...disk, encodings } }),
      };
      let editor: WorkspaceRig;

      beforeEach(async () => {
        editor = await WorkspaceRig.open({}, { read_file: sample });
      });

      afterEach(() => editor.close());

      const bytesAfter = async (path: string, old_string: string, new_string: string) => {
        await editor.text('read_file', { files: [{ path }] });
        await editor.call('edit_file', { path, edits: [{ old_string, new_string }] });
        return Buffer.from(await editor.files.read(editor.at(path)));
      };

      it('count for what is not UTF-8, for reading and for writing', async () => {
        await editor.write('a.koi', Buffer.from([0xd0, 0xd2, 0xcf, 0x0a]));
        await editor.write('utf.koi', 'про\n');
        assert.match(
          await editor.text('read_file', { files: [{ path: 'a.koi' }, { path: 'utf.koi' }] }),
          /a\.koi \(1 lines\)\nпро\n.*utf\.koi \(1 lines\)\nпро\n/su,
        );
        const edits = [{ old_string: 'про', new_string: 'порт-' }];
        const refused = await editor.failure('edit_file', { path: 'a.koi', edits });
        assert.match(refused, /an encoding that lacks a character/u);
        const expected = Buffer.from([0xcf, 0xd2, 0xd0, 0x0a]);
        assert.deepEqual(await bytesAfter('a.koi', 'про', 'орп'), expected);
      });

      it('count for what is added to ASCII', async () => {
        await editor.write('a.koi', 'x\n');
        assert.deepEqual(await bytesAfter('a.koi', 'x', 'о'), Buffer.from([0xcf, 0x0a]));
      });

      it('do not change a file whose bytes do not fit them', async () => {
        // The encoding of this test lacks й.
        const bytes = Buffer.from([0xd0, 0xca, 0x61, 0x0a]);
        await editor.write('a.koi', bytes);
        assert.deepEqual(await bytesAfter('a.koi', 'a', 'b'), bytes);
      });

      it('write UTF-16 without a byte order mark where there was none', async () => {
        await editor.write('a.wide', Buffer.from('про\n', 'utf16le'));
        assert.deepEqual(await bytesAfter('a.wide', 'про', 'é'), Buffer.from('é\n', 'utf16le'));
      });
    });
  });

  it('tells that a file has changed since it was last read, once', async () => {
    await workspace.write('a.ts', 'one\n');
    assert.equal(await read('a.ts'), 'a.ts (1 lines)\none\n');
    await workspace.write('a.ts', 'two\n');
    assert.equal(
      await read('a.ts'),
      '[a.ts has changed since you last read it.]\na.ts (1 lines)\ntwo\n',
    );
    assert.equal(await read('a.ts'), 'a.ts (1 lines)\ntwo\n');
  });

  it('suggests names like the one that is missing, beside it and elsewhere, but none that is kept back', async () => {
    await workspace.write('src/reader.ts', '');
    await workspace.write('src/secret-reader.ts', '');
    await workspace.write('lib/deep/writer.ts', '');
    const missing = (path: string): Promise<string> =>
      workspace.failure('read_file', { files: [{ path }] });
    assert.match(await missing('src/raeder.ts'), /Did you mean src\/reader\.ts\?/u);
    assert.match(await missing('src/writer.ts'), /Did you mean lib\/deep\/writer\.ts\?/u);
    assert.match(await missing('nothing-like-it.ts'), /find_files looks for it/u);
    await workspace.write('.belayignore', 'src/reader.ts\nlib\n');
    assert.match(await missing('src/raeder.ts'), /find_files looks for it/u);
    assert.match(await missing('src/writer.ts'), /find_files looks for it/u);
  });
});
