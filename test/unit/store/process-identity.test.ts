import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  birthCommand,
  birthIn,
  bootId,
  identityOf,
  livenessOf,
  ownIdentity,
  seemsAlive,
  systemTable,
  type ProcessTable,
} from '../../../src/store/process-identity.ts';

const table = (more: Partial<ProcessTable> = {}): ProcessTable => ({
  bootId: 'boot|-|machine',
  birthOf: () => Promise.resolve('Sat Nov 21 20:00:00 2026'),
  exists: () => true,
  ...more,
});

const someone = { processId: 4711, birth: 'Sat Nov 21 20:00:00 2026', bootId: 'boot|-|machine' };

describe('store: identity of processes', () => {
  it('this process is alive, under an identity that stays', async () => {
    const own = await ownIdentity();
    assert.equal(own.processId, process.pid);
    assert.deepEqual(await ownIdentity(), own);
    assert.equal(await livenessOf(own), 'alive');
    assert.equal(seemsAlive(own), true);
  });

  it('a child is alive until it ends; a zombie has ended', async function () {
    if (process.platform === 'win32') this.skip();
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
    const identity = await identityOf(child.pid ?? 0);
    assert.ok(identity);
    assert.equal(await livenessOf(identity), 'alive');
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
    assert.equal(await livenessOf(identity), 'dead');
    assert.equal(seemsAlive(identity), false);
    assert.equal(await identityOf(identity.processId), undefined);
    assert.equal(birthIn('12 (a (strange) name) Z 1 2 3'), undefined);
  });

  it('finds field 22 behind any name', () => {
    const fields = Array.from({ length: 30 }, (_, index) => String(index + 4));
    assert.equal(birthIn(`12 (node) S ${fields.join(' ')}`), '22');
    assert.equal(birthIn(`12 (a) b) (c) R ${fields.join(' ')}`), '22');
  });

  it('a reused id with another birth is dead', async () => {
    assert.equal(await livenessOf({ ...someone, birth: 'earlier' }, table()), 'dead');
    assert.equal(await livenessOf(someone, table()), 'alive');
  });

  it('an id that does not exist is dead without asking further', async () => {
    const asked = table({
      exists: () => false,
      birthOf: () => assert.fail('nothing is started for a process that is gone'),
    });
    assert.equal(await livenessOf(someone, asked), 'dead');
  });

  it('where the birth cannot be told, a process that exists counts as alive', async () => {
    assert.equal(
      await livenessOf(someone, table({ birthOf: () => Promise.resolve('unknown') })),
      'alive',
    );
    assert.equal(await livenessOf({ ...someone, birth: 'unknown' }, table()), 'alive');
  });

  it('after a reboot everybody of before is dead; elsewhere nobody can be looked at', async () => {
    const rebooted = { ...someone, bootId: 'before|-|machine' };
    assert.equal(await livenessOf(rebooted, table()), 'dead');
    const container = { ...someone, bootId: 'boot|pid:[1]|machine' };
    assert.equal(await livenessOf(container, table()), 'elsewhere');
    const faraway = { ...someone, bootId: 'other|-|elsewhere' };
    assert.equal(await livenessOf(faraway, table()), 'elsewhere');
    assert.equal(seemsAlive({ ...someone, bootId: `x${bootId()}x` }), true);
  });

  it('asks for a birth with programs of the system only, in one language and time zone', () => {
    const [ps, args] = birthCommand('darwin', 12);
    assert.equal(ps, '/bin/ps');
    assert.deepEqual(args, ['-o', 'lstart=', '-p', '12']);
    const [shell, script] = birthCommand('win32', 12);
    assert.match(shell, /^[A-Z]:\\.*\\powershell\.exe$/);
    assert.match(script.join(' '), /Get-Process -Id 12 .*ToFileTimeUtc/);
  });

  it('`ps` tells a birth that stays the same, as it is asked on macOS', function () {
    if (process.platform === 'win32') this.skip();
    const [ps, args] = birthCommand('darwin', process.pid);
    const ask = (): string =>
      spawnSync(ps, args, { env: { LC_ALL: 'C', TZ: 'UTC' }, encoding: 'utf8' }).stdout?.trim() ??
      '';
    const birth = ask();
    if (birth === '') this.skip();
    assert.match(birth, /\d{4}$/);
    assert.equal(ask(), birth);
  });

  it('the table of this system knows this process', async () => {
    const system = systemTable();
    assert.equal(system.exists(process.pid), true);
    assert.ok(await system.birthOf(process.pid));
    assert.equal(system.exists(2 ** 22 + 1), false);
  });
});
