import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from '../rig/processes.ts';
import { MOST_FILES, MOST_MEMBERS, rooms, type Shape, shapes } from './shapes.ts';
import { sourceFiles } from './source-graph.ts';

const LARGE = Array.from({ length: MOST_MEMBERS + 1 }, (_, at) => `m${at}`);
const FILE = 'src/domain/failure.ts';

describe('comments', () => {
  it('begin with their subject', () => {
    const riddles = sourceFiles().flatMap((file) => {
      const code = readFileSync(path.join(root, file), 'utf8');
      const found = code.matchAll(/^ *(?:\/\*\*|\*|\/\/) (?:What|Whether)\b.*/gmu);
      return [...found].map(([line]) => `${file}: ${line.trim()}`);
    });
    assert.deepEqual(riddles, []);
  });
});

describe('folders', () => {
  it('have at most twenty files beside each other', () => {
    assert.ok(rooms().length > 150, 'they are found');
    const large = rooms().filter(({ count }) => count > MOST_FILES);
    assert.deepEqual(large, []);
  });
});

describe('classes and bags', () => {
  it('have at most twelve members, inherited ones included', () => {
    const { classes, bags } = shapes();
    assert.ok(classes.length > 200 && bags.length > 100, 'they are found');
    assert.deepEqual(tooLarge(classes), []);
    assert.deepEqual(tooLarge(bags), []);
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
      const found = tooLarge(what === 'class' ? classes : bags).at(-1);
      assert.match(found ?? '', /^13 Large/u);
    });

  it('the smallest is none of them', () => {
    const code = `interface Fields { ${fields} } type SmallParts = Pick<Fields, 'm0' | 'm1'>;`;
    const small = shapes({ [FILE]: code }).bags.find(({ name }) => name.startsWith('SmallParts'));
    assert.equal(small?.count, 2);
  });
});

const tooLarge = (all: readonly Shape[]): readonly string[] =>
  all.flatMap(({ name, count }) => (count > MOST_MEMBERS ? [`${count} ${name}`] : []));
