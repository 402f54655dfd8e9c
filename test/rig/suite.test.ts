import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { judge, runSuite } from './suite.ts';

describe('the judgement of a suite', () => {
  const result = { passed: 3, failed: 0, pending: 0, failures: [], files: {} };
  const good = { ...result, ended: true };

  it('takes the numbers of a suite that ended well', () => {
    const quiet = (): void => assert.fail('there is nothing to say');
    assert.deepEqual(judge(good, 0, quiet), result);
    assert.deepEqual(judge({ ...good, passed: 2, failed: 1 }, 1, quiet).failed, 1);
  });

  for (const [why, notes, code] of [
    ['ran no test', { ...good, passed: 0, pending: 2 }, 0],
    ['broke off before it reported', undefined, 1],
    ['ended with an error outside of tests', good, 7],
    ['left something running', good, 'leak'],
    ['did not end', { ...good, ended: false }, 'limit'],
  ] as const) {
    it(`counts one failure when the suite ${why}`, () => {
      const said: string[] = [];
      assert.equal(judge(notes, code, (line) => said.push(line)).failed, 1);
      assert.equal(said.length, 1);
    });
  }

  for (const code of ['limit', 9] as const) {
    it(`counts what was done until then, and names the test, when it broke off (${code})`, () => {
      const said: string[] = [];
      const broken = {
        ...good,
        ended: false,
        failed: 1,
        failures: ['a'],
        running: 'the stuck one',
      };
      const judged = judge(broken, code, (line) => said.push(line));
      assert.deepEqual(judged, { ...result, failed: 2, failures: ['a'] });
      assert.match(said.join(), /in: the stuck one$/u);
    });
  }
});

describe('a suite in a process of its own', () => {
  let folder: string;
  const verbose = process.env['BELAY_TEST_VERBOSE'];
  beforeEach(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'belay-suite-'));
  });
  afterEach(async () => {
    if (verbose !== undefined) process.env['BELAY_TEST_VERBOSE'] = verbose;
    await rm(folder, { recursive: true, force: true });
  });

  const suite = async (text: string): Promise<Awaited<ReturnType<typeof runSuite>> & object> => {
    const file = path.join(folder, 'case.test.mjs');
    await writeFile(file, text.replaceAll('FOLDER', folder));
    let printed = '';
    delete process.env['BELAY_TEST_VERBOSE'];
    const result = await runSuite('case', (more) => (printed += more), [], [file]);
    await writeFile(path.join(folder, 'printed.txt'), printed);
    assert.ok(result !== null);
    return result;
  };
  const printed = (): Promise<string> => readFile(path.join(folder, 'printed.txt'), 'utf8');

  it('tells each error once, with its place and circumstances, and the time of the file', async () => {
    const { passed, failed, failures, files } = await suite(`
      let times = 0;
      it('is broken', () => { throw new Error('no bread', { cause: new Error('no flour') }); });
      it('wavers', () => { times += 1; if (times < 2) throw new Error('at ' + times); });
      it('is well', () => new Promise((resolve) => setTimeout(resolve, 20)));`);
    assert.deepEqual({ passed, failed }, { passed: 1, failed: 2 });
    assert.deepEqual(failures, ['is broken', 'wavers']);
    assert.ok((Object.values(files)[0] ?? 0) > 19);
    const text = await printed();
    for (const one of [
      /✖ is broken\n {4}no bread\n {6}at .*case\.test\.mjs:3[^]*because of: no flour/u,
      /case\.test\.mjs, after \d+ ms; load \d+\.\d on \d+ processors/u,
      /✖ wavers\n {4}at 1/u,
      /\d+\.\d s .*case\.test\.mjs\n/u,
    ])
      assert.match(text, one);
    assert.doesNotMatch(text, /is well|node_modules/u);
  });

  it('tells what keeps the process alive after the last test', async () => {
    const { passed, failed } = await suite(`
      it('leaves a timer', () => { setTimeout(() => undefined, 3000); });`);
    assert.deepEqual({ passed, failed }, { passed: 1, failed: 0 });
    assert.match(await printed(), /still open: .*1 × Timeout/u);
  }).timeout(30_000);

  it('keeps its counts when it breaks off, and names the test at which it did', async () => {
    const { passed, failed } = await suite(`
      it('is well', () => undefined);
      it('takes everything down', () => process.kill(process.pid, 'SIGKILL'));`);
    assert.deepEqual({ passed, failed }, { passed: 1, failed: 1 });
    assert.match(
      await printed(),
      /the suite broke off \(exit code 1\), in: takes everything down/u,
    );
  });
});
