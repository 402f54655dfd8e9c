import type { Mode, Tool } from '../tool-call/tool-call.ts';
import type { Verdict } from './decision.ts';
import type { JudgedPath } from './path-guard.ts';

/** A mode's answer to a tool that stays within the workspace. */
export const BY_MODE: Record<Mode, Record<Tool['permission'], Verdict>> = {
  read: { none: 'allow', edit: 'refuse', execute: 'refuse' },
  plan: { none: 'allow', edit: 'refuse', execute: 'refuse' },
  ask: { none: 'allow', edit: 'ask', execute: 'ask' },
  edit: { none: 'allow', edit: 'allow', execute: 'ask' },
  auto: { none: 'allow', edit: 'allow', execute: 'ask' },
};

type Place = Exclude<JudgedPath['place'], 'inside'>;

/** A mode's answer to a path in a special place; the strictest answer counts. */
export const BY_PLACE: Record<Mode, Record<Place, Record<JudgedPath['access'], Verdict>>> = {
  read: places({ outside: ['ask', 'refuse'], config: ['allow', 'refuse'] }),
  plan: places({ outside: ['ask', 'refuse'], config: ['allow', 'refuse'] }),
  ask: places({ outside: ['ask', 'ask'], config: ['allow', 'ask'] }),
  edit: places({ outside: ['ask', 'ask'], config: ['allow', 'ask'] }),
  auto: places({ outside: ['ask', 'ask'], config: ['allow', 'ask'] }),
};

function places(
  table: Record<'outside' | 'config', readonly [Verdict, Verdict]>,
): Record<Place, Record<JudgedPath['access'], Verdict>> {
  return {
    outside: { read: table.outside[0], write: table.outside[1] },
    config: { read: table.config[0], write: table.config[1] },
    // Secrets that are read there open doors elsewhere.
    secret: { read: 'ask', write: table.config[1] },
    forbidden: { read: 'refuse', write: 'refuse' },
  };
}
