import assert from 'node:assert/strict';
import {
  environmentText,
  type EnvironmentSnapshot,
} from '../../../src/core/context/prompt/environment.ts';

const plain: EnvironmentSnapshot = { system: 'Linux', date: '2026-11-21', roots: ['/w'] };

describe('environment', () => {
  it('A7: says where, on what, when, and what the person has before them', () => {
    const text = environmentText({
      ...plain,
      editors: ['src/a.ts', 'src/b.ts'],
      selection: { path: 'src/a.ts', fromLine: 3, toLine: 4, text: 'const a = 1;\nconst b = 2;' },
      diagnostics: ['src/a.ts:3 error: no semicolon'],
      journal: 'Objective: port it.',
    });
    assert.equal(
      text,
      `<environment>
Workspace: /w
System: Linux
Date: 2026-11-21

Open editors, the active one first:
- src/a.ts
- src/b.ts

Selected in src/a.ts, lines 3 to 4:
const a = 1;
const b = 2;

Problems shown in the editor:
- src/a.ts:3 error: no semicolon

Run journal, in short (get_run_journal has all):
Objective: port it.
</environment>`,
    );
  });

  it('leaves out what there is not, and says when no folder is open', () => {
    assert.equal(
      environmentText({ ...plain, roots: [] }),
      '<environment>\nNo folder is open.\nSystem: Linux\nDate: 2026-11-21\n</environment>',
    );
  });

  it('A7: is sent again only when it says something new', () => {
    const first = environmentText(plain);
    assert.equal(environmentText(plain, first), undefined);
    assert.ok(environmentText({ ...plain, date: '2026-11-22' }, first) !== undefined);
  });

  it('A7 C10: is bounded: 500 characters of journal, a dozen editors, the middle of a long selection', () => {
    const many = Array.from({ length: 100 }, (_, n) => `item-${n} ${'x'.repeat(2000)}`);
    const text = environmentText({
      ...plain,
      editors: many.map((_, n) => `file-${n}.ts`),
      selection: { path: 'a', fromLine: 1, toLine: 9999, text: 'y'.repeat(1_000_000) },
      diagnostics: many,
      journal: 'z'.repeat(5000),
    });
    assert.ok((text ?? '').length < 14_000, `${text?.length}`);
    assert.equal(text?.match(/- item-\d+ x/g)?.length, 10);
    assert.match(text ?? '', /file-11\.ts/);
    assert.doesNotMatch(text ?? '', /file-12\.ts/);
    assert.match(text ?? '', /characters left out/);
  });
});
