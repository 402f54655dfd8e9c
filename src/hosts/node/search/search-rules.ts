import type { BelayIgnoreRules } from './belay-ignore.ts';

/** What holds for one search, whoever does it. */
export interface SearchRules {
  /** What the person keeps from the agent. */
  readonly ignored: BelayIgnoreRules;
  /** Of ripgrep; also says where the person's own git configuration is. */
  readonly environment: NodeJS.ProcessEnv;
}
