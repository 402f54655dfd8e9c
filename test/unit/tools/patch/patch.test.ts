import { inEnglish } from '../../../../src/domain/text/told.ts';
import assert from 'node:assert/strict';
import { createTwoFilesPatch, structuredPatch } from 'diff';
import * as fc from 'fast-check';
import { applyHunks } from '../../../../src/tools/patch/apply-hunks.ts';
import { PatchProblem } from '../../../../src/tools/patch/patch.ts';
import type { FileChange, Hunk } from '../../../../src/tools/patch/patch.ts';
import { readPatch } from '../../../../src/tools/patch/read-patch.ts';

const patch = (...lines: string[]): string =>
  ['*** Begin Patch', ...lines, '*** End Patch'].join('\n');

function hunksOf(changes: readonly FileChange[]): readonly Hunk[] {
  const [change] = changes;
  assert.ok(change?.kind === 'update');
  return change.hunks;
}

/** The text after a patch of one file. */
function patched(text: string, ...lines: string[]): ReturnType<typeof applyHunks> {
  return applyHunks(text, hunksOf(readPatch(patch('*** Update File: f', ...lines))));
}

describe('patches', () => {
  it('reads what is added, deleted, changed and moved', () => {
    const changes = readPatch(
      patch(
        '*** Add File: a b.md',
        '+one',
        '',
        '+two',
        '*** Delete File: c.ts',
        '*** Update File: d.ts',
        '*** Move to: e.ts',
        '@@ class A',
        '@@ run()',
        ' context',
        '-old',
        '+new',
        '*** End of File',
      ),
    );
    assert.deepEqual(changes, [
      { kind: 'add', path: 'a b.md', text: 'one\n\ntwo\n' },
      { kind: 'delete', path: 'c.ts' },
      {
        kind: 'update',
        path: 'd.ts',
        moveTo: 'e.ts',
        hunks: [
          {
            headers: ['class A', 'run()'],
            lines: [
              { mark: ' ', text: 'context' },
              { mark: '-', text: 'old' },
              { mark: '+', text: 'new' },
            ],
            atEnd: true,
          },
        ],
      },
    ]);
  });

  it('reads unified diffs of git and of diff, with a fence around them', () => {
    const changes = readPatch(
      [
        '```diff',
        'diff --git a/x.ts b/x.ts',
        'index 1..2 100644',
        '--- a/x.ts',
        '+++ b/x.ts',
        '@@ -2,9 +2,9 @@ section',
        ' a',
        '-b',
        '\\ No newline at end of file',
        '+c',
        '--- /dev/null',
        '+++ "b/m\\303\\274.ts"',
        '@@ -0,0 +1 @@',
        '+x',
        '\\ No newline at end of file',
        '--- a/gone\t2026-01-01',
        '+++ /dev/null',
        '@@ -1 +0,0 @@',
        '-x',
        'diff --git a/p b/q',
        'similarity index 100%',
        'rename from p',
        'rename to q',
        '```',
      ].join('\n'),
    );
    assert.deepEqual(changes, [
      {
        kind: 'update',
        path: 'x.ts',
        hunks: [
          {
            headers: [],
            line: 2,
            lines: [
              { mark: ' ', text: 'a' },
              { mark: '-', text: 'b' },
              { mark: '+', text: 'c' },
            ],
            finalLineEnd: true,
          },
        ],
      },
      { kind: 'add', path: 'mü.ts', text: 'x' },
      { kind: 'delete', path: 'gone' },
      { kind: 'update', path: 'p', moveTo: 'q', hunks: [] },
    ]);
  });

  const wrong: readonly (readonly [what: string, text: string, about: RegExp])[] = [
    ['no patch at all', 'please change it', /changes no file/u],
    ['nothing in it', patch(), /changes no file/u],
    ['an unknown header', patch('*** Change File: a'), /expects a line like .* \(line 2\)/u],
    ['a new file without +', patch('*** Add File: a', 'text'), /must have a \+ .* \(line 3\)/u],
    ['no hunk', patch('*** Update File: a'), /has no hunk for a/u],
    ['only context', patch('*** Update File: a', ' x'), /without a line that begins with/u],
    ['another mark', patch('*** Update File: a', '-x', '*y'), /neither with a blank/u],
    ['a file twice', patch('*** Delete File: a', '*** Update File: a', '-x'), /names a twice/u],
    ['a hunk of no file', '@@ -1 +1 @@\n-a\n+b', /without the lines --- and \+\+\+/u],
    ['binary data', 'diff --git a/x b/x\nGIT binary patch\n', /binary file/u],
  ];
  for (const [what, text, about] of wrong) {
    it(`says what is wrong: ${what}`, () => {
      assert.throws(
        () => readPatch(text),
        (thrown) => thrown instanceof PatchProblem && about.test(thrown.message),
      );
    });
  }

  describe('where a hunk goes', () => {
    const file =
      'class A {\n  run() {\n    go();\n  }\n}\nclass B {\n  run() {\n    go();\n  }\n}\n';

    it('to the only place where its lines are', () => {
      assert.equal(patched('a\nb\nc\n', ' a', '-b', '+B').text, 'a\nB\nc\n');
    });

    it('to no place when there are several, which are named', () => {
      const { text, problems } = patched(file, '-    go();', '+    stop();');
      assert.equal(text, file);
      assert.equal(problems.length, 1);
      assert.match(
        problems.map(inEnglish).join(),
        /fits 2 places: lines 3, 8\. Give more context, or an @@/u,
      );
    });

    it('to the class and function that are named', () => {
      const { text } = patched(file, '@@ class B {', '@@ run()', '-    go();', '+    stop();');
      assert.equal(
        text,
        `${file.slice(0, file.indexOf('class B'))}class B {\n  run() {\n    stop();\n  }\n}\n`,
      );
      assert.equal(patched(file, '@@ class C', '-    go();', '+    stop();').problems.length, 1);
    });

    it('behind the hunk before it, also where its lines are twice', () => {
      const { text } = patched(file, '-class B {', '+class C {', '@@', '-    go();', '+    x();');
      assert.ok(text.endsWith('class C {\n  run() {\n    x();\n  }\n}\n'));
      assert.ok(text.startsWith('class A {\n  run() {\n    go();'));
    });

    it('to the end when it says so, or when it only adds', () => {
      assert.equal(patched('a\nb\na\n', '-a', '+A', '*** End of File').text, 'a\nb\nA\n');
      assert.equal(patched('a\n', '+b').text, 'a\nb\n');
      assert.equal(patched('a', '+b').text, 'a\nb');
      assert.equal(patched('', '+b').text, 'b\n');
    });

    it('not anywhere when it names a place and has no context', () => {
      const { problems } = patched('a\n', '@@ a', '+b');
      assert.match(problems.map(inEnglish).join(), /has no context/u);
    });

    it('to lines that differ in blanks, whose own blanks stay', () => {
      assert.equal(
        patched('if (a) {  \n\tb();\n}\n', ' if (a) {', '-  b();', '+  c();', ' }').text,
        'if (a) {  \n\tc();\n}\n',
      );
    });

    it('nowhere when its lines are not there, and the nearest text is named', () => {
      const { problems } = patched('const total = 1;\n', '-const totals = 2;', '+x');
      assert.match(
        problems.map(inEnglish).join(),
        /does not fit.*at line 1, is:\nconst total = 1;/su,
      );
    });

    it('each by itself: what does not fit is named', () => {
      const { text, problems } = patched(
        'a\nb\nc\n',
        '-a',
        '+A',
        '@@',
        '-x',
        '+y',
        '@@',
        '-c',
        '+C',
      );
      assert.equal(text, 'A\nb\nC\n');
      assert.equal(problems.length, 1);
      assert.match(problems.map(inEnglish).join(), /^Hunk 2 of 3 does not fit/u);
    });
  });

  it('all lines may go', () => {
    assert.equal(patched('a\nb\n', '-a', '-b').text, '');
  });

  it('a final line end comes and goes only as a diff says', () => {
    const diff = (...lines: string[]): readonly Hunk[] =>
      hunksOf(readPatch(['--- a/f', '+++ b/f', '@@ -1 +1 @@', ...lines].join('\n')));
    const marker = '\\ No newline at end of file';
    assert.equal(applyHunks('a\n', diff('-a', '+b', marker)).text, 'b');
    assert.equal(applyHunks('a', diff('-a', marker, '+b')).text, 'b\n');
    assert.equal(applyHunks('a', diff('-a', marker, '+b', marker)).text, 'b');
  });
});

