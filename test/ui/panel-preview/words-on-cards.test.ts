import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { SystemClock } from '../../../src/hosts/node/clock.ts';
import { Stage } from '../../unit/panel/stage.ts';
import { pictures } from '../pictures.ts';
import { eventually } from './eventually.ts';
import { begin, history, result, S, session } from './fixture-session.ts';
import type { PreviewPage } from './preview.ts';
import { sharedPreview } from './shared-preview.ts';

const SETTING =
  'belay.permissions.rules: the entry 2 has no effect. Until it is put right, everything is asked about.';
const FILE = '/home/me/my app/.belay/permissions.json';
const OF_FILE = `${FILE}: it is not JSON. Until it is put right, everything is asked about.`;

describe('what cards and questions say', function () {
  this.timeout(60_000);
  let stage: Stage;
  let opened: PreviewPage;
  let page: Page;

  async function open(prepare?: (made: Stage) => void, width = 300): Promise<void> {
    stage = new Stage(new SystemClock(), (made) => {
      session(made);
      history(made);
      prepare?.(made);
    });
    const preview = await sharedPreview();
    opened = await preview.open((transport) => stage.panel.line.attach(transport), {
      theme: 'dark',
      width,
      height: 800,
    });
    page = opened.page;
    await page.locator('.composer textarea').waitFor();
    await eventually(async () => assert.equal(await page.locator('.loading').count(), 0));
  }

  const picture = async (name: string): Promise<void> => {
    mkdirSync(pictures, { recursive: true });
    await page.screenshot({ path: path.join(pictures, `${name}.png`) });
  };
  /** Nothing of the reason is cut off or beside the panel. */
  const fits = (selector: string): Promise<boolean> =>
    page
      .locator(selector)
      .evaluateAll((all) =>
        all.every((one) => one.getBoundingClientRect().right <= window.innerWidth),
      );

  afterEach(async () => {
    assert.deepEqual(opened.console, [], 'nothing is reported by the browser');
    await opened.close();
    stage.panel.dispose();
  });

  it('the setting or the file that a reason names is a link, at the card of the question', async () => {
    await open(undefined, 250);
    begin(stage);
    stage.ask({ id: 'one', sessionId: S, callId: 'c-one', detail: 'npm test', reason: SETTING });
    await page.locator('.approval .why').getByRole('button').click();
    await eventually(() =>
      assert.deepEqual(stage.calls, ['openSettings @id:belay.permissions.rules']),
    );
    assert.equal(await page.locator('.approval .why').textContent(), SETTING);
    assert.ok(await fits('.approval .why, .approval .why .link'));
    await picture('reason-link-dark');
  });

  it('and in the group of several questions, where it chooses nothing', async () => {
    await open();
    begin(stage);
    stage.ask({ id: 'one', sessionId: S, callId: 'c-one', detail: 'npm test', reason: SETTING });
    stage.ask({ id: 'two', sessionId: S, callId: 'c-two', detail: 'ls', reason: OF_FILE });
    const group = page.locator('.approval-group');
    await group.getByRole('button', { name: 'belay.permissions.rules' }).click();
    await group.getByRole('button', { name: FILE }).click();
    await eventually(() =>
      assert.deepEqual(stage.calls, [
        'openSettings @id:belay.permissions.rules',
        `openFile ${FILE}`,
      ]),
    );
    for (const box of await group.getByRole('checkbox').all()) assert.ok(await box.isChecked());
    assert.ok(await fits('.approval-group .why, .approval-group .link'));
    await picture('reason-links-in-group-dark');
  });

  it('E3: the card of a call says how much of its result the model saw', async () => {
    await open((made) => {
      made.store(S, 'assistant', [
        { type: 'tool_call', id: 'long', name: 'run_command', input: { command: 'npm test' } },
      ]);
      made.store(S, 'tool', [
        result('long', 'run_command', 'x'.repeat(200), {
          display: { kind: 'command', exitCode: 0 },
          cut: { resultId: 'r', shown: 40_000, total: 1_234_567 },
        }),
      ]);
    });
    const words = page.getByText('cut: 40,000 of 1,234,567 characters').first();
    await words.waitFor();
    assert.ok(await words.isVisible());
    await picture('result-cut-dark');
  });
});
