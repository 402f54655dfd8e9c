import type { Given } from '../../../hosts/node/headless/arguments.ts';

/** The program around a command. */
export interface Program {
  /** Of Belay. */
  readonly version: string;
  /** A worker's file: beside the bundle; from source, its source. */
  readonly workerFile: (source: string, bundle: string) => string | URL;
}

/** Carries a command out; gives the exit code. Throws `ArgumentError`. */
export type CarryOut = (given: Given, program: Program) => Promise<number>;
