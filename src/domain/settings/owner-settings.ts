import { BUDGET_SETTINGS } from './budget-settings.ts';
import { type Settings, SETTINGS } from './settings.ts';

/** The settings that the agent of an owner may change, each time with the user's approval. */
export const OWNER_SETTINGS = [
  'identity.defaultLevel',
  'identity.guestModules',
  'permissions.rules',
  'personas',
  ...(Object.keys(BUDGET_SETTINGS) as (keyof typeof BUDGET_SETTINGS)[]),
] as const;

export type OwnerSetting = (typeof OWNER_SETTINGS)[number];

/** Returns `true` if a setting of levels differs from its default. */
export const changesLevels = (settings: Settings): boolean =>
  (['identity.defaultLevel', 'identity.guestModules'] as const).some(
    (key) => JSON.stringify(settings(key)) !== JSON.stringify(SETTINGS[key].default),
  );
