import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import type { Clock } from '../../../src/core/ports/clock.ts';
import { SystemClock } from '../../../src/hosts/node/clock.ts';
import { Stage } from '../../unit/panel/stage.ts';
import { history, session } from './fixture-session.ts';
import type { Look, PreviewPage } from './preview.ts';
import type { Scene } from './scenes.ts';
import { sharedPreview } from './shared-preview.ts';

/** A session with a few messages, as it is on most stages. */
export function oneSession(stage: Stage): void {
  session(stage);
  history(stage);
}

interface Opening extends Partial<Look> {
  readonly clock?: Clock;
  /** A page that is used again: cheaper than a new one. */
  readonly page?: PreviewPage;
}

/** A stage with the panel's page before it. */
export interface Staged {
  readonly stage: Stage;
  readonly opened: PreviewPage;
  readonly page: Page;
  /** Looks that the browser has reported nothing, and ends both. */
  readonly close: () => Promise<void>;
}

/** Sets up a stage, opens the panel before it, in dark at 360 × 640, and waits until it shows the session. */
export async function openStage(
  prepare: (stage: Stage) => void = oneSession,
  { clock = new SystemClock(), page: again, ...look }: Opening = {},
): Promise<Staged> {
  const stage = new Stage(clock, prepare);
  const preview = await sharedPreview();
  const opened = await preview.open(
    (transport) => stage.panel.line.attach(transport),
    { theme: 'dark', width: 360, height: 640, ...look },
    'panel',
    again,
  );
  const { page } = opened;
  await page.locator('.composer textarea').waitFor();
  await page.locator('.loading').waitFor({ state: 'detached' });
  return {
    stage,
    opened,
    page,
    close: async () => {
      assert.deepEqual(opened.console, [], 'nothing is reported by the browser');
      await opened.close();
      stage.panel.dispose();
    },
  };
}

/** Opens the panel and plays a scene until it stands still. */
export async function openScene(
  { prepare, play, click = [], press = [], fill }: Scene,
  opening: Opening = {},
): Promise<Staged> {
  const staged = await openStage((stage) => prepare?.(stage), opening);
  const { stage, opened, page } = staged;
  play?.(stage);
  await opened.drawn();
  for (const selector of click) await page.locator(selector).first().click();
  for (const key of press) await page.keyboard.press(key);
  if (fill !== undefined) await page.locator(fill[0]).fill(fill[1]);
  await opened.drawn();
  return staged;
}
