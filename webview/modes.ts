import type { Mode } from '../src/domain/permission-mode.ts';

/** What a mode is called and looks like. */
export interface ModeFace {
  readonly value: Mode;
  readonly label: string;
  readonly short: string;
  readonly symbol: string;
  readonly description: string;
}

export const MODE_FACES: readonly ModeFace[] = [
  {
    value: 'read',
    label: 'Read only',
    short: 'Read',
    symbol: 'eye',
    description: 'Reads and searches. Changes nothing.',
  },
  {
    value: 'plan',
    label: 'Plan first',
    short: 'Plan',
    symbol: 'checklist',
    description: 'Reads and searches, then proposes a plan.',
  },
  {
    value: 'ask',
    label: 'Ask first',
    short: 'Ask',
    symbol: 'shield',
    description: 'Proposes edits for review; asks before commands.',
  },
  {
    value: 'edit',
    label: 'Edit freely',
    short: 'Edit',
    symbol: 'edit',
    description: 'Edits the workspace; asks before commands.',
  },
  {
    value: 'auto',
    label: 'By your rules',
    short: 'Auto',
    symbol: 'law',
    description: 'Edits; your rules decide about the rest, unknown things are asked.',
  },
];

export function modeFace(mode: Mode): ModeFace {
  const face = MODE_FACES.find(({ value }) => value === mode);
  if (face === undefined) throw new Error(`The mode ${mode} has no face.`);
  return face;
}
