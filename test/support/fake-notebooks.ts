import { existsSync, readFileSync } from 'node:fs';
import type { CellRun, Notebooks } from '../../src/core/ports/editor/notebooks.ts';
import { throwIfAborted } from '../../src/domain/lifetime/abort.ts';
import { BelayError } from '../../src/domain/failure.ts';

/** Takes any file for a notebook of one cell, and plays the kernel: `next` says how the run ends. */
export class FakeNotebooks implements Notebooks {
  readonly ran: string[] = [];
  next: CellRun = {
    started: true,
    success: true,
    order: 1,
    outputs: [{ kind: 'text', text: '3\n' }],
  };

  available(): Promise<boolean> {
    return Promise.resolve(true);
  }

  async source(path: string, number: number): Promise<string> {
    if (!existsSync(path)) throw new BelayError({ code: 'not_found', message: `${path} is gone.` });
    if (number === 1) return readFileSync(path, 'utf8');
    throw new BelayError({
      code: 'invalid',
      message: `${path} has 1 cells; there is no cell ${number}.`,
    });
  }

  async run(path: string, number: number, signal: AbortSignal): Promise<CellRun> {
    throwIfAborted(signal);
    this.ran.push(`${path}#${number}`);
    return this.next;
  }
}
