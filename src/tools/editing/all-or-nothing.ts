import { BelayError, fault, failureOf } from '../../domain/failure.ts';
import { sameBytes } from '../../domain/data/same-bytes.ts';
import { throwIfAborted } from '../../domain/lifetime/abort.ts';
import { told } from '../../domain/text/told.ts';
import type { ToolContext } from '../../core/tool-call/tool-call.ts';
import type { ToolDisk } from '../tool-parts.ts';
import { originOf } from './write-edit.ts';

/** A step of a change of several files. */
export interface FileStep<Result> {
  /** Absolute, without links: the files that the step may change. */
  readonly paths: readonly string[];
  run(): Promise<Result>;
}

/** A file before a step. */
interface Before {
  readonly path: string;
  /** Absent: there was no file. */
  readonly bytes?: Uint8Array;
  readonly mode: number;
}

/**
 * Runs the steps in order. When one fails, or the run is stopped, every file gets the bytes back that it had.
 * @throws what the failing step throws; `tool` when a file could not be put back, which the message names
 */
export async function runAllOrNothing<Result>(
  { files }: Pick<ToolDisk, 'files'>,
  steps: readonly FileStep<Result>[],
  context: ToolContext,
): Promise<readonly Result[]> {
  const before: Before[] = [];
  const results: Result[] = [];
  try {
    for (const step of steps) {
      throwIfAborted(context.signal);
      for (const path of step.paths) before.push(await readBefore(files, path));
      results.push(await step.run());
    }
    return results;
  } catch (thrown) {
    for (const one of before.toReversed())
      await putBack(files, one, context).catch((problem: unknown) => {
        throw fault(
          'tool',
          told`A change of several files failed: ${failureOf(thrown).message} ${one.path} could not be put back: ${failureOf(problem).message}`,
        );
      });
    throw thrown;
  }
}

async function readBefore(files: ToolDisk['files'], path: string): Promise<Before> {
  const stat = await files.stat(path);
  if (stat === undefined) return { path, mode: 0 };
  return { path, bytes: await files.read(path), mode: stat.executable === true ? 0o755 : 0o644 };
}

async function putBack(
  files: ToolDisk['files'],
  { path, bytes, mode }: Before,
  context: ToolContext,
): Promise<void> {
  const now = await readIfThere(files, path);
  const origin = originOf(context);
  if (bytes === undefined) {
    if (now !== undefined) await files.delete(path, origin);
  } else if (now === undefined || !sameBytes(now, bytes))
    await files.write(path, bytes, { exact: true, replaces: now ?? 'nothing', mode, ...origin });
}

async function readIfThere(
  files: ToolDisk['files'],
  path: string,
): Promise<Uint8Array | undefined> {
  try {
    return await files.read(path);
  } catch (thrown) {
    if (thrown instanceof BelayError && thrown.code === 'not_found') return undefined;
    throw thrown;
  }
}
