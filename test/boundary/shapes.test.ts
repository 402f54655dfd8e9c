import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from '../rig/processes.ts';
import { assertNone } from './assert-none.ts';
import { describeTooLarge, LIMITS } from './limits.ts';
import { rooms, shapes } from './shapes.ts';
import { sourceFiles } from './source-graph.ts';

const LARGE = Array.from({ length: LIMITS.classes.limit + 1 }, (_, at) => `m${at}`);
const FILE = 'src/domain/failure.ts';

describe('comments', () => {
  it('begin with their subject', () => {
    const riddles = sourceFiles().flatMap((file) => {
      const code = readFileSync(path.join(root, file), 'utf8');
      const found = code.matchAll(/^ *(?:\/\*\*|\*|\/\/) (?:What|Whether)\b.*/gmu);
      return [...found].map(([line]) => `${file}: ${line.trim()}`);
    });
    assertNone(riddles);
  });
});

describe('folders', () => {
  it('keep within their limit of files', () => {
    assert.ok(rooms().length > 150, 'they are found');
    assertNone(describeTooLarge('folders', rooms()), 'These folders are too large');
  });
});

describe('classes and bags', () => {
  it('keep within their limits of members, inherited ones included', () => {
    const { classes, bags } = shapes();
    assert.ok(classes.length > 200 && bags.length > 100, 'they are found');
    const large = [...describeTooLarge('classes', classes), ...describeTooLarge('bags', bags)];
    assertNone(large, 'These are too large');
  });

  it('may grow by two beyond a recorded count, and a new one only to the plain limit', () => {
    const record = { classes: { Old: 15 }, bags: {}, folders: { 'src/shrunk': 4 } };
    const sizes = (name: string, ...counts: number[]) => counts.map((count) => ({ name, count }));
    assert.deepEqual(describeTooLarge('classes', sizes('Old', 12, 17, 18), record), [
      'Old has 18 public members, 1 too many (limit 17: 15 in test/boundary/limits.json and 2 more). Split it by responsibility.',
    ]);
    assert.deepEqual(describeTooLarge('bags', sizes('NewParts', 12, 14), record), [
      'NewParts has 14 fields, 2 too many (limit 12). Group the fields that travel together.',
    ]);
    assert.deepEqual(describeTooLarge('folders', sizes('src/shrunk', 20, 21), record), [
      'src/shrunk has 21 files, 1 too many (limit 20). Make a sub-folder named for its topic.',
    ]);
  });

  const fields = LARGE.map((name) => `${name}: string;`).join(' ');
  const methods = LARGE.map((name) => `${name}() {}`).join(' ');
  for (const [what, code] of [
    ['class', `export class Large { ${methods} #hidden() {} private own() {} constructor() {} }`],
    ['class', `class Base { ${methods} } class Large extends Base {}`],
    ['bag', `export interface LargeParts { ${fields} }`],
    ['bag', `interface Fields { ${fields} } export interface LargeParts extends Fields {}`],
    ['bag', `export type LargeParts = { ${fields} };`],
    ['bag', `interface Fields { ${fields} } type LargeParts = Pick<Fields, 'm0'> & Fields;`],
  ] as const)
    it(`larger ones are found: ${code.slice(0, 40)}…`, () => {
      const { classes, bags } = shapes({ [FILE]: code });
      const found =
        what === 'class' ? describeTooLarge('classes', classes) : describeTooLarge('bags', bags);
      assert.match(found.at(-1) ?? '', /^Large\w* \(src\/domain\/failure\.ts\) has 13 /u);
    });

  it('the smallest is none of them', () => {
    const code = `interface Fields { ${fields} } type SmallParts = Pick<Fields, 'm0' | 'm1'>;`;
    const small = shapes({ [FILE]: code }).bags.find(({ name }) => name === 'SmallParts');
    assert.equal(small?.count, 2);
  });
});
