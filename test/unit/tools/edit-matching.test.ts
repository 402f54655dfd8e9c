import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { BelayError } from '../../../src/domain/failure.ts';
import { LineEnds } from '../../../src/core/merge/line-ends.ts';
import { applyReplacements } from '../../../src/core/merge/replacement.ts';
import { inOneGo } from '../../../src/domain/lifetime/steps.ts';
import { findingEdit } from '../../../src/tools/matching/find-edit.ts';
import { applyEditsInSteps } from '../../../src/tools/editing/apply-edits.ts';

const edit = (old_string: string, new_string: string, replace_all?: boolean) => ({
  old_string,
  new_string,
  ...(replace_all === undefined ? {} : { replace_all }),
});

type Edits = readonly ReturnType<typeof edit>[];

function editedText(before: string, edits: Edits, shown: string): string {
  return inOneGo(applyEditsInSteps(before, edits, shown)).text;
}

function problem(before: string, ...edits: Edits): string {
  try {
    editedText(before, edits, 'a.ts');
  } catch (thrown) {
    assert.ok(thrown instanceof BelayError, String(thrown));
    assert.equal(thrown.code, 'invalid');
    return thrown.message;
  }
  return assert.fail('it fitted');
}

describe('edits of a text', () => {
  const fits: readonly (readonly [
    what: string,
    before: string,
    old: string,
    replacement: string,
    after: string,
  ])[] = [
    ['within a line', 'let a = 1;\nlet b = 2;\n', 'a = 1', 'a = 3', 'let a = 3;\nlet b = 2;\n'],
    ['whole lines', 'a\nb\nc\n', 'b\n', 'B\nB2\n', 'a\nB\nB2\nc\n'],
    ['deleting lines', 'a\nb\nc\n', 'b\n', '', 'a\nc\n'],
    ['the end without a line end', 'a\nb', 'b', 'B', 'a\nB'],
    ['adding a final line end', 'a\nb', 'b', 'b\n', 'a\nb\n'],
    ['special characters of replacements', 'cost: x', 'x', '$& $1 $$ \\n', 'cost: $& $1 $$ \\n'],
    ['everything', 'abc', 'abc', '', ''],
    ['CR LF, given with LF', 'a\r\nb\r\nc\r\n', 'a\nb\n', 'A\nB\nB2\n', 'A\r\nB\r\nB2\r\nc\r\n'],
    ['CR LF, given with CR LF', 'a\r\nb\r\n', 'a\r\nb', 'x\r\ny', 'x\r\ny\r\n'],
    [
      'a mixture, each line keeping its end',
      'a\r\nb\nc\r\nd\n',
      'b\nc',
      'B\nC',
      'a\r\nB\nC\r\nd\n',
    ],
    ['inserting into CR LF within a line', 'a\r\nb\r\n', 'b', 'b1\nb2', 'a\r\nb1\r\nb2\r\n'],
    [
      'blanks at the ends of lines',
      'if (x) {  \n  y();\t\n}\n',
      'if (x) {\n  y();\n}',
      'if (x) {\n  z();\n}',
      'if (x) {  \n  z();\t\n}\n',
    ],
    [
      'typographic quotes and dashes',
      'say(“hello” — it’s me)\n',
      `say("hello" - it's me)`,
      'say(1)',
      'say(1)\n',
    ],
    [
      'another indentation, with the new lines indented as there',
      '    if (x) {\n      y();\n    }\n',
      'if (x) {\n  y();\n}',
      'if (x) {\n  z();\n  w();\n}',
      '    if (x) {\n      z();\n      w();\n    }\n',
    ],
    [
      'tabs where blanks were given, by the outer indentation',
      '\tif (x)\n\t  y();\n',
      'if (x)\n  y();',
      'if (x)\n  z();',
      '\tif (x)\n\t  z();\n',
    ],
    [
      'less indentation',
      'a {\n  b\n}\n',
      '    a {\n      b\n    }',
      '    a {\n      c\n    }',
      'a {\n  c\n}\n',
    ],
  ];
  for (const [what, before, old, replacement, after] of fits) {
    it(`fits ${what}`, () => {
      assert.equal(editedText(before, [edit(old, replacement)], 'a.ts'), after);
    });
  }

  it('does several, each on the outcome of the one before', () => {
    assert.equal(
      editedText('a b c', [edit('a', 'x'), edit('x b', 'y'), edit('c', 'z')], 'a.ts'),
      'y z',
    );
  });

  it('replaces all only when told to', () => {
    assert.equal(editedText('x y x', [edit('x', 'z', true)], 'a.ts'), 'z y z');
    assert.match(
      problem('x\ny\nx', edit('x', 'z')),
      /fits 2 places: lines 1, 3\. Give more of the text around/u,
    );
  });

  it('counts places that overlap as several', () => {
    assert.match(problem('aXaXa', edit('aXa', 'b')), /fits 2 places/u);
    assert.match(
      problem('  a\n  b\n  a\n  b\n  a\n', edit('a\nb\na', 'c')),
      /fits 2 places: lines 1, 3/u,
    );
    assert.equal(editedText('aXaXaXa', [edit('aXa', 'b', true)], 'a.ts'), 'bXb');
  });

  it('an ambiguous tolerant match is not written either', () => {
    assert.match(
      problem('  a();\n  b();\n\n    a();\n    b();\n', edit('a();\nb();', 'c();')),
      /fits 2 places: lines 1, 4/u,
    );
  });

  it('does not take another inner structure for another indentation', () => {
    assert.match(problem('  if (x)\n      y();\n', edit('if (x)\n  y();', 'z')), /does not fit/u);
  });

  it('says where the nearest text is', () => {
    const message = problem(
      'one\nfunction total(a, b) {\n  return a + b;\n}\n',
      edit('function total(a, c) {\n  return a + c;\n}', 'x'),
    );
    assert.match(
      message,
      /^Nothing was written to a\.ts\. The edit does not fit.*at line 2, is:\nfunction total\(a, b\) \{\n {2}return a \+ b;\n\}/su,
    );
  });

  it('says when nothing is near', () => {
    assert.match(
      problem('one\ntwo\n', edit('completely different text', 'x')),
      /nothing like its old_string is in the file\. Read the file again/u,
    );
  });

  it('says when the change seems to be made already', () => {
    assert.match(
      problem('a = 2;\n', edit('a = 1;', 'a = 2;')),
      /its new_string is, at line 1\. It may be done already/u,
    );
  });

  it('refuses what changes nothing', () => {
    assert.match(problem('a', edit('a', 'a')), /would change nothing/u);
    assert.match(problem('a\r\nb', edit('a\nb', 'a\r\nb')), /would change nothing/u);
    assert.match(problem('a', edit('a', 'b'), edit('b', 'a')), /cancel each other out/u);
  });

  it('refuses an empty old_string', () => {
    assert.match(problem('abc', edit('', 'x')), /empty old_string.*write_file/u);
  });

  it('makes the edits that fit, and says of each other one what is wrong', () => {
    const edits = [edit('a', 'x'), edit('b', 'y'), edit('q', 'z')];
    const plan = inOneGo(applyEditsInSteps('a\nb\nb\n', edits, 'a.ts'));
    assert.equal(plan.text, 'x\nb\nb\n');
    assert.equal(plan.left, 2);
    assert.match(
      plan.notes[0] ?? '',
      /^1 of 3 edits was made, 2 were not\. Send only what was not/u,
    );
    assert.match(plan.notes[1] ?? '', /^Edit 2 of 3 fits 2 places: lines 2, 3\./u);
    assert.match(plan.notes[2] ?? '', /^Edit 3 of 3 does not fit/u);
  });

  it('writes nothing when none of several fits', () => {
    const message = problem('a\nb\nb\n', edit('b', 'y'), edit('q', 'z'));
    assert.match(message, /^Nothing was written to a\.ts\. Edit 1 of 2 fits 2 places/u);
    assert.match(message, /Edit 2 of 2 does not fit/u);
  });

  describe('by similar lines', () => {
    const before =
      'export function total(items: Item[]) {\n  // what the person wrote here meanwhile\n  const sum = add(items);\n  return sum;\n}\n';
    const given = (comment: string, last: string) =>
      `export function total(items: Item[]) {\n  // ${comment}\n  const sum = add(items);\n  return ${last};\n}`;

    it('keeps the line that differs, makes the change, and says so', () => {
      const plan = inOneGo(
        applyEditsInSteps(
          before,
          [
            edit(
              given('what the person wrote there before', 'sum'),
              given('what the person wrote there before', 'sum + 1'),
            ),
          ],
          'a.ts',
        ),
      );
      assert.equal(plan.text, before.replace('return sum', 'return sum + 1'));
      assert.match(plan.notes.join(''), /was made at line 1, where the text differs a little/u);
    });

    it('does not change a line that is not as it was given', () => {
      assert.match(
        problem(
          before,
          edit(given('what the person wrote there before', 'sum'), given('new words', 'sum')),
        ),
        /does not fit.*The nearest text, at line 1/su,
      );
    });

    it('does not choose between two places that are nearly alike', () => {
      const twice = before + before.replace('meanwhile', 'and').replace('add(items)', 'add(them)');
      assert.match(
        problem(
          twice,
          edit(given('what the person wrote', 'sum'), given('what the person wrote', '0')),
        ),
        /fits 2 places: lines 1, 6\. Give more of the text around the one you mean\.$/u,
      );
    });

    it('does not take few lines for many', () => {
      assert.match(
        problem('const a = 1;\nfoo();\n', edit('const b = 1;\nfoo();', 'x')),
        /does not fit/u,
      );
    });
  });

  it('fits tabs where blanks were given, on every level', () => {
    assert.equal(
      editedText(
        'a {\n\tb {\n\t\tc;\n\t}\n}\n',
        [edit('  b {\n    c;\n  }', '  b {\n    c;\n    if (d) {\n      e;\n    }\n  }')],
        'a.ts',
      ),
      'a {\n\tb {\n\t\tc;\n\t\tif (d) {\n\t\t\te;\n\t\t}\n\t}\n}\n',
    );
    assert.equal(
      editedText('  b {\n    c;\n  }\n', [edit('b {\n\tc;\n}', 'b {\n\td;\n}')], 'a.ts'),
      '  b {\n    d;\n  }\n',
    );
  });

  it('fits other blanks within a line, and leaves the lines alone that are not changed', () => {
    assert.equal(
      editedText(
        'const a   = 1;\nconst bcd = 2;  \nconst e = 3;\n',
        [
          edit(
            'const a = 1;\nconst bcd = 2;\nconst e = 3;',
            'const a = 1;\nconst bcd = 2;\nconst e = 4;',
          ),
        ],
        'a.ts',
      ),
      'const a   = 1;\nconst bcd = 2;  \nconst e = 4;\n',
    );
  });

  it('finds the place in a large file, and what is nearest to none, without delay', () => {
    const text = Array.from(
      { length: 200_000 },
      (_, index) => `const value${index} = compute(${index});`,
    ).join('\n');
    assert.ok(
      editedText(text, [edit('value199999 = compute(199999)', 'x')], 'a.ts').endsWith('const x;'),
    );
    assert.match(
      problem(text, edit('const value5 = computed(5);\nconst value6 = computed(6);', 'x')),
      /at line 6/u,
    );
  });
});

