import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { BelayError } from '../../../src/domain/failure.ts';
import type { Store } from '../../../src/store/store.ts';
import { message, open, session, temporaryFolder, PATIENCE } from '../../contract/store/support.ts';

/** A file system of a few megabytes; `undefined` where that is not permitted. */
function smallDisk(folder: string, size: string): { remove(): void } | undefined {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', folder], {
      stdio: 'ignore',
    });
    return { remove: () => execFileSync('umount', ['-l', folder], { stdio: 'ignore' }) };
  } catch {
    return undefined;
  }
}

describe('store: a full disk', function () {
  this.timeout(PATIENCE);
  let folder: ReturnType<typeof temporaryFolder>;
  let disk: ReturnType<typeof smallDisk>;
  beforeEach(function () {
    folder = temporaryFolder();
    disk = smallDisk(folder.path, '3m');
    if (disk === undefined) {
      console.log('      skipped: mounting a small tmpfs is not permitted here');
      folder.remove();
      this.skip();
    }
  });
  afterEach(() => {
    disk?.remove();
    folder.remove();
  });

  it('a readable failure that may be tried again, nothing lost, and on it goes after there is room', async () => {
    const store = await open(folder.path);
    await store.recorder.commit([{ kind: 'session', session: session('s') }]);
    const ballast = path.join(folder.path, 'ballast');
    fill(ballast);
    const { kept, refusal } = await writeUntilRefused(store);
    assert.ok(refusal instanceof BelayError, `no refusal after ${kept} messages`);
    assert.equal(refusal.code, 'store');
    assert.deepEqual(refusal.failure.details, { reason: 'disk_full', retryable: true });
    assert.match(refusal.message, /disk .* is full.*make room/);
    // Reading still works, and everything that was promised is there.
    assert.equal((await store.transcripts.messages({ sessionId: 's' })).length, kept);
    store.recorder.draft('s', `m-${kept + 1}`, 'a draft that has to wait');
    await assert.rejects(store.recorder.flush(), BelayError);
    fs.rmSync(ballast);
    await store.recorder.commit([
      { kind: 'message', message: message('s', kept + 1, 'x'.repeat(20_000)) },
    ]);
    await store.close();
    const again = await open(folder.path);
    assert.deepEqual(again.problems, []);
    assert.equal((await again.transcripts.session('s'))?.messageCount, kept + 1);
    assert.deepEqual(await again.transcripts.draftOf('s'), undefined);
    await again.close();
  });

  it('a disk that is full at the start: refused with a sentence; after there is room it opens', async () => {
    await (await open(folder.path)).close();
    const ballast = path.join(folder.path, 'ballast');
    fill(ballast);
    await assert.rejects(open(folder.path), (error: unknown) => {
      assert.ok(error instanceof BelayError);
      assert.equal(error.failure.details?.['reason'], 'disk_full');
      return true;
    });
    fs.rmSync(ballast);
    await (await open(folder.path)).close();
  });

  it('a new store on a disk without any room leaves nothing half made', async () => {
    const ballast = path.join(folder.path, 'ballast');
    fill(ballast);
    await assert.rejects(open(folder.path), BelayError);
    fs.rmSync(ballast);
    const store = await open(folder.path);
    assert.deepEqual(store.problems, []);
    await store.close();
  });
});

/** Messages of 20 kB until one is refused; how many were kept, and why the next was not. */
async function writeUntilRefused(store: Store): Promise<{ kept: number; refusal: unknown }> {
  for (let kept = 0; kept < 500; kept += 1) {
    const next = message('s', kept + 1, 'x'.repeat(20_000));
    const [outcome] = await Promise.allSettled([
      store.recorder.commit([{ kind: 'message', message: next }]),
    ]);
    if (outcome.status === 'rejected') return { kept, refusal: outcome.reason };
  }
  return { kept: 500, refusal: undefined };
}

function fill(file: string): void {
  const descriptor = fs.openSync(file, 'w');
  try {
    for (;;) fs.writeSync(descriptor, Buffer.alloc(4096));
  } catch {
    // Full.
  } finally {
    fs.closeSync(descriptor);
  }
}
