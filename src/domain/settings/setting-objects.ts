import { ADVANCED_SETTINGS } from './advanced-settings.ts';
import { BUDGET_SETTINGS } from './budget-settings.ts';

/**
 * Objects that hold several settings: `budget.usdPerRun` is the property `usdPerRun` of `belay.budget`.
 * Both are read from the user's own settings only: VS Code knows no scope for a property.
 */
export const SETTING_OBJECTS = {
  budget: {
    description:
      'What runs may use, per run, session, day and 30 days. `0`: no limit. A run that reaches a limit pauses and asks you.',
    properties: BUDGET_SETTINGS,
  },
  advanced: {
    description: 'Timeouts, retries and limits that hardly anyone changes.',
    properties: ADVANCED_SETTINGS,
  },
} as const;

export type SettingObject = keyof typeof SETTING_OBJECTS;

export const SETTING_OBJECT_NAMES = Object.keys(SETTING_OBJECTS) as readonly SettingObject[];

/** Finds the object that holds a setting, and the setting's property there. */
export function findSettingObject(
  key: string,
): { readonly object: SettingObject; readonly property: string } | undefined {
  const object = SETTING_OBJECT_NAMES.find((name) => key.startsWith(`${name}.`));
  return object === undefined ? undefined : { object, property: key.slice(object.length + 1) };
}

/** Returns the key under which VS Code knows a setting, or the object that holds it. */
export const toDeclaredKey = (key: string): string => findSettingObject(key)?.object ?? key;