/** Without what the ladder forgives. */
const loose = (given: string): string =>
  given
    .replaceAll(/[“”]/gu, '"')
    .split('\n')
    .map((part) => part.trim().replaceAll(/[ \t]+/gu, ' '))
    .join('\n')
    .trim();

describe('edits of a text, in general', function () {
  this.timeout(60_000);

  const line = fc.string({
    unit: fc.constantFrom('a', 'b', ' ', '\t', '{', '}', '“', 'é', '😀'),
    maxLength: 6,
  });
  const end = fc.constantFrom('\n', '\r\n');
  const textWithEnds = fc
    .tuple(fc.array(fc.tuple(line, end), { maxLength: 12 }), line)
    .map(([lines, last]) => lines.map(([text, ending]) => text + ending).join('') + last);

  it('an exact, unique piece is replaced, and nothing else changes', () => {
    fc.assert(
      fc.property(
        textWithEnds,
        fc.nat(),
        fc.nat(),
        fc.string({ unit: fc.constantFrom('x', 'y', '\n', ' '), maxLength: 8 }),
        (text, from, length, replacement) => {
          const normal = text.replaceAll('\r\n', '\n');
          const start = from % (normal.length + 1);
          const old = normal.slice(start, start + 1 + (length % 10));
          fc.pre(
            old !== '' && old !== replacement && normal.indexOf(old) === normal.lastIndexOf(old),
          );
          const match = inOneGo(findingEdit(normal, edit(old, replacement)));
          assert.equal(match.kind, 'found');
          const after = new LineEnds(text).apply(match.kind === 'found' ? match.replacements : []);
          assert.equal(
            after.replaceAll('\r\n', '\n'),
            normal.slice(0, start) + replacement + normal.slice(start + old.length),
          );
          // Lines before and after the place are the same bytes.
          const before = text
            .split('\n')
            .slice(0, normal.slice(0, start).split('\n').length - 1)
            .join('\n');
          assert.ok(after.startsWith(before));
          const tail = text
            .split('\n')
            .slice(normal.slice(0, start + old.length).split('\n').length)
            .join('\n');
          assert.ok(after.endsWith(tail));
        },
      ),
      { numRuns: 1000 },
    );
  });

  it('never writes when several places fit, and what it writes is always one of the places', () => {
    fc.assert(
      fc.property(textWithEnds, fc.array(line, { minLength: 1, maxLength: 3 }), (text, wanted) => {
        const normal = text.replaceAll('\r\n', '\n');
        const old = wanted.join('\n');
        fc.pre(old.trim() !== '');
        const match = inOneGo(findingEdit(normal, edit(old, 'REPLACED')));
        if (match.kind !== 'found') {
          assert.equal(
            normal.includes(old) && normal.indexOf(old) === normal.lastIndexOf(old),
            false,
          );
          return;
        }
        assert.equal(match.replacements.length, 1);
        assert.equal(normal.indexOf(old), normal.lastIndexOf(old));
        const [place] = match.replacements;
        const replaced = normal.slice(place?.from, place?.to);
        assert.equal(loose(replaced), loose(old));
        const rest = normal.slice(0, place?.from) + normal.slice(place?.to);
        const after = applyReplacements(normal, match.replacements);
        assert.equal(place?.text.trim(), 'REPLACED');
        assert.equal(after.length, rest.length + place.text.length);
      }),
      { numRuns: 1000 },
    );
  });

  it('does to the lines that are there what the edit does to its own, and to no others', () => {
    const name = fc.constantFrom('alpha()', 'beta( x )', 'gamma = “1”', '', 'if (a) {', '}');
    const indent = fc.constantFrom('', '  ', '    ', '\t', '\t\t');
    const trail = fc.constantFrom('', ' ', '\t');
    const fileLine = fc.tuple(indent, name, trail).map((parts) => parts.join(''));
    let tolerant = 0;
    fc.assert(
      fc.property(
        fc.array(fileLine, { minLength: 1, maxLength: 10 }),
        fc.nat(),
        fc.integer({ min: 1, max: 4 }),
        fc.constantFrom('replace', 'insert', 'delete'),
        fc.nat(),
        (lines, from, count, action, where) => {
          const text = lines.join('\n');
          const at = from % lines.length;
          const window = lines.slice(at, at + count);
          // As a model writes it: plain quotes, no blanks at the ends, the outer indentation left out.
          const wanted = window.map((line) => line.replaceAll(/[“”]/gu, '"').trimEnd());
          const outer = /^[ \t]*/u.exec(wanted.find((line) => line !== '') ?? '')?.[0] ?? '';
          fc.pre(wanted.every((line) => line === '' || line.startsWith(outer)));
          const given = wanted.map((line) => line.slice(outer.length));
          fc.pre(given.some((line) => line.trim() !== ''));
          const place = where % given.length;
          const changed =
            action === 'replace'
              ? given.with(place, 'NEW')
              : action === 'insert'
                ? given.toSpliced(place, 0, 'NEW')
                : given.toSpliced(place, 1);
          // A last empty line would read as the end of the line before.
          fc.pre(changed.length > 0 && changed.at(-1) !== '' && given.at(-1) !== '');
          const match = inOneGo(findingEdit(text, edit(given.join('\n'), changed.join('\n'))));
          if (match.kind !== 'found' || match.how === 'exact') return;
          tolerant += 1;
          const after = applyReplacements(text, match.replacements).split('\n');
          // Oracle: the window is the only one that is the same without blanks; all else is untouched.
          const places = lines.flatMap((_, index) =>
            given.every((line, offset) => loose(line) === loose(lines[index + offset] ?? 'none'))
              ? [index]
              : [],
          );
          assert.ok(places.includes((match.lines[0] ?? 0) - 1));
          const start = (match.lines[0] ?? 0) - 1;
          const expected = [
            ...lines.slice(0, start),
            ...changed,
            ...lines.slice(start + given.length),
          ];
          assert.deepEqual(after.map(loose), expected.map(loose));
          assert.deepEqual(after.slice(0, start), lines.slice(0, start));
          assert.deepEqual(after.slice(start + changed.length), lines.slice(start + given.length));
          // What the edit leaves alone keeps every blank.
          const untouched = after.filter((line) => !line.includes('NEW'));
          const rest = [...lines];
          for (const line of untouched) {
            const index = rest.indexOf(line);
            assert.notEqual(index, -1, `${JSON.stringify(line)} was not there`);
            rest.splice(0, index + 1);
          }
        },
      ),
      { numRuns: 2000 },
    );
    assert.ok(tolerant > 100, `only ${tolerant} tolerant matches were tried`);
  });

  it('keeps every byte of a text whose line ends are of both kinds when nothing is replaced', () => {
    fc.assert(
      fc.property(textWithEnds, (text) => {
        assert.equal(new LineEnds(text).apply([]), text);
        assert.equal(new LineEnds(text).text, text.replaceAll('\r\n', '\n'));
      }),
    );
  });
});
