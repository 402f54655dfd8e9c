import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import type { ApprovalQuestion } from '../../../src/core/ports/person/approval.ts';
import type { Stage } from '../../unit/panel/stage.ts';
import { eventually } from './eventually.ts';
import { begin, call, S, said } from './fixture-session.ts';
import type { PreviewPage } from './preview.ts';
import { openStage } from './staged.ts';

const lines = (count: number, text: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => text(index)).join('\n');

/** Content that may be too long for the screen. */
const ASKED: Readonly<Record<string, Partial<ApprovalQuestion>>> = {
  'a command of many lines': {
    tool: 'run_command',
    detail: lines(30, (index) => `echo line ${index} of many`),
    where: 'In /home/me/a/folder/with/a/long/name/that/goes/on/and/on.',
    reason: 'It changes files outside of the workspace, which no rule allows.',
  },
  'a sentence of many words': { detail: lines(20, () => 'This is what will happen.'), prose: true },
  'a change of many lines': {
    title: 'Edit src/a-file-with-a-long-name.ts',
    edits: [
      {
        path: '/home/me/src/a-file-with-a-long-name.ts',
        name: 'src/a-file-with-a-long-name.ts',
        creates: false,
        before: lines(15, (index) => `old ${index}`),
        after: lines(15, (index) => `new ${index} ${'many words '.repeat(index % 3)}`),
      },
    ],
  },
};

/** Sizes of the panel in pixels; the first is 250 × 400 at a zoom of 200 %. */
const SIZES = {
  '125 × 200': [125, 200],
  '300 × 640': [300, 640],
} as const;

describe('an approval can be given half a second after its end was on the screen', function () {
  this.timeout(60_000);
  let stage: Stage;
  let opened: PreviewPage;
  let page: Page;
  let close: () => Promise<void>;

  afterEach(async () => close());

  const begun = async (size: readonly [number, number], asked: Partial<ApprovalQuestion>) => {
    const [width, height] = size;
    ({ stage, opened, page, close } = await openStage(undefined, { width, height }));
    begin(stage);
    stage.publish(S, said('Now.'), ...call(1, 'a1', 'run_command', { command: 'x' }));
    stage.ask({ id: 'long', sessionId: S, callId: 'a1', ...asked });
    await page.locator('.approval[data-armed="true"]').waitFor();
  };
  const allow = () => page.locator('.approval [data-answer="allow"]:enabled');

  for (const [size, pixels] of Object.entries(SIZES))
    for (const [what, asked] of Object.entries(ASKED))
      it(`${what}, at ${size}`, async () => {
        await begun(pixels, asked);
        assert.equal(await allow().count(), 0);
        await page.locator('.approval').focus();
        await eventually(async () => {
          if ((await page.locator('.approval').getAttribute('data-seen')) !== 'true')
            await page.keyboard.press('Control+Enter');
          assert.equal(await page.locator('.approval').getAttribute('data-seen'), 'true');
        });
        assert.deepEqual(stage.calls, [], 'the key shows the end and allows nothing');
        await allow().waitFor();
        await page.keyboard.press('Control+Enter');
        await eventually(() => assert.deepEqual(stage.calls, ['allow long']));
      });

  it('answers a group when the end of each of its questions was on the screen', async () => {
    await begun([300, 640], { detail: 'npm run build' });
    for (const index of [1, 2]) {
      stage.publish(S, ...call(index + 1, `a${index + 1}`, 'run_command', { command: 'x' }));
      const detail = lines(30, (line) => `echo ${index} ${line}`);
      stage.ask({ id: `other ${index}`, sessionId: S, callId: `a${index + 1}`, detail });
    }
    const group = page.locator('.approval-group');
    await group.waitFor();
    await eventually(async () => {
      const show = group.locator('[data-answer="show"]:enabled');
      if ((await show.count()) > 0) await show.click({ timeout: 500 }).catch(() => undefined);
      assert.equal(await group.locator('[data-answer="allow"]:enabled').count(), 1);
    });
    assert.deepEqual(stage.calls, []);
    await opened.drawn();
    await group.locator('[data-answer="allow"]').click();
    await eventually(() =>
      assert.deepEqual(stage.calls, ['allow long', 'allow other 1', 'allow other 2']),
    );
  });

  it('begins with the command, then says why in one line, and asks for a reason after Deny', async () => {
    await begun([300, 640], {
      tool: 'run_command',
      detail: 'npm publish',
      where: 'In /home/me/pkg.',
      reason: 'npm publish changes a registry.',
    });
    const card = page.locator('.approval');
    assert.match(
      await card.innerText(),
      /^npm publish\s+npm publish changes a registry\. In \/home\/me\/pkg\.\s+Allow/u,
    );
    assert.equal(await card.locator('.reason').count(), 0);
    await card.locator('[data-answer="deny"]').click();
    await page.keyboard.type('not today');
    await page.keyboard.press('Enter');
    await eventually(() => assert.deepEqual(stage.calls, ['deny long not today']));
  });
});