describe('patches, there and back', function () {
  this.timeout(60_000);

  const line = fc.constantFrom('a', 'b', '  b', '', '}', 'é“', '-', '+x', '@@', '\\');
  const text = fc
    .tuple(fc.array(line, { maxLength: 20 }), fc.boolean())
    .map(([lines, ended]) => lines.join('\n') + (ended && lines.length > 0 ? '\n' : ''));
  const windows = (lf: string): string => lf.replaceAll('\n', '\r\n');

  it('a unified diff makes the new text of the old one, byte for byte', () => {
    fc.assert(
      fc.property(text, text, fc.boolean(), (before, after, crlf) => {
        fc.pre(before !== after && before !== '' && after !== '');
        // A text of empty lines only would be context that nobody can tell from nothing.
        const diff = createTwoFilesPatch('a/f', 'b/f', before, after, '', '', { context: 3 });
        const { text: made, problems } = applyHunks(
          crlf ? windows(before) : before,
          hunksOf(readPatch(diff)),
        );
        assert.deepEqual(problems, []);
        if (!crlf) assert.equal(made, after);
        else {
          assert.equal(made.replaceAll('\r\n', '\n'), after);
          if (before.includes('\n')) assert.doesNotMatch(made, /(?:^|[^\r])\n/u);
        }
      }),
      { numRuns: 3000 },
    );
  });

  it('what the patch format makes is the new text, or does not fit; never another text', () => {
    let whole = 0;
    fc.assert(
      fc.property(text, text, (before, after) => {
        const ended = (one: string): string =>
          one === '' || one.endsWith('\n') ? one : `${one}\n`;
        const [from, to] = [ended(before), ended(after)];
        fc.pre(from !== to && from !== '');
        const { hunks } = structuredPatch('f', 'f', from, to, '', '', { context: 1 });
        const lines = hunks.flatMap((hunk) => ['@@', ...hunk.lines]);
        const result = patched(from, ...lines);
        if (result.problems.length === 0) {
          whole += 1;
          assert.equal(result.text, to);
        }
      }),
      { numRuns: 3000 },
    );
    assert.ok(whole > 500, `only ${whole} were applied as a whole`);
  });
});
