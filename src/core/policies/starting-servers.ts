import { type Told, told } from '../../domain/text/told.ts';
import type { Policy } from '../policy.ts';
import { decide, goOn } from './decisions.ts';

/** The sentence about servers whose tools a run begins without; `undefined`: there are none. */
export function startingNotice(servers: readonly string[]): Told | undefined {
  if (servers.length === 0) return undefined;
  return told`MCP servers that are still starting: ${servers.join(', ')}. Their tools are added when they are ready.`;
}

/** Tells the model a sentence before the first request that this process makes for the run. */
export function tellAtStart(sentence: string): Policy<null> {
  let first: number | undefined;
  return {
    name: 'tell-at-start',
    init: () => null,
    before({ iteration }) {
      first ??= iteration;
      if (iteration !== first) return goOn(null);
      return decide({ kind: 'inject', messages: [sentence] }, null);
    },
  };
}
