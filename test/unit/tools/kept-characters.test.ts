import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { inEnglish } from '../../../src/domain/text/told.ts';
import { inOneGo } from '../../../src/domain/lifetime/steps.ts';
import { applyEditsInSteps } from '../../../src/tools/editing/apply-edits.ts';
import { applyHunks } from '../../../src/tools/patch/apply-hunks.ts';

function plan(before: string, old_string: string, new_string: string, replace_all = false) {
  const edits = [{ old_string, new_string, replace_all }];
  return inOneGo(applyEditsInSteps(before, edits, 'a.md'));
}

describe('an edit that fits except for typography and blanks', () => {
  const kept: readonly (readonly [
    what: string,
    before: string,
    old: string,
    made: string,
    after: string,
    kinds: string,
  ])[] = [
    [
      'curly quotes',
      'show(‘It’s here’, 1);\n',
      "show('It's here', 1);",
      "show('It's there', 2);",
      'show(‘It’s there’, 2);\n',
      'quotes',
    ],
    [
      'quotes around words that were all replaced',
      'f(“a”, “b”)\n',
      'f("a", "b")',
      'f("one c", "two d")',
      'f(“one c”, “two d”)\n',
      'quotes',
    ],
    [
      'dashes, also between numbers that were replaced',
      'Pages 10–12 — see\n',
      'Pages 10-12 - see',
      'Pages 20-25 - see',
      'Pages 20–25 — see\n',
      'dashes',
    ],
    ['an ellipsis', 'wait… v1\n', 'wait... v1', 'wait... v2', 'wait… v2\n', 'ellipses'],
    [
      'special spaces',
      '10\u00a0km\u202f: 5\n\u3000x\n',
      '10 km : 5\n x',
      '20 mi : 5\n x',
      '20\u00a0mi\u202f: 5\n\u3000x\n',
      'special spaces',
    ],
    [
      'decomposed letters',
      'cafe\u0301 1\n',
      'café 1',
      'cafés 2',
      'cafe\u0301s 2\n',
      'Unicode composition',
    ],
    [
      'composed Hangul',
      '각 1\n',
      '\u1100\u1161\u11a8 1',
      '\u1100\u1161\u11a8 2',
      '각 2\n',
      'Unicode composition',
    ],
    [
      'blanks within a line and at its end',
      'a   = 1; // c\t\n',
      'a = 1; // c',
      'a = 2; // c!',
      'a   = 2; // c!\t\n',
      'spacing, trailing spaces',
    ],
    [
      'lines around inserted ones',
      '“a”\n“b”\n',
      '"a"\n"b"',
      '"a1"\nnew "x"\n"b1"',
      '“a1”\nnew "x"\n“b1”\n',
      'quotes',
    ],
    [
      'lines around removed ones',
      '“a”\n“b”\n“c”\n',
      '"a"\n"b"\n"c"',
      '"a1"\n"c1"',
      '“a1”\n“c1”\n',
      'quotes',
    ],
    [
      'quotes in lines of another indentation',
      '\tif (x) {\n\t\ty(“1”);\n\t}\n',
      'if (x) {\n  y("1");\n}',
      'if (x) {\n  y("2");\n  z("3");\n}',
      '\tif (x) {\n\t\ty(“2”);\n\t\tz("3");\n\t}\n',
      'quotes, indentation',
    ],
    [
      'the line end of each line',
      '“a”\r\n“b”\n“c”\r\n',
      '"a"\n"b"\n"c"',
      '"A"\n"B"\n"C"',
      '“A”\r\n“B”\n“C”\r\n',
      'quotes',
    ],
  ];
  for (const [what, before, old, made, after, kinds] of kept)
    it(`keeps ${what}, and says what did not match`, () => {
      const { text, notes } = plan(before, old, made);
      assert.equal(text, after);
      assert.deepEqual(notes, [
        `The edit did not match exactly (${kinds}). The file's own characters were kept where old_string and new_string agree.`,
      ]);
    });

  const written: readonly (readonly [
    what: string,
    before: string,
    old: string,
    made: string,
    after: string,
  ])[] = [
    ['curly quotes for straight ones', 'x "a" – y\n', 'x "a" - y', 'x “a” - y', 'x “a” – y\n'],
    ['two dots of three', 'wait… v1\n', 'wait... v1', 'wait.. v1', 'wait.. v1\n'],
    ['a letter without its accent', 'e\u0301 1 x\n', 'é 1 x', 'e 1 x', 'e 1 x\n'],
    [
      'the quotes of another sentence',
      '// It’s done\n',
      "// It's done",
      "const s = 'x';",
      "const s = 'x';\n",
    ],
  ];
  for (const [what, before, old, made, after] of written)
    it(`writes ${what}`, () => {
      assert.equal(plan(before, old, made).text, after);
    });

  it('keeps the characters of each place when it replaces all', () => {
    const { text } = plan('say “it” 1\nx\n say ‟it„ 1\n', 'say "it" 1', 'say "it" 2', true);
    assert.equal(text, 'say “it” 2\nx\n say ‟it„ 1\n');
    const both = plan('  “it” 1\nx\n  „it“ 1\n', '  "it" 1', '  "it" 2', true);
    assert.equal(both.text, '  “it” 2\nx\n  „it“ 2\n');
  });

  it('keeps line ends of both kinds in an exact match', () => {
    assert.equal(plan('a\r\nb\nc\r\nd', 'a\nb\nc', 'A\nB\nC').text, 'A\r\nB\nC\r\nd');
  });

  it('keeps the characters of lines in hundreds of lines that change at once', () => {
    const lines = Array.from({ length: 600 }, (_, index) => `item ${index} – “x${index}” old text`);
    const plain = lines.join('\n').replaceAll('–', '-').replaceAll(/[“”]/gu, '"');
    const { text } = plan(lines.join('\n'), plain, plain.replaceAll('old', 'new'));
    assert.equal(text, lines.join('\n').replaceAll('old', 'new'));
  });

  it('keeps context and the shared part of changed lines in a patch, and says so', () => {
    const lines = [
      { mark: ' ', text: '"a" - b' },
      { mark: '-', text: 'say "it" 1' },
      { mark: '+', text: 'say "it" 2' },
    ] as const;
    const { text, notes } = applyHunks('“a” – b\nsay “it” 1\n', [{ headers: [], lines }]);
    assert.equal(text, '“a” – b\nsay “it” 2\n');
    assert.deepEqual(notes.map(inEnglish), [
      "The hunk did not match exactly (quotes, dashes). The file's own characters were kept where old and new lines agree.",
    ]);
  });

  it('writes the new text, in the characters of the file or in its own', () => {
    const plain = (text: string): string =>
      text
        .normalize('NFC')
        .replaceAll(/[“”]/gu, '"')
        .replaceAll(/[\u00a0 \t]+/gu, ' ')
        .replaceAll(/–/gu, '-')
        .replaceAll('…', '...')
        .replaceAll(/ ?(\n|$) ?/gu, '$1')
        .trim();
    const unit = fc.constantFrom('a', 'be', '“', '"', '–', '…', '.', ' ', '\u00a0', 'e\u0301', 'é');
    const line = fc.string({ unit, minLength: 1, maxLength: 8 });
    let loose = 0;
    fc.assert(
      fc.property(
        fc.array(line, { minLength: 1, maxLength: 4 }),
        fc.array(line, { minLength: 1, maxLength: 4 }),
        (lines, other) => {
          const before = lines.join('\n');
          const old = plain(before);
          const made = plain([...lines.slice(1), ...other].join('\n'));
          fc.pre(old !== made && old.trim() !== '' && !before.includes(old));
          fc.pre(old.split('\n').length === lines.length && !old.startsWith('\n'));
          let text: string;
          try {
            text = plan(before, old, made).text;
          } catch {
            return;
          }
          loose += 1;
          assert.equal(plain(text), made);
        },
      ),
      { numRuns: 2000 },
    );
    assert.ok(loose > 300, `only ${loose} loose matches were tried`);
  });
});
