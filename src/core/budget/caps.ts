import { type Cap, TOKENS_OF_LEVEL } from '../../domain/budget.ts';
import type { Level } from '../../domain/permissions/level.ts';
import type { SettingKey, Settings } from '../../domain/settings/settings.ts';

type CapKey = Extract<SettingKey, `budget.${string}`>;

/** Every cap and its setting (A2). */
export const CAP_SETTINGS = {
  'budget.usdPerRun': { period: 'run', unit: 'cost' },
  'budget.tokensPerRun': { period: 'run', unit: 'tokens' },
  'budget.minutesPerRun': { period: 'run', unit: 'minutes' },
  'budget.usdPerSession': { period: 'session', unit: 'cost' },
  'budget.tokensPerSession': { period: 'session', unit: 'tokens' },
  'budget.minutesPerSession': { period: 'session', unit: 'minutes' },
  'budget.usdPerDay': { period: 'day', unit: 'cost' },
  'budget.tokensPerDay': { period: 'day', unit: 'tokens' },
  'budget.minutesPerDay': { period: 'day', unit: 'minutes' },
  'budget.usdPerMonth': { period: 'month', unit: 'cost' },
  'budget.tokensPerMonth': { period: 'month', unit: 'tokens' },
  'budget.minutesPerMonth': { period: 'month', unit: 'minutes' },
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
  key === 'budget.tokensPerMonth' ? TOKENS_OF_LEVEL[level] : undefined;

/** The setting that holds a cap. */
export function settingOf({ period, unit }: Pick<Cap, 'period' | 'unit'>): CapSetting {
  const key = CAP_KEYS.find(
    (one) => CAP_SETTINGS[one].period === period && CAP_SETTINGS[one].unit === unit,
  );
  return key ?? 'budget.tokensPerMonth';
}
