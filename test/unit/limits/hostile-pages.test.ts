import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempDisposableSync, readFileSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { oneAnswer } from '../../../src/hosts/node/isolated/one-answer.ts';
import { readPage } from '../../../src/hosts/node/web/read-page.ts';
import type { PageText } from '../../../src/core/ports/web.ts';
import { longestBlock } from '../../bench/tools/longest-block.ts';
import { HOSTILE_PAGES, pageOf } from './hostile-pages.ts';
import { unitOfWork } from './hostile-texts.ts';

const MOST = Math.max(60, 6 * unitOfWork());

const ONE_ANSWER = new URL('../../../src/hosts/node/isolated/one-answer.ts', import.meta.url);

/** @param time milliseconds for the whole page, and again for its beginning */
async function read(html: string, time: number): Promise<PageText> {
  return readPage(pageOf(html), 1000, new AbortController().signal, time);
}

describe('nothing blocks the host: a page of 5 MB', function () {
  this.timeout(240_000);

  for (const [what, html] of Object.entries(HOSTILE_PAGES))
    it(`of ${what} is read in a process, and ended there when it takes too long`, async () => {
      const block = await longestBlock(() => read(html(), 300).catch(() => undefined));
      assert.ok(block <= MOST, `${Math.round(block)} ms of at most ${Math.round(MOST)}`);
    });

  it('that takes too long is read at its beginning, and that is said', async () => {
    const { text, readBytes } = await read(
      `<body><h1>Numbers</h1><p>one</p><!--${' '.repeat(260_000)}-->${'<table>'.repeat(500_000)}`,
      8000,
    );
    assert.match(text, /^Numbers/u);
    assert.equal(readBytes, 250_000);
  });

  it('that takes too long at its beginning, too, is refused in a sentence', async () => {
    await assert.rejects(read('<table><tr><td colspan=100000000>a</td></tr></table>', 300), {
      code: 'tool',
      message:
        'The page cannot be made into text (it takes too long): it is nested too deeply, or has tables that are too large. Look for a plain version of it, or go another way.',
    });
  });
});

describe('a process that answers one question', function () {
  this.timeout(60_000);

  /** A file of a folder that goes with the test. */
  const file = (folder: string, name: string, text: string): string => {
    writeFileSync(path.join(folder, name), text);
    return path.join(folder, name);
  };

  it('ends alone when it has no memory left', async () => {
    using folder = mkdtempDisposableSync(path.join(os.tmpdir(), 'belay-isolated-'));
    const worker = file(
      folder.path,
      'worker.mjs',
      `import { parentPort } from 'node:worker_threads';
       parentPort.once('message', () => { for (const all = []; ; ) all.push(new Array(1e6).fill(all.length)); });`,
    );
    const { signal } = new AbortController();
    await assert.rejects(oneAnswer(worker, {}, { memory: 32, signal }), /memory/u);
  });

  it('ends with whoever asked', async () => {
    using folder = mkdtempDisposableSync(path.join(os.tmpdir(), 'belay-isolated-'));
    const worker = file(
      folder.path,
      'worker.mjs',
      `import { writeFileSync } from 'node:fs';
       import { parentPort } from 'node:worker_threads';
       parentPort.once('message', ({ kept }) => { writeFileSync(kept, String(process.pid)); for (;;); });`,
    );
    const kept = path.join(folder.path, 'pid');
    const asker = file(
      folder.path,
      'asker.mjs',
      `import { existsSync } from 'node:fs';
       import { oneAnswer } from ${JSON.stringify(ONE_ANSWER.href)};
       const { signal } = new AbortController();
       void oneAnswer(${JSON.stringify(worker)}, { kept: ${JSON.stringify(kept)} }, { memory: 32, signal });
       setInterval(() => { if (existsSync(${JSON.stringify(kept)})) process.kill(process.pid, 'SIGKILL'); }, 10);`,
    );
    spawnSync(process.execPath, [asker]);
    const pid = Number(readFileSync(kept, 'utf8'));
    while (lives(pid)) await sleep(20);
  });
});

function lives(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
