import assert from 'node:assert/strict';
import { SystemClock } from '../../../src/hosts/node/clock.ts';
import { EarlyPage } from '../../../src/panel/early-page.ts';
import { Stage } from '../../unit/panel/stage.ts';
import { eventually } from './eventually.ts';
import type { PreviewPage } from './preview.ts';
import { sharedPreview } from './shared-preview.ts';

const S = 'one';

describe('the panel before its host is there', function () {
  this.timeout(60_000);
  let opened: PreviewPage;
  let early: EarlyPage;
  let input: ReturnType<PreviewPage['page']['getByRole']>;
  let stage: Stage | undefined;

  beforeEach(async () => {
    const preview = await sharedPreview();
    opened = await preview.open(
      (transport) => {
        early = new EarlyPage(transport);
      },
      { theme: 'dark', width: 400, height: 600 },
    );
    input = opened.page.getByRole('textbox', { name: 'Message to Belay' });
    await input.waitFor();
  });

  afterEach(async () => {
    assert.deepEqual(opened.console, []);
    await opened.close();
    stage?.panel.dispose();
    stage = undefined;
  });

  /** Joins the page to a host with a session that was shown last, and waits until the host has spoken. */
  async function join(draft = ''): Promise<Stage> {
    const joined = new Stage(new SystemClock(), (made) => {
      made.store(S, 'user', [{ type: 'text', text: 'The first message' }]);
      made.addSession({ id: S, title: 'First' });
      made.lastSession = S;
      made.saved.set(S, { draft, scroll: null });
    });
    stage = joined;
    joined.panel.line.attach(early);
    await opened.page.getByText('The first message').waitFor();
    await opened.drawn();
    return joined;
  }

  it('takes what is typed into the session that was shown last, before its draft', async () => {
    await input.fill('typed now');
    const { saved } = await join('typed before');
    await eventually(() => assert.equal(saved.get(S)?.draft, 'typed now\n\ntyped before'));
    assert.equal(await input.inputValue(), 'typed now\n\ntyped before');
  });

  it('sends what is sent meanwhile once, into the session that was shown last', async () => {
    await input.fill('Sent early');
    await input.press('Enter');
    assert.equal(await input.inputValue(), 'Sent early');
    const { calls } = await join();
    await eventually(async () => assert.equal(await input.inputValue(), ''));
    assert.deepEqual(
      calls.filter((call) => call.startsWith('send')),
      ['send queue Sent early'],
    );
  });

  it('sends nothing where the session has a draft', async () => {
    await input.fill('Sent early');
    await input.press('Enter');
    const { calls } = await join('typed before');
    await eventually(async () =>
      assert.equal(await input.inputValue(), 'Sent early\n\ntyped before'),
    );
    assert.deepEqual(
      calls.filter((call) => call.startsWith('send')),
      [],
    );
  });

  it('says so when there will be no host, and keeps what was typed', async () => {
    await input.fill('Typed early');
    early.fail();
    await opened.page.getByText('Belay could not start').first().waitFor();
    assert.equal(await input.inputValue(), 'Typed early');
  });
});
