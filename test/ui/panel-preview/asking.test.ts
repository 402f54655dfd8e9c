import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { SystemClock } from '../../../src/hosts/node/clock.ts';
import { Stage } from '../../unit/panel/stage.ts';
import { eventually } from './eventually.ts';
import { begin, history, S, session } from './fixture-session.ts';
import type { Preview, PreviewPage } from './preview.ts';
import { sharedPreview } from './shared-preview.ts';

describe('what the panel asks and says, in its sandbox', function () {
  this.timeout(30_000);
  let preview: Preview;
  let stage: Stage;
  let opened: PreviewPage;
  let page: Page;

  async function open(
    prepare: (made: Stage) => void = (made) => {
      session(made);
      history(made);
    },
  ): Promise<void> {
    stage = new Stage(new SystemClock(), prepare);
    opened = await preview.open((transport) => stage.panel.line.attach(transport), {
      theme: 'dark',
      width: 360,
      height: 640,
    });
    page = opened.page;
    await page.locator('.composer textarea').waitFor();
    await eventually(async () => assert.equal(await page.locator('.loading').count(), 0));
  }

  before(async () => {
    preview = await sharedPreview();
  });
  afterEach(async () => {
    assert.deepEqual(opened.console, [], 'nothing is reported by the browser');
    await opened.close();
    stage.panel.dispose();
  });

  it('offers to trust a workspace that is not trusted, and suggests only what works there', async () => {
    await open((made) => {
      made.trusted = false;
    });
    assert.doesNotMatch(await page.locator('.empty').innerText(), /tests|README/u);
    await page.locator('.limits').getByRole('button', { name: 'Manage Workspace Trust' }).click();
    await eventually(() => assert.deepEqual(stage.calls, ['manageTrust']));
  });

  it('compacts when the button of a request that was too large says so', async () => {
    await open();
    for (const code of ['request_too_large', 'context_overflow'] as const) {
      begin(stage);
      stage.publish(S, {
        type: 'agent_run.failed',
        end: {
          reason: 'failure',
          state: 'failed',
          canContinue: true,
          failure: { code, message: 'The request is too large.' },
        },
      });
      stage.calls.length = 0;
      await page.locator('.notice').getByRole('button', { name: 'Compact' }).click();
      await eventually(() => assert.deepEqual(stage.calls, ['summarize main']));
    }
  });

  it('names a key that is gone and a server that does not run, with the ways on', async () => {
    await open((made) => {
      made.limits = {
        keyNews: () => ({ lost: 'gateway.example.org' }),
        serverProblems: () => [
          { server: 'hub', said: 'The MCP server “hub” does not run: No such file.' },
        ],
      };
    });
    const limits = page.locator('.limits');
    await limits.getByText('The API key for gateway.example.org is gone.').waitFor();
    for (const [name, action] of [
      ['Set API Key', 'setApiKey'],
      ['Use Without a Key', 'useWithoutKey'],
    ] as const) {
      await limits.getByRole('button', { name }).click();
      await eventually(() => assert.equal(stage.calls.at(-1), action));
    }
    const badge = page.locator('.header').getByRole('button', { name: /“hub” does not run/u });
    assert.equal(await badge.innerText(), '1');
    await badge.click();
    await eventually(() => assert.equal(stage.calls.at(-1), 'openCenter mcp hub'));
  });

  it('takes what is typed as the answer while exactly one question of the agent waits', async () => {
    await open();
    begin(stage);
    const input = page.locator('.composer textarea');
    const send = async (text: string, key: string): Promise<void> => {
      await input.fill(text);
      await input.press(key);
      await eventually(async () => assert.equal(await input.inputValue(), ''));
    };
    const asks = (id: string, callId = 'h1', more = {}): void => {
      const asked = { id, callId, sessionId: S, runId: 'r', question: `Which ${id}?` };
      stage.questions.push({ ...asked, choices: ['One', 'Two'], ...more });
      stage.deskChanged();
    };
    const placeholder = async (words: RegExp): Promise<void> =>
      eventually(async () => assert.match((await input.getAttribute('placeholder')) ?? '', words));
    asks('port', 'h1', { several: true });
    await placeholder(/^Answer the question/u);
    await send('After this, the tests', 'Alt+Enter');
    await page.getByRole('checkbox', { name: 'One' }).check();
    await send('Use 8080', 'Enter');
    const given = ['send queue After this, the tests', 'answer port One\nUse 8080'];
    await eventually(() => assert.deepEqual(stage.calls, given));
    // Two questions, a paused budget and an approval are answered on their cards.
    await placeholder(/^Add to the queue/u);
    asks('host');
    asks('path');
    await placeholder(/^Answer on the card/u);
    await send('two wait', 'Enter');
    stage.questions.splice(0);
    asks('budget', '');
    await placeholder(/^Answer on the card/u);
    await send('a budget', 'Enter');
    stage.questions.splice(0);
    stage.ask({ id: 'a', sessionId: S, callId: 'h1', detail: 'npm test' });
    await placeholder(/^Approval pending/u);
    await send('an approval', 'Enter');
    given.push('send queue two wait', 'send queue a budget', 'send queue an approval');
    assert.deepEqual(stage.calls, given);
  });
});
