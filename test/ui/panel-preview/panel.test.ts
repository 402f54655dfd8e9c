import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { SystemClock } from '../../../src/hosts/node/clock.ts';
import { BelayError } from '../../../src/domain/failure.ts';
import { Stage } from '../../unit/panel/stage.ts';
import { eventually } from './eventually.ts';
import { begin, call, history, S, said, session } from './fixture-session.ts';
import type { Preview, PreviewPage } from './preview.ts';
import { sharedPreview } from './shared-preview.ts';

describe('the panel in a browser, with its content security policy', () => {
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

  const input = () => page.locator('.composer textarea');
  const distanceToEnd = (): Promise<number> =>
    page.locator('.scroll').evaluate((box) => box.scrollHeight - box.scrollTop - box.clientHeight);

  before(async () => {
    preview = await sharedPreview();
  });
  afterEach(async () => {
    assert.deepEqual(opened.console, [], 'nothing is reported by the browser');
    await opened.close();
    stage.panel.dispose();
  });

  it('sends with Enter, breaks lines with Shift+Enter, and shows the message at once', async () => {
    await open();
    await input().fill('first');
    await input().press('Shift+Enter');
    await input().pressSequentially('second');
    await input().press('Enter');
    await page.locator('.request', { hasText: 'second' }).waitFor();
    assert.equal(await input().inputValue(), '');
    await eventually(() => assert.deepEqual(stage.calls, ['send queue first\nsecond']));
    assert.equal(await page.locator('.request', { hasText: 'second' }).count(), 1);
  });

  it('B9: the wait before the next try names what failed, and ends at a click', async () => {
    await open();
    const until = stage.clock.now() + 60_000;
    const reason = 'http://127.0.0.1:9 cannot be reached (ECONNREFUSED)';
    stage.publish(S, { type: 'agent_run.started', model: 'x', resumed: false });
    stage.publish(S, { type: 'model.waiting', reason, attempt: 1, attempts: 8, until });
    const wait = page.locator('.run-status', { hasText: reason });
    await wait.getByRole('button', { name: 'Try Now' }).click();
    await eventually(() => assert.deepEqual(stage.calls, [`retryNow ${S}`]));
    stage.publish(S, { type: 'model.waiting', reason, attempt: 1, attempts: 8, until: 0 });
    await eventually(async () =>
      assert.equal(await wait.getByRole('button', { name: 'Try Now' }).count(), 0),
    );
    assert.match((await wait.textContent()) ?? '', /try 1 of 8 now/u);
  });

  it('gives a message back that the host refuses, with its sentence', async () => {
    await open();
    stage.failure = new BelayError({ code: 'store', message: 'The disk is full.' });
    await input().fill('precious words');
    await input().press('Enter');
    await page.locator('.notice', { hasText: 'The disk is full.' }).waitFor();
    await eventually(async () => assert.equal(await input().inputValue(), 'precious words'));
    assert.equal(await page.locator('.request.is-sending').count(), 0);
    await input().press('Enter');
    await page.locator('.notice').waitFor({ state: 'detached' });
  });

  it('keeps the draft when the page is loaded anew', async () => {
    await open();
    await input().fill('half a thought');
    await eventually(() => assert.equal(stage.saved.get(S)?.draft, 'half a thought'));
    await page.reload();
    await eventually(async () => assert.equal(await input().inputValue(), 'half a thought'));
  });

  it('C7: queues with Enter, steers with Alt+Enter, stops and sends with Ctrl+Shift+Enter', async () => {
    await open();
    begin(stage);
    await page.locator('.run-status').waitFor();
    for (const [text, keys] of [
      ['a', 'Enter'],
      ['b', 'Alt+Enter'],
      ['c', 'Control+Shift+Enter'],
    ] as const) {
      await input().fill(text);
      await input().press(keys);
    }
    await eventually(() =>
      assert.deepEqual(stage.calls, ['send queue a', 'send steer b', 'send stop_and_send c']),
    );
    await page.locator('.queue .dock-label').click();
    await page.locator('.queued', { hasText: 'a' }).waitFor();
    await page.locator('.queued-text').first().click();
    await page.locator('.queued textarea').fill('a, but better');
    await page.locator('.queued textarea').press('Enter');
    await eventually(() => assert.equal(stage.queue[0]?.text, 'a, but better'));
  });

  it('C6: says “Stopping…” at once on Esc, before the host has answered', async () => {
    await open();
    begin(stage);
    await page.locator('.run-status').waitFor();
    await input().press('Escape');
    assert.match(await page.locator('.run-status').innerText(), /Stopping…/u);
    assert.equal(await page.locator('.run-status button', { hasText: 'Stop' }).isDisabled(), true);
    await eventually(() => assert.deepEqual(stage.calls, [`cancel ${S}`]));
  });

  it('stays at the end while an answer grows, and where the person has scrolled to', async () => {
    await open();
    begin(stage);
    const grow = async (): Promise<void> => {
      for (let turn = 0; turn < 20; turn += 1) {
        stage.publish(S, said('A paragraph that makes the answer longer.\n\n'));
        await delay(20);
      }
    };
    await grow();
    await eventually(async () => assert.ok((await distanceToEnd()) < 2));
    await page.mouse.move(150, 200);
    await page.mouse.wheel(0, -300);
    await page.locator('.to-end').waitFor();
    const place = await page.locator('.scroll').evaluate((box) => box.scrollTop);
    await grow();
    await delay(200);
    assert.equal(await page.locator('.scroll').evaluate((box) => box.scrollTop), place);
    await page.locator('.to-end').click();
    await eventually(async () => assert.ok((await distanceToEnd()) < 2));
    assert.equal(await page.locator('.to-end').count(), 0);
  });

  it('asks before it acts: Ctrl+Enter allows what is seen, and no key that came too early', async () => {
    await open();
    begin(stage);
    stage.publish(S, said('Now.'), ...call(1, 'a1', 'run_command', { command: 'npm test' }));
    await page.locator('[data-call="a1"]').waitFor();
    await input().focus();
    stage.ask({ sessionId: S, callId: 'a1', detail: 'npm test' });
    await page.locator('.approval').waitFor();
    assert.equal(
      await input().evaluate((element) => element === document.activeElement),
      true,
      'the focus stays with who types',
    );
    await page.keyboard.press('Control+Enter');
    assert.deepEqual(stage.calls, []);
    await page.locator('.approval[data-armed="true"]').waitFor();
    await page.keyboard.press('Control+Enter');
    await eventually(() => assert.match(stage.calls.join(), /^allow /u));
    await eventually(async () => assert.equal(await page.locator('.approval').count(), 0));
  });

  it('does not allow with Ctrl+Enter what is scrolled out of sight: it shows it', async () => {
    await open();
    begin(stage);
    stage.publish(S, said('Now.'), ...call(1, 'a1', 'run_command', { command: 'npm test' }));
    stage.ask({ sessionId: S, callId: 'a1', detail: 'npm test' });
    await page.locator('.approval[data-armed="true"]').waitFor();
    await page.mouse.move(150, 200);
    await page.mouse.wheel(0, -3000);
    await eventually(async () => assert.ok((await distanceToEnd()) > 400));
    await page.keyboard.press('Control+Enter');
    assert.deepEqual(stage.calls, []);
    await eventually(async () =>
      assert.equal(await page.locator('.approval .button.primary').isVisible(), true),
    );
  });

  it('denies with a reason by Enter in its field, and by Ctrl+Shift+Backspace', async () => {
    await open();
    begin(stage);
    stage.publish(
      S,
      ...call(0, 'a1', 'run_command', { command: 'x' }),
      ...call(1, 'a2', 'run_command', { command: 'y' }),
    );
    stage.ask({ sessionId: S, callId: 'a1', id: 'q1' });
    await page.locator('.approval [data-answer="deny"]:enabled').click();
    await page.locator('.approval .reason').fill('not this one');
    await page.locator('.approval .reason').press('Enter');
    await eventually(() => assert.deepEqual(stage.calls, ['deny q1 not this one']));
    await page.locator('.approval').waitFor({ state: 'detached' });
    stage.ask({ sessionId: S, callId: 'a2', id: 'q2' });
    await page.locator('.approval[data-armed="true"]').waitFor();
    await page.keyboard.press('Control+Shift+Backspace');
    await eventually(() => assert.deepEqual(stage.calls.slice(1), ['deny q2']));
  });

  it('answers a question with one of its choices', async () => {
    await open();
    begin(stage);
    stage.publish(S, ...call(0, 'h1', 'ask_human', { question: 'Which?' }));
    stage.questions.push({
      id: 'x',
      sessionId: S,
      runId: 'r',
      callId: 'h1',
      question: 'Which?',
      choices: ['This', 'That'],
    });
    stage.deskChanged();
    await page.locator('.question button', { hasText: 'That' }).click();
    await eventually(() => assert.deepEqual(stage.calls, ['answer x That']));
  });

  it('answers several questions of one call, one of them with several choices', async () => {
    await open();
    begin(stage);
    stage.publish(S, ...call(0, 'h1', 'ask_human', { question: 'Which?' }));
    const asked = { sessionId: S, runId: 'r', callId: 'h1' };
    stage.questions.push(
      { ...asked, id: 'x', question: 'Which?', choices: ['A', 'B', 'C'], several: true },
      { ...asked, id: 'y', question: 'When?', choices: [] },
    );
    stage.deskChanged();
    const which = page.locator('.question', { hasText: 'Which?' });
    await which.getByRole('checkbox', { name: 'C' }).check();
    await which.getByRole('checkbox', { name: 'A' }).check();
    await which.getByRole('textbox').fill('and D');
    await which.getByRole('textbox').press('Enter');
    await eventually(() => assert.deepEqual(stage.calls, ['answer x A\nC\nand D']));
    await page.locator('.question', { hasText: 'When?' }).getByRole('textbox').fill('now');
    await page.keyboard.press('Enter');
    await eventually(() => assert.deepEqual(stage.calls.slice(1), ['answer y now']));
  });

  it('colours code under the policy, with the highlighter loaded only then', async () => {
    const loaded: string[] = [];
    await open((made) => session(made));
    page.on('request', (request) => loaded.push(new URL(request.url()).pathname));
    begin(stage);
    stage.publish(S, said('```ts\nconst answer = 42;\n```\n\nDone.\n'), {
      type: 'agent_run.completed',
      end: { reason: 'done', state: 'completed', canContinue: false },
    });
    await page.locator('.code .hljs-number', { hasText: '42' }).waitFor();
    assert.ok(loaded.some((path) => path.startsWith('/panel-highlight')));
  });

  it('security 6: asks nothing of the network, whatever an answer contains', async () => {
    const asked: string[] = [];
    await open((made) => session(made));
    page.on('request', (request) => asked.push(request.url()));
    begin(stage);
    stage.publish(
      S,
      said(
        '![x](http://127.0.0.1:9/x.png) <img src="http://127.0.0.1:9/y.png"> <link rel=stylesheet href=//127.0.0.1:9/z> [a](http://127.0.0.1:9/a)\n\n',
      ),
    );
    await page.locator('.markdown a').first().waitFor();
    await page.locator('.markdown a').last().click();
    await eventually(() => assert.deepEqual(stage.calls, ['openExternal http://127.0.0.1:9/a']));
    assert.deepEqual(asked, []);
  });

  it('fetches a long result when its card is unfolded', async () => {
    await open((made) => {
      session(made);
      made.store(S, 'assistant', [
        { type: 'tool_call', id: 'c', name: 'run_command', input: { command: 'npm test' } },
      ]);
      made.store(S, 'tool', [
        {
          type: 'tool_result',
          callId: 'c',
          name: 'run_command',
          state: 'done',
          content: [{ type: 'text', text: `${'line\n'.repeat(9000)}the last line` }],
        },
      ]);
    });
    assert.equal(await page.getByText('the last line').count(), 0);
    await page.locator('[data-call="c"] .tool-line').click();
    await page.getByText('the last line').waitFor();
  });

  it('runs slash commands, and offers them while they are typed', async () => {
    await open();
    await input().pressSequentially('/co');
    await page.locator('.suggestion', { hasText: '/compact' }).waitFor();
    await input().press('Tab');
    assert.equal(await input().inputValue(), '/compact ');
    await input().pressSequentially('keep the API');
    await input().press('Enter');
    await eventually(() => assert.deepEqual(stage.calls, [`summarize ${S}`]));
    assert.equal(await input().inputValue(), '');
  });

  it('chooses mode and model from menus by keyboard', async () => {
    await open();
    await page.locator('[data-picker="mode"] button').first().press('Enter');
    await page.locator('[data-picker="mode"] .item:focus').waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await eventually(() => assert.deepEqual(stage.calls, ['setOptions {"mode":"edit"}']));
    await eventually(async () =>
      assert.match(await page.locator('[data-picker="mode"]').innerText(), /Edit/u),
    );
  });

  it('reads back through 400 messages, and forward again to the latest', async () => {
    await open((made) => {
      session(made);
      for (let index = 1; index <= 400; index += 1)
        made.store(S, index % 2 === 1 ? 'user' : 'assistant', [
          { type: 'text', text: `Message number ${index}` },
        ]);
    });
    await page.getByText('Message number 400', { exact: true }).waitFor();
    await page.mouse.move(150, 200);
    await eventually(async () => {
      await page.mouse.wheel(0, -4000);
      assert.equal(await page.getByText('Message number 1', { exact: true }).count(), 1);
    });
    await page.locator('.to-end').click();
    await eventually(async () => assert.ok((await distanceToEnd()) < 2));
    assert.equal(await page.getByText('Message number 400', { exact: true }).count(), 1);
  });

  it('the key walks through the modes, tells which, and leaves the choice to the host', async () => {
    await open();
    await input().press('Shift+Tab');
    await eventually(() => assert.ok(stage.calls.some((one) => /setOptions.*"edit"/u.test(one))));
    await eventually(async () =>
      assert.match((await page.locator('.announcer').textContent()) ?? '', /^Mode: Edit\b/u),
    );
    await page.locator('[data-picker="mode"]', { hasText: 'Edit' }).waitFor();
  });

  it('security 12: several questions are a group; what is not chosen is denied, with the reason', async () => {
    await open();
    begin(stage);
    for (const [id, command] of [
      ['one', 'npm run build'],
      ['two', 'rm -r dist'],
      ['three', 'npm run lint'],
    ] as const)
      stage.ask({ id, sessionId: S, callId: `c-${id}`, detail: command });
    const group = page.locator('.approval-group');
    await group.getByText('3 approvals pending').waitFor();
    await group.getByRole('checkbox', { name: /rm -r dist/u }).uncheck();
    await group.locator('.reason').fill('Keep dist.');
    await group.getByRole('button', { name: 'Allow 2, deny 1' }).click();
    // What is allowed goes first: a no cancels what was not decided yet.
    await eventually(() =>
      assert.deepEqual(stage.calls.slice(-3), ['allow one', 'allow three', 'deny two Keep dist.']),
    );
  });
});
