import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { BelayError } from '../../../src/domain/failure.ts';
import type { LogLevel } from '../../../src/window/log/host-log.ts';
import { HostLog } from '../../../src/window/log/host-log.ts';
import { LogFile } from '../../../src/window/log/log-file.ts';

function opened(level: () => LogLevel): { log: HostLog; file: string[]; channel: string[] } {
  const file: string[] = [];
  const channel: string[] = [];
  const into = (name: LogLevel) => (line: string) => void channel.push(`${name}: ${line}`);
  const log = new HostLog(
    {
      channel: {
        error: into('error'),
        warn: into('warn'),
        info: into('info'),
        debug: into('debug'),
      },
      file: { append: (line) => void file.push(line) },
    },
    level,
    () => 0,
  );
  return { log, file, channel };
}

describe('the log (E9)', () => {
  it('E9: the setting decides what the file gets, at each line; the channel gets all', () => {
    let level: LogLevel = 'warn';
    const { log, file, channel } = opened(() => level);
    log.info('one');
    log.warn('two');
    level = 'debug';
    log.debug('three', { turns: 2 });
    assert.deepEqual(file, [
      '1970-01-01T00:00:00.000Z [warn] two',
      '1970-01-01T00:00:00.000Z [debug] three {"turns":2}',
    ]);
    assert.deepEqual(channel, ['info: one', 'warn: two', 'debug: three {"turns":2}']);
  });

  it('E9: no secret reaches either sink, whether known or known by its form', () => {
    const { log, file, channel } = opened(() => 'debug');
    log.hide('hunter2-hunter2');
    log.info('key hunter2-hunter2', { header: 'Bearer abcdefghijklmnop' });
    log.error('failed', new Error('401 for sk-ant-api03-AAAABBBBCCCCDDDD'));
    const all = [...file, ...channel].join('\n');
    for (const secret of ['hunter2', 'abcdefghijklmnop', 'sk-ant-api03']) {
      assert.equal(all.includes(secret), false, `${secret} was written`);
    }
    assert.match(all, /401 for \[secret\]/);
  });

  it('A14: an error is written with its stack, its code and its causes', () => {
    const { log, file } = opened(() => 'error');
    log.error(
      'The run broke.',
      new BelayError({ code: 'store', message: 'Disk full.' }, { cause: new Error('ENOSPC') }),
    );
    assert.match(file[0] ?? '', /The run broke\. \[store\] BelayError: Disk full\.\n +at /);
    assert.match(file[0] ?? '', /Caused by: Error: ENOSPC/);
  });
});

describe('LogFile', function () {
  // Making and renaming files waits for whatever else the disk has to write down.
  this.timeout(60_000);

  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'belay-log-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('keeps the order of lines and makes its folder', async () => {
    const file = new LogFile(path.join(folder, 'logs', 'belay.log'));
    for (let line = 0; line < 50; line += 1) file.append(`line ${line}`);
    await file.flush();
    file.append('last');
    await file.flush();
    const lines = (await readFile(file.path, 'utf8')).trimEnd().split('\n');
    assert.deepEqual(lines, [...Array.from({ length: 50 }, (_, line) => `line ${line}`), 'last']);
  });

  it('never grows beyond two files', async () => {
    const file = new LogFile(path.join(folder, 'belay.log'), 100);
    // Two lines are more than a file may have: the third begins the second file, the fifth the third.
    for (let line = 1; line <= 5; line += 1) {
      file.append(`${line}`.repeat(60));
      await file.flush();
    }
    assert.deepEqual((await readdir(folder)).toSorted(), ['belay.log', 'belay.log.1']);
    const lines = async (name: string): Promise<string> =>
      (await readFile(path.join(folder, name), 'utf8')).replaceAll(/(.)\1*\n/gu, '$1');
    assert.deepEqual([await lines('belay.log.1'), await lines('belay.log')], ['34', '5']);
  });

  it('survives a folder that cannot be made', async () => {
    await writeFile(path.join(folder, 'taken'), '');
    const file = new LogFile(path.join(folder, 'taken', 'belay.log'));
    file.append('line');
    await file.flush();
    assert.deepEqual(await readdir(folder), ['taken']);
  });
});
