import { told, type Told } from '../../../domain/text/told.ts';
/** Paths that people keep from the agent with `.belayignore` files. */
export interface IgnoredPaths {
  /** The rule that keeps a path from the agent, read anew; ask for the name used and the real one. */
  ruleFor(path: string): Promise<IgnoreRule | undefined>;
  /** The rule that keeps one of many paths back, in their order; `undefined`: none is kept back. */
  ruleForAny(paths: readonly string[]): Promise<IgnoreRule | undefined>;
}

export interface IgnoreRule {
  /** The `.belayignore` file, absolute. */
  readonly file: string;
  /** The line in it; absent when the file is there but cannot be read, which keeps everything below it back. */
  readonly pattern?: string;
}

/** The reason for a refusal, in words that go into a sentence after "it" or a name. */
export function ignoredBecause({ file, pattern }: IgnoreRule): Told {
  return pattern === undefined
    ? told`${file} cannot be read or has more than 1,000 lines, 64 KB or (with those above it) 100 wildcards, and until that changes, everything beside it is kept from you`
    : told`the person keeps it from you (${JSON.stringify(pattern)} in ${file})`;
}
