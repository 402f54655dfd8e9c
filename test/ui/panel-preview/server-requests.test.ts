import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { SystemClock } from '../../../src/hosts/node/clock.ts';
import type { ServerRequest } from '../../../src/domain/mcp/server-request.ts';
import { Stage } from '../../unit/panel/stage.ts';
import { violations } from './axe.ts';
import { eventually } from './eventually.ts';
import { history, session } from './fixture-session.ts';
import type { PreviewPage } from './preview.ts';
import {
  askFor,
  EVERY_FIELD,
  form,
  page as pageOf,
  SERVER_SCENES,
  showResult,
} from './server-scenes.ts';
import { sharedPreview } from './shared-preview.ts';

describe('forms and pages of MCP servers in the panel', () => {
  let stage: Stage;
  let opened: PreviewPage;
  let page: Page;

  async function open(asked?: ServerRequest, more?: (stage: Stage) => void): Promise<void> {
    stage = new Stage(new SystemClock(), (made) => {
      session(made);
      history(made);
      more?.(made);
    });
    const preview = await sharedPreview();
    opened = await preview.open((transport) => stage.panel.line.attach(transport), {
      theme: 'dark',
      width: 300,
      height: 900,
    });
    page = opened.page;
    await page.locator('.composer textarea').waitFor();
    await page.locator('.loading').waitFor({ state: 'detached' });
    if (asked === undefined) return;
    askFor(stage, asked);
    await page.locator('.is-server').waitFor();
  }

  afterEach(async () => {
    assert.deepEqual(opened.console, [], 'nothing is reported by the browser');
    await opened.close();
    stage.panel.dispose();
  });

  const button = (name: string) => page.locator('.is-server').getByRole('button', { name });
  /** A click that finds the button disabled scrolls the view, and "Jump to the latest" comes where it was. */
  const press = async (name: string): Promise<void> => {
    await button(name).and(page.locator(':enabled')).waitFor();
    await button(name).click();
  };
  const answer = (): unknown =>
    JSON.parse(stage.calls[0]?.replace(/^answer x | h$/gu, '') ?? 'null');
  const answered = async (expected: unknown): Promise<void> =>
    eventually(() => assert.deepEqual(answer(), expected));

  it('all fields are on one card, and are filled in and sent by the keyboard alone', async () => {
    await open(form('Where does it go?', EVERY_FIELD));
    const { keyboard } = page;
    await page.locator('#x-0').focus();
    await keyboard.type('Ada');
    await keyboard.press('Tab');
    await keyboard.type('ada@example.com');
    await keyboard.press('Tab');
    await keyboard.press('Tab');
    await keyboard.type('01312026');
    while (!(await page.locator('#x-7').evaluate((one) => one === document.activeElement)))
      await keyboard.press('Tab');
    await keyboard.type('Y');
    await keyboard.press('Tab');
    await keyboard.type('Plan B');
    await keyboard.press('Tab');
    await keyboard.press('Space');
    await button('Send').and(page.locator(':enabled')).waitFor();
    await page.locator('#x-0').focus();
    await keyboard.press('Enter');
    await answered({
      action: 'accept',
      content: {
        name: 'Ada',
        mail: 'ada@example.com',
        site: null,
        day: '2026-01-31',
        at: null,
        count: 3,
        share: null,
        agree: true,
        plan: 'b',
        tags: ['x', 'y'],
        words: null,
      },
    });
  });

  it('what does not fit is said at its field, and nothing is sent', async () => {
    await open(form('Where does it go?', EVERY_FIELD));
    await page.getByLabel('Count').fill('3.5');
    await page.getByLabel('E-mail').fill('nobody');
    await press('Send');
    await eventually(async () =>
      assert.deepEqual(await page.locator('.complaint').allTextContents(), [
        'This is needed.',
        'This must be an e-mail address.',
        'This must be a whole number.',
        'This is needed.',
        'This is needed.',
      ]),
    );
    assert.equal(await page.getByLabel('Count').getAttribute('aria-invalid'), 'true');
    assert.equal(await page.evaluate(() => document.activeElement?.id), 'x-0');
    assert.deepEqual(stage.calls, []);
  });

  it('no and closing it are two answers', async () => {
    await open(form('Where does it go?', EVERY_FIELD));
    await press('Decline');
    await answered({ action: 'decline' });
    stage.calls.length = 0;
    stage.questions.length = 0;
    stage.deskChanged();
    await page.locator('.is-server').waitFor({ state: 'detached' });
    askFor(stage, form('And now?', EVERY_FIELD));
    await press('Cancel');
    await answered({ action: 'cancel' });
  });

  it('what is written survives hiding and loading the panel anew', async () => {
    await open(form('Where does it go?', EVERY_FIELD));
    await page.getByRole('textbox', { name: 'Name' }).fill('Grace');
    await page.getByLabel('Tag z').check();
    await page.getByLabel('Count').fill('');
    await eventually(() => {
      const { questions } = stage.panel.session.view;
      assert.equal(questions[0]?.typed['count'], '');
    });
    await page.reload();
    await page.locator('.is-server').waitFor();
    assert.equal(await page.getByRole('textbox', { name: 'Name' }).inputValue(), 'Grace');
    assert.equal(await page.getByLabel('Count').inputValue(), '');
    assert.equal(await page.getByLabel('Tag z').isChecked(), true);
    await opened.dress('dark');
  });

  it('hostile words make no element, run nothing and are never wider than the card', async () => {
    await open();
    SERVER_SCENES['server-form-hostile']?.play?.(stage);
    await page.locator('.is-server').waitFor();
    assert.equal(await page.locator('.is-server img').count(), 0);
    assert.notEqual(await page.title(), 'no');
    const text = (await page.locator('.is-server').textContent()) ?? '';
    assert.doesNotMatch(text, /[\u202E\u200B\u{E0041}]/u);
    const [inner, outer] = await page
      .locator('.is-server')
      .evaluate((card) => [card.scrollWidth, card.clientWidth]);
    assert.ok((inner ?? 0) <= (outer ?? 0), `${inner} > ${outer}`);
    assert.match(text, /looks like a secret/u);
    assert.match((await page.getByLabel('password').getAttribute('class')) ?? '', /is-secret/u);
  });

  it('a page is shown with its whole address and its host marked; it closes when the server is done', async () => {
    const url = 'https://pay.example.com/bills/2026?back=https://example.org';
    await open(pageOf(url));
    assert.equal(await page.getByLabel('Address').textContent(), url);
    assert.equal(await page.locator('.is-server mark').textContent(), 'pay.example.com');
    assert.deepEqual(stage.calls, []);
    await press('Open Page');
    await answered({ action: 'accept', content: {} });
    askFor(stage, pageOf(url, true));
    await page.getByText('This closes when the server says').waitFor();
    stage.questions.length = 0;
    stage.deskChanged();
    await page.locator('.is-server').waitFor({ state: 'detached' });
  });

  it('a result shows pictures, sounds, resources and its structured output, and loads nothing', async () => {
    const asked: string[] = [];
    await open(undefined, showResult);
    page.on('request', (request) => {
      // The panel's own code that colours the structured output comes when it is first used.
      if (!/^data:|\/panel-highlight-\w+\.js$/u.test(request.url())) asked.push(request.url());
    });
    const card = page.locator('[data-call="m2"]');
    assert.match(
      (await card.locator('img').getAttribute('src')) ?? '',
      /^data:image\/png;base64,/u,
    );
    const sound = card.locator('audio[controls]');
    await eventually(async () =>
      assert.ok((await sound.evaluate((one: HTMLAudioElement) => one.duration)) > 0.05),
    );
    await card.getByRole('button', { name: 'Forecast' }).click();
    await eventually(() =>
      assert.deepEqual(stage.calls, ['openResource everything demo://forecast undefined']),
    );
    await card.getByRole('button', { name: 'today.txt' }).click();
    await eventually(() =>
      assert.deepEqual(stage.calls.slice(1), [
        'openResource everything demo://log/today.txt Line 1',
      ]),
    );
    await card.locator('.tool-fold').click();
    const structured = card.getByLabel('Structured output');
    assert.match(
      (await structured.textContent()) ?? '',
      /temperature-3\.5.*wind <img src=x>.*204/u,
    );
    assert.doesNotMatch((await structured.textContent()) ?? '', /\u202E/u);
    assert.equal(await structured.locator('img').count(), 0);
    stage.calls.length = 0;
    await card.getByRole('button', { name: 'Show Server' }).click();
    await eventually(() =>
      assert.deepEqual(stage.calls, ['openCenter mcp mcp__everything__weather']),
    );
    assert.deepEqual(asked, []);
  });

  it('has nothing that axe objects to on a form that was refused', async () => {
    await open(form('Where does it go?', EVERY_FIELD));
    await press('Send');
    await page
      .locator('.is-server [role="alert"], .is-server [aria-invalid="true"]')
      .first()
      .waitFor();
    await opened.look({ theme: 'light', width: 300, height: 4000 });
    assert.deepEqual(await violations(page, '.is-server'), []);
  });
});
