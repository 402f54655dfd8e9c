import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Client } from '../../../src/store/client.ts';
import { CHECK_EVERY } from '../../../src/store/database/health.ts';
import { Maintenance } from '../../../src/store/maintenance-thread.ts';
import { maintain } from '../../../src/store/maintenance.ts';
import type { StoreProblem } from '../../../src/store/rpc.ts';
import { OtherProcess } from '../../contract/store/other-process.ts';
import {
  message,
  session,
  temporaryFolder,
  WORKER,
  PATIENCE,
} from '../../contract/store/support.ts';
import { stampOf } from '../../../src/store/database/paths.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { silentLog } from '../../support/memory-recorder.ts';

describe('store: checks and backups beside the work', function () {
  this.timeout(PATIENCE);
  let folder: ReturnType<typeof temporaryFolder>;
  let file: string;
  let clock: FakeClock;
  let problems: StoreProblem[];
  let client: Client;
  let maintenance: Maintenance;

  const start = () => {
    client = new Client({
      worker: WORKER,
      open: { folder: folder.path, busyTimeoutMs: 1000, at: clock.now() },
      onProblem: (problem) => problems.push(problem),
    });
    maintenance = new Maintenance({
      client,
      clock,
      log: silentLog,
      folder: folder.path,
      worker: WORKER,
      tell: (problem) => problems.push(problem),
    });
    return client.open();
  };

  beforeEach(() => {
    folder = temporaryFolder();
    file = path.join(folder.path, 'belay.db');
    clock = new FakeClock();
    problems = [];
  });
  afterEach(async () => {
    maintenance.dispose();
    await client.close().catch(() => {});
    folder.remove();
  });

  const backups = (): string[] => fs.readdirSync(path.join(folder.path, 'backups')).toSorted();

  it('backs up once a day, whole, and keeps two', async () => {
    assert.equal((await start()).backupDue, true);
    await client.call('commit', [
      { kind: 'session', session: session('s') },
      { kind: 'message', message: message('s', 1) },
    ]);
    for (let day = 0; day < 4; day += 1) {
      await maintenance.run({ check: true, backUp: true });
      clock.jump(86_400_000);
    }
    assert.deepEqual(problems, []);
    assert.deepEqual(backups(), [
      'belay-daily-2026-11-23T00-00-00.db',
      'belay-daily-2026-11-24T00-00-00.db',
    ]);
    const copy = new DatabaseSync(path.join(folder.path, 'backups', backups()[1] ?? ''));
    assert.equal(copy.prepare('SELECT count(*) AS n FROM messages').get()?.['n'], 1);
    copy.close();
  });

  it('is due again after a day, also when the clock went back', async () => {
    await start();
    await maintenance.run({ check: true, backUp: true });
    for (const [jump, due] of [
      [3_600_000, false],
      [86_400_000, true],
      [-3 * 86_400_000, true],
    ] as const) {
      await client.close();
      clock.jump(jump);
      assert.equal((await start()).backupDue, due, `${jump}`);
    }
  });

  it('a small database needs no check later: it was checked when it was opened', async () => {
    assert.equal((await start()).checkDue, false);
  });

  it('a big one is checked later when it was not closed properly, or a week has passed', async () => {
    await start();
    await grow();
    await maintenance.run({ check: true, backUp: false });
    await client.close();
    assert.equal((await start()).checkDue, false, 'closed properly');
    await client.close();
    clock.jump(CHECK_EVERY);
    assert.equal((await start()).checkDue, true, 'a week later');
    await maintenance.run({ check: true, backUp: false });
    await client.close();
    const other = await OtherProcess.start(folder.path);
    assert.equal((await start()).checkDue, false, 'the other window lives');
    await client.close();
    await other.kill();
    assert.equal((await start()).checkDue, true, 'it died');
  });

  it('damage that the check finds is repaired while the store is in use', async () => {
    await start();
    await grow();
    await client.close();
    const descriptor = fs.openSync(file, 'r+');
    fs.writeSync(descriptor, Buffer.alloc(4096, 0x42), 0, 4096, 4096 * 700);
    fs.closeSync(descriptor);
    await start();
    await maintenance.run({ check: true, backUp: true });
    assert.deepEqual(
      problems.map((problem) => problem.kind),
      ['salvaged'],
    );
    assert.ok(!fs.existsSync(path.join(folder.path, 'backups')), 'no backup of a damaged database');
    await client.call('commit', [{ kind: 'session', session: session('t') }]);
  });

  it('a check reports damage and makes no backup', async () => {
    await start();
    await client.close();
    fs.truncateSync(file, 9000);
    const report = await maintain({
      role: 'maintenance',
      folder: folder.path,
      at: 0,
      check: true,
      backUp: true,
    });
    assert.deepEqual([report.damaged, report.checked, report.backup], [true, false, undefined]);
  });

  it('a backup that cannot be written is told, once, and harms nothing', async () => {
    await start();
    const name = `belay-daily-${stampOf(clock.now())}.db`;
    fs.mkdirSync(path.join(folder.path, 'backups', name, 'in the way'), { recursive: true });
    await maintenance.run({ check: true, backUp: true });
    assert.equal(problems[0]?.kind, 'maintenance_failed');
    await client.call('commit', [{ kind: 'session', session: session('t') }]);
  });

  it('commits go on while it runs', async () => {
    await start();
    await grow();
    const running = maintenance.run({ check: true, backUp: true });
    await client.call('commit', [{ kind: 'session', session: session('t') }]);
    await running;
    assert.deepEqual(problems, []);
  });

  /** More than is checked at once. */
  async function grow(): Promise<void> {
    await client.call('commit', [{ kind: 'session', session: session('big') }]);
    const writes = Array.from({ length: 100 }, (_, index) => ({
      kind: 'message' as const,
      message: message('big', index + 1, [
        { type: 'binary', mediaType: 'x', data: 'A'.repeat(100_000) },
      ]),
    }));
    await client.call('commit', writes);
  }
});
