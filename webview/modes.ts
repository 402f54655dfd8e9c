import * as l10n from '@vscode/l10n';
import { type Mode, MODE_WORDS, MODES } from '../src/domain/permissions/permission-mode.ts';

/** The name and look of a mode. */
export interface ModeFace {
  readonly value: Mode;
  readonly label: string;
  readonly symbol: string;
  readonly description: string;
}

const SYMBOLS: Readonly<Record<Mode, string>> = {
  read: 'eye',
  plan: 'checklist',
  ask: 'shield',
  edit: 'edit',
  auto: 'law',
};

export function modeFace(mode: Mode): ModeFace {
  const { name, does } = MODE_WORDS[mode];
  return { value: mode, label: l10n.t(name), symbol: SYMBOLS[mode], description: l10n.t(does) };
}

/** All modes, from the strictest to the mildest. */
export const MODE_FACES: readonly ModeFace[] = MODES.map(modeFace);
