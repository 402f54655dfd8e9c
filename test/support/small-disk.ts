import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

/** A disk of a few megabytes on a folder that is made for it. Throws where this user may not mount one. */
export class SmallDisk implements Disposable {
  readonly folder: string;

  constructor(folder: string, megabytes: number) {
    this.folder = folder;
    fs.mkdirSync(folder, { recursive: true });
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder], {
      stdio: 'ignore',
    });
  }

  static mayBeMade(): boolean {
    const probe = fs.mkdtempSync('/tmp/belay-disk-');
    try {
      new SmallDisk(path.join(probe, 'disk'), 1)[Symbol.dispose]();
      return true;
    } catch {
      console.log('      skipped: this user may not mount a small disk');
      return false;
    } finally {
      fs.rmSync(probe, { recursive: true, force: true });
    }
  }

  /** Takes all the room there is. */
  fill(): void {
    const descriptor = fs.openSync(path.join(this.folder, 'filler'), 'w');
    try {
      for (const size of [65_536, 4096, 512, 1])
        for (;;) if (fs.writeSync(descriptor, Buffer.alloc(size)) < size) break;
    } catch (error) {
      assert.equal((error as NodeJS.ErrnoException).code, 'ENOSPC');
    } finally {
      fs.closeSync(descriptor);
    }
  }

  makeRoom(): void {
    fs.rmSync(path.join(this.folder, 'filler'));
  }

  [Symbol.dispose](): void {
    execFileSync('umount', ['-l', this.folder], { stdio: 'ignore' });
  }
}
