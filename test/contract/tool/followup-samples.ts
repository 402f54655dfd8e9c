import type { Sample } from './samples.ts';

export const FOLLOWUP_SAMPLES = {
  cancel_followup: {
    good: { id: 'f1-1' },
    bad: [[{ id: '' }, /"id" needs at least 1/u]],
    changes: true,
    asks: false,
    missing: { id: 'f999-1' },
    needsNoFolder: { id: 'f1-1' },
    prepare: async ({ followUps, rig: { clock } }) => {
      followUps.keep({
        id: 'f1-1',
        sessionId: 's',
        prompt: 'Look again.',
        dueAt: clock.now() + 600_000,
        createdAt: clock.now(),
      });
    },
  },
  schedule_followup: {
    good: { prompt: 'Look whether the build is green.', delay_minutes: 20 },
    bad: [
      [{ prompt: '', delay_minutes: 20 }, /"prompt" needs at least 1/u],
      [{ prompt: 'x', in: '2h' }, /"in"/u],
    ],
    changes: true,
    needsNoFolder: { prompt: 'x', delay_minutes: 20 },
  },
} as const satisfies Readonly<Record<string, Sample>>;
