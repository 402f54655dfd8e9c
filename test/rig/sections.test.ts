import assert from 'node:assert/strict';
import { sideBySide } from './lanes.ts';
import { Sections } from './sections.ts';
import { Tally } from './tally.ts';

describe('what jobs print that run side by side', () => {
  let out: string;
  let sections: Sections;
  beforeEach(() => {
    out = '';
    sections = new Sections((text) => (out += text));
  });

  it('stays together: the oldest is seen at once, the others in one piece when they end', () => {
    const [first, second] = [sections.begin('first'), sections.begin('second')];
    first.write('1\n2');
    second.write('a\n');
    assert.equal(out, '\n▶ first\n1\n');
    second.write('b');
    second.close();
    assert.equal(out, '\n▶ first\n1\n\n▶ second\na\nb\n');
    first.write('\n3\n');
    first.close();
    assert.equal(out, '\n▶ first\n1\n\n▶ second\na\nb\n\n▶ first, continued\n2\n3\n');
  });

  it('goes on with the next oldest when the oldest ends', () => {
    const [first, second] = [sections.begin('first'), sections.begin('second')];
    second.write('a\n');
    first.close();
    second.write('b\n');
    assert.equal(out, '\n▶ first\n\n▶ second\na\nb\n');
  });

  it('is all there when the run ends early', () => {
    const [first, second] = [sections.begin('first'), sections.begin('second')];
    first.write('half a line');
    second.write('a\n');
    sections.flush();
    assert.equal(out, '\n▶ first\nhalf a line\n\n▶ second\na\n');
  });
});

describe('the tally', () => {
  const result = { passed: 2, failed: 0, pending: 0, failures: [], files: {} };
  let out: string;
  let tally: Tally;
  const exitCode = process.exitCode;
  beforeEach(() => {
    out = '';
    tally = new Tally((text) => (out += text));
  });
  afterEach(() => {
    process.exitCode = exitCode;
  });

  it('adds up suites in two lanes and names what failed and which files were slow; the numbers come last', async () => {
    const began: string[] = [];
    const suite = (name: string, more: object) => () =>
      tally.suite(name, async (print) => {
        began.push(name);
        print(`in ${name}\n`);
        return { ...result, ...more };
      });
    await sideBySide(
      [
        suite('ui', {
          failed: 1,
          failures: ['opens'],
          errors: ['no window'],
          files: { 'a.test.ts': 900, 'b.test.ts': 12_340 },
        }),
        suite('unit', {}),
        () => tally.suite('broken', () => Promise.reject(new Error('no browser'))),
      ],
      2,
    );
    tally.close();
    assert.deepEqual(began, ['ui', 'unit']);
    assert.match(out, /▶ ui\nin ui\n {2}2 passed, 1 failed \(\d+\.\d s\)\n/u);
    assert.match(out, /▶ broken\n {2}✖ broken: no browser\n/u);
    assert.match(out, /Slowest test files:\n {4}12\.3 s b\.test\.ts\n {5}0\.9 s a\.test\.ts\n/u);
    assert.match(
      out,
      /Failed:\n {2}ui: opens\n {6}no window\n {2}broken: the suite itself, see above\n/u,
    );
    assert.match(out, /\n4 passed, 2 failed\n$/u);
    assert.equal(process.exitCode, 1);
  });

  it('has a last line also when the run is cut short, and counts that as a failure, once', () => {
    let late: (text: string) => void = assert.fail;
    void tally.suite('ui', (print) => {
      late = print;
      return new Promise<never>(() => undefined);
    });
    tally.close('ended early: SIGTERM');
    late('too late\n');
    tally.close();
    assert.match(out, /▶ ui\n\nFailed:\n {2}ended early: SIGTERM\n\n0 passed, 1 failed\n$/u);
  });
});

describe('lanes', () => {
  it('run so many jobs at a time, begun in order', async () => {
    const began: number[] = [];
    const ends = [0, 1, 2].map(() => Promise.withResolvers<void>());
    const all = sideBySide(
      ends.map(({ promise }, index) => () => {
        began.push(index);
        return promise;
      }),
      2,
    );
    assert.deepEqual(began, [0, 1]);
    ends[1]?.resolve();
    await ends[1]?.promise;
    await Promise.resolve();
    await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual(began, [0, 1, 2]);
    for (const { resolve } of ends) resolve();
    await all;
  });
});
