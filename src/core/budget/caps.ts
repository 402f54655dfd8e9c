import { type Cap, TOKENS_OF_LEVEL } from '../../domain/budget.ts';
import type { Level } from '../../domain/permissions/level.ts';
import type { SettingKey, Settings } from '../../domain/settings/settings.ts';

type CapKey = Extract<SettingKey, `budget.${string}`>;

/** Every cap and its setting (A2). */
export const CAP_SETTINGS = {
  'budget.runCost': { period: 'run', unit: 'cost' },
  'budget.runTokens': { period: 'run', unit: 'tokens' },
  'budget.runMinutes': { period: 'run', unit: 'minutes' },
  'budget.sessionCost': { period: 'session', unit: 'cost' },
  'budget.sessionTokens': { period: 'session', unit: 'tokens' },
  'budget.sessionMinutes': { period: 'session', unit: 'minutes' },
  'budget.dailyCost': { period: 'day', unit: 'cost' },
  'budget.dailyTokens': { period: 'day', unit: 'tokens' },
  'budget.dailyMinutes': { period: 'day', unit: 'minutes' },
  'budget.monthlyCost': { period: 'month', unit: 'cost' },
  'budget.monthlyTokens': { period: 'month', unit: 'tokens' },
  'budget.monthlyMinutes': { period: 'month', unit: 'minutes' },
} as const satisfies Readonly<Record<CapKey, Pick<Cap, 'period' | 'unit'>>>;

export type CapSetting = keyof typeof CAP_SETTINGS;

export const CAP_KEYS = Object.keys(CAP_SETTINGS) as readonly CapSetting[];

/** The caps in force: those that are set, and the tokens a month of the person's level. */
export function capsOf(settings: Settings): readonly Cap[] {
  return CAP_KEYS.flatMap((key) => {
    const limit = settings(key) || defaultOf(key, settings('identity.defaultLevel'));
    return limit === undefined ? [] : [{ ...CAP_SETTINGS[key], limit }];
  });
}

const defaultOf = (key: CapSetting, level: Level): number | undefined =>
  key === 'budget.monthlyTokens' ? TOKENS_OF_LEVEL[level] : undefined;

/** The setting that holds a cap. */
export function settingOf({ period, unit }: Pick<Cap, 'period' | 'unit'>): CapSetting {
  const key = CAP_KEYS.find(
    (one) => CAP_SETTINGS[one].period === period && CAP_SETTINGS[one].unit === unit,
  );
  return key ?? 'budget.monthlyTokens';
}
