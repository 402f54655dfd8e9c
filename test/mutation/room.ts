import { buildSync } from 'esbuild';
import { createHash } from 'node:crypto';
import { cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { root } from '../rig/processes.ts';
import { instrument } from './mutants.ts';
import type { Mutant } from './mutants.ts';

/** A mutant with its file below the top folder. */
export type Placed = Mutant & { readonly file: string };

/** A room's mutants, put into a copy of `src`. */
export interface Room {
  readonly mutants: readonly Placed[];
  readonly tests: readonly string[];
  /** Files of the run, outside of the repository; what is in it stays for the next. */
  readonly folder: string;
  /** Another one when a source or a test of the room has changed. */
  readonly hash: string;
  /** File for what the tests reach. */
  readonly reached: string;
}

/** The tests that a room's mutants are shown to. */
export const ROOMS: Readonly<Record<string, readonly string[]>> = {
  'core/policies': ['test/unit/policies/**', 'test/unit/core/policy-board.test.ts'],
  'core/permissions': [
    'test/unit/permissions/**',
    'test/unit/tool-call/permission.test.ts',
    // Without the attack corpora and remembered-approvals: they take up to a minute for each mutant that survives.
    'test/security/{command-judge,command-edges,found-files,visible-command}.test.ts',
  ],
  'core/review': [
    'test/unit/review/**',
    'test/property/review/**',
    'test/unit/panel/green-changes.test.ts',
    'test/scenario/{evidence,review,transferred-changes}.test.ts',
  ],
  'store/engine': [
    'test/contract/store/**',
    'test/unit/store/**',
    'test/scenario/follow-ups.test.ts',
  ],
};

/** @param only parts of paths: of all tests those that contain one of them */
export function prepare(name: string, only: readonly string[]): Room {
  const folder = path.join(os.tmpdir(), 'belay-mutation', name.replace('/', '-'));
  rmSync(path.join(folder, 'src'), { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  cpSync(path.join(root, 'src'), path.join(folder, 'src'), { recursive: true });
  const hash = createHash('sha256');
  const mutants: Placed[] = [];
  for (const file of globSync(`src/${name}/**/*.ts`, { cwd: root }).toSorted()) {
    const source = readFileSync(path.join(root, file), 'utf8');
    const { code, mutants: own } = instrument(source, mutants.length);
    writeFileSync(path.join(folder, file), code);
    mutants.push(...own.map((mutant) => ({ ...mutant, file })));
    hash.update(source);
  }
  // As one file without types: every worker and process loads it.
  buildSync({
    entryPoints: [path.join(import.meta.dirname, 'load.ts')],
    outfile: path.join(folder, 'load.mjs'),
    bundle: true,
    platform: 'node',
    format: 'esm',
  });
  const tests = (ROOMS[name] ?? [])
    .flatMap((pattern) => globSync(pattern, { cwd: root }))
    .filter((file) => file.endsWith('.test.ts'))
    .filter((file) => only.length === 0 || only.some((part) => file.includes(part)))
    .toSorted()
    .map((file) => path.join(root, file));
  for (const file of tests) hash.update(file).update(readFileSync(file));
  const digest = hash.digest('hex').slice(0, 16);
  const reached = path.join(folder, `reached-${digest}.json`);
  for (const old of globSync(path.join(folder, 'reached-*.json'))) if (old !== reached) rmSync(old);
  return { mutants, tests, folder, hash: digest, reached };
}
