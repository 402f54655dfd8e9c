import type { Sample } from './samples.ts';

const good = { setting: 'budget.usdPerMonth', value: '20' };

export const SETTINGS_SAMPLES = {
  change_settings: {
    good,
    bad: [
      [{ setting: 'permissions.mode', value: 'auto' }, /"setting" must be one of/u],
      [{ setting: 'budget.usdPerMonth', value: '' }, /"value" needs at least 1/u],
    ],
    changes: true,
    attended: true,
    needsNoFolder: good,
    parts: () => ({
      ownerSettings: { write: async () => undefined, areUsed: async () => Promise.resolve(true) },
    }),
  },
} as const satisfies Readonly<Record<string, Sample>>;
