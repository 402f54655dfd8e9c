import assert from 'node:assert/strict';
import { existsSync, rmSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { BackgroundWindow, isAlive, until } from '../support/background/window.ts';
import { commandOf, Steps } from '../support/background/steps.ts';
import { headlessProgram } from '../support/headless/program.ts';
import type { Turn } from '../support/model-server/turn.ts';
import { SmallDisk } from '../support/small-disk.ts';

/** A run in the background at its third step. @param after its folder is there already */
async function away(steps: Steps, after?: { readonly folder: string }) {
  steps.letGo(1);
  const options = { server: steps.server, ...(after === undefined ? {} : { after }) };
  const window = await BackgroundWindow.open(options);
  const id = await window.test.start('some lines');
  await until('the second step is asked for', () => steps.asked[1] === 1);
  await window.away.handOver(id);
  steps.letGo(2);
  await until('the third step is asked for', () => steps.asked[2] === 1);
  return { window, id, owner: await window.owner(id) };
}

const lastRun = async ({ test }: BackgroundWindow, sessionId: string) =>
  (await test.engine.store.runs.runs({ sessionId })).at(-1);

describe('what goes wrong while a run is in the background', function () {
  this.timeout(60_000);

  before('the program is bundled', async function () {
    this.timeout(180_000);
    await headlessProgram();
  });

  it('the key is refused: the next window says why; nothing is done twice, and nothing is left', async () => {
    const temporary = await mkdtemp(path.join(os.tmpdir(), 'belay-temporary-'));
    const { TMPDIR: before = os.tmpdir() } = process.env;
    const refused: Turn = { error: { status: 401, type: 'authentication_error' } };
    await using steps = await Steps.of(4, (step) => (step < 2 ? commandOf(step) : refused));
    const folder = await mkdtemp(path.join(before, 'belay-engine-'));
    process.env['TMPDIR'] = temporary;
    const { window, id, owner } = await away(steps, { folder });
    process.env['TMPDIR'] = before;
    await using first = window;
    await first.close();
    steps.letGo(Infinity);
    await until('the process has ended', () => !isAlive(owner));
    await using next = await BackgroundWindow.open({ server: steps.server, after: first.test });
    const run = await lastRun(next, id);
    assert.equal(run?.state, 'failed');
    assert.equal(run.end?.failure?.code, 'auth');
    assert.equal(await next.away.of(id), undefined);
    assert.equal(await next.owner(id), undefined);
    assert.deepEqual(await next.lines(), ['step-0', 'step-1']);
    assert.deepEqual(steps.asked, [1, 1, 1]);
    assert.deepEqual(await readdir(temporary), []);
    await rm(temporary, { recursive: true });
    await next.close();
    await rm(folder, { recursive: true });
  });

  it('the workspace is removed: calls fail, the run comes to its end, and nothing is made there', async () => {
    await using steps = await Steps.of(4);
    const { window, id, owner } = await away(steps);
    await using first = window;
    rmSync(first.test.workspace, { recursive: true });
    steps.letGo(Infinity);
    await until('the process has ended', () => !isAlive(owner));
    await until('the window was told', () => first.ended.length === 1);
    const run = await lastRun(first, id);
    assert.ok(run?.state === 'completed' || run?.state === 'failed', run?.state);
    assert.equal(existsSync(first.test.workspace), false);
    assert.equal(await first.owner(id), undefined);
    await assert.rejects(first.away.handOver(id), /No run is on/u);
  });

  it('the data folder is deleted: the process ends before its next command', async () => {
    await using steps = await Steps.of(4);
    const { window: first, owner } = await away(steps);
    // The process may write a file into it meanwhile.
    rmSync(path.join(first.test.folder, 'data'), { recursive: true, maxRetries: 20 });
    steps.letGo(Infinity);
    await until('the process has ended', () => !isAlive(owner));
    assert.deepEqual(await first.lines(), ['step-0', 'step-1']);
    await assert.rejects(first.close(), /was deleted or replaced while Belay worked/u);
    await rm(first.test.folder, { recursive: true });
  });

  it('the disk is full: it waits, and goes on when there is room, with nothing done twice', async function () {
    if (!SmallDisk.mayBeMade()) this.skip();
    const folder = await mkdtemp(path.join(os.tmpdir(), 'belay-engine-'));
    const disk = new SmallDisk(path.join(folder, 'data'), 12);
    await using steps = await Steps.of(4);
    const { window, id, owner } = await away(steps, { folder });
    await using first = window;
    disk.fill();
    steps.letGo(3);
    await delay(1500);
    assert.deepEqual(await first.lines(), ['step-0', 'step-1'], 'nothing that cannot be recorded');
    assert.equal(isAlive(owner), true, 'it waits');
    disk.makeRoom();
    steps.letGo(Infinity);
    await until('the process has ended', () => !isAlive(owner));
    assert.equal((await lastRun(first, id))?.state, 'completed');
    assert.deepEqual(await first.lines(), ['step-0', 'step-1', 'step-2', 'step-3']);
    await first.close();
    disk[Symbol.dispose]();
    await rm(folder, { recursive: true });
  });
});
