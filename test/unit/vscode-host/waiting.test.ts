import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { mayWait, WaitingMark } from '../../../src/window/startup/waiting-mark.ts';
import { DAMAGES } from '../../support/damages.ts';

describe('the mark that something waits', () => {
  let data: string;
  let marks: string;

  beforeEach(() => {
    data = fs.mkdtempSync(path.join(os.tmpdir(), 'belay-waiting-'));
    marks = path.join(data, 'waiting');
  });
  afterEach(() => fs.rmSync(data, { recursive: true }));

  it('C8: nothing waits where Belay never was, and after a window was closed in order', () => {
    assert.equal(mayWait(path.join(data, 'never')), false);
    const mark = new WaitingMark(data);
    mark.set();
    assert.equal(mayWait(data), true, 'what ends the process now leaves the mark');
    mark.set();
    mark.clear();
    assert.equal(mayWait(data), false);
  });

  it('C8: the next window takes over what a dead process left, and not what a living one has', () => {
    const { pid } = spawnSync(process.execPath, ['-e', '']);
    fs.mkdirSync(marks);
    for (const name of [String(pid), String(process.ppid), 'no number'])
      fs.writeFileSync(path.join(marks, name), '');
    const mark = new WaitingMark(data);
    mark.set();
    mark.takeOver();
    assert.deepEqual(
      fs.readdirSync(marks).toSorted(),
      [String(process.pid), String(process.ppid)].toSorted(),
    );
  });

  for (const { name, harm } of DAMAGES) {
    it(`damaged, it costs a closer look and nothing else: ${name}`, () => {
      fs.writeFileSync(marks, 'x'.repeat(2000));
      harm(marks);
      const mark = new WaitingMark(data);
      mark.set();
      assert.equal(mayWait(data), true);
      mark.takeOver();
      mark.clear();
      assert.equal(mayWait(data), false);
    });
  }
});
