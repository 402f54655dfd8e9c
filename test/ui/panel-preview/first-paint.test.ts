import assert from 'node:assert/strict';
import { SystemClock } from '../../../src/hosts/node/clock.ts';
import { EarlyPage } from '../../../src/panel/early-page.ts';
import { firstPaintOf } from '../../../src/protocol/first-paint.ts';
import type { Snapshot } from '../../../src/protocol/snapshot.ts';
import { Mirror } from '../../unit/panel/mirror.ts';
import { Stage } from '../../unit/panel/stage.ts';
import { eventually } from './eventually.ts';
import type { PreviewPage } from './preview.ts';
import { sharedPreview } from './shared-preview.ts';

const S = 'one';
const OTHER = 'other';

/** A stage with two sessions, of which the first was shown last. */
function staged(prepare: (stage: Stage) => void = () => undefined): Stage {
  return new Stage(new SystemClock(), (stage) => {
    for (let index = 1; index <= 40; index += 1)
      stage.store(S, index % 2 === 0 ? 'assistant' : 'user', [
        { type: 'text', text: `Message ${index}. ${'Some words. '.repeat(30)}` },
      ]);
    stage.store(OTHER, 'user', [{ type: 'text', text: 'Something else' }]);
    stage.addSession({ id: S, title: 'First' });
    stage.addSession({ id: OTHER, title: 'Other' });
    stage.lastSession = S;
    prepare(stage);
  });
}

/** What the panel of such a stage is painted with. */
async function paintOf(prepare?: (stage: Stage) => void): Promise<Snapshot> {
  const { panel } = staged(prepare);
  const mirror = new Mirror(panel);
  await mirror.ready();
  panel.dispose();
  const paint = mirror.snapshot && firstPaintOf(mirror.snapshot);
  assert.ok(paint !== undefined);
  return paint;
}

interface Painted {
  readonly opened: PreviewPage;
  readonly early: EarlyPage;
  readonly input: ReturnType<PreviewPage['page']['getByRole']>;
}

/** The page as it is before its host is there. */
async function painted(paint: Snapshot | undefined): Promise<Painted> {
  const preview = await sharedPreview();
  let early: EarlyPage | undefined;
  const opened = await preview.open(
    (transport) => {
      early = new EarlyPage(transport, paint);
    },
    { theme: 'dark', width: 400, height: 600, ...(paint !== undefined && { paint }) },
  );
  const input = opened.page.getByRole('textbox', { name: 'Message to Belay' });
  await input.waitFor();
  await opened.drawn();
  assert.ok(early !== undefined);
  return { opened, early, input };
}

/** Joins the page to its host, and waits until the host has spoken. */
async function join({ early, opened }: Painted, stage: Stage): Promise<void> {
  const { messages } = opened.posted;
  stage.panel.line.attach(early);
  await eventually(() => assert.ok(opened.posted.messages > messages));
  await opened.drawn();
}

/**
 * In the page: nothing that waits for a frame, or for a time, goes on before the next message of this type has come and
 * `more` is typed.
 */
function holdFrames({ type, more }: { readonly type: string; readonly more: string }): void {
  const draw = window.requestAnimationFrame.bind(window);
  const wait = window.setTimeout.bind(window);
  const held: (() => void)[] = [];
  window.requestAnimationFrame = (run) => held.push(() => draw(run));
  window.setTimeout = ((run: () => void) => held.push(run)) as typeof setTimeout;
  const release = (): void => {
    const area = document.activeElement as HTMLTextAreaElement;
    if (more !== '') {
      area.setRangeText(more, area.value.length, area.value.length, 'end');
      area.dispatchEvent(new InputEvent('input', { bubbles: true }));
    }
    Object.assign(window, { requestAnimationFrame: draw, setTimeout: wait });
    for (const run of held) run();
  };
  window.addEventListener('message', function listen({ data }: MessageEvent<{ type: string }>) {
    if (data.type !== type) return;
    window.removeEventListener('message', listen);
    wait(release);
  });
}

/** Distance of a row from the top, and of the end from the bottom, in pixels. */
const placeOf = ({ opened }: Painted, text: string) =>
  opened.page.evaluate((wanted) => {
    const box = document.querySelector('.scroll');
    const row = [...document.querySelectorAll('.row')].find((one) =>
      one.textContent?.includes(wanted),
    );
    if (box === null || row === undefined) throw new Error(`no ${wanted}`);
    return {
      top: Math.round(row.getBoundingClientRect().top),
      left: Math.round(box.scrollHeight - box.scrollTop - box.clientHeight),
    };
  }, text);

describe('the panel before its host is there', function () {
  this.timeout(60_000);
  const pages: Painted[] = [];
  const stages: Stage[] = [];

  const open = async (paint: Snapshot | undefined): Promise<Painted> => {
    const page = await painted(paint);
    pages.push(page);
    return page;
  };
  const host = (prepare?: (stage: Stage) => void): Stage => {
    const stage = staged(prepare);
    stages.push(stage);
    return stage;
  };

  afterEach(async () => {
    for (const { opened } of pages.splice(0)) {
      assert.deepEqual(opened.console, []);
      await opened.close();
    }
    for (const { panel } of stages.splice(0)) panel.dispose();
  });

  it('shows the end of the conversation; when the host speaks, no row, caret or focus moves', async () => {
    const page = await open(await paintOf());
    const { opened, input } = page;
    const before = await placeOf(page, 'Message 40.');
    assert.equal(before.left, 0);
    await input.pressSequentially('half a thought');
    await input.press('ArrowLeft');
    await opened.page.evaluate(() => {
      const row = [...document.querySelectorAll('.row')].at(-1);
      row?.setAttribute('data-before', '');
      const gone = { rows: 0 };
      Object.assign(window, { gone });
      new MutationObserver((records) => {
        for (const { removedNodes } of records)
          for (const node of removedNodes)
            if (node instanceof HTMLElement && node.matches('.row')) gone.rows += 1;
      }).observe(document.body, { childList: true, subtree: true });
    });
    await join(page, host());
    await opened.page.getByText('Message 20.').waitFor({ state: 'attached' });
    await opened.drawn();
    const after = await placeOf(page, 'Message 40.');
    assert.equal(after.left, 0);
    // Rows stand at parts of a pixel, and the browser scrolls by whole ones.
    assert.ok(Math.abs(after.top - before.top) <= 1, `${before.top} → ${after.top}`);
    const now = await opened.page.evaluate(() => {
      const { activeElement } = document;
      const area = activeElement instanceof HTMLTextAreaElement ? activeElement : undefined;
      return {
        typed: area?.value,
        caret: area?.selectionStart,
        rows: (window as unknown as { gone: { rows: number } }).gone.rows,
        same: document.querySelectorAll('.row[data-before]').length,
      };
    });
    assert.deepEqual(now, { typed: 'half a thought', caret: 13, rows: 0, same: 1 });
  });

  it('keeps what is typed when the host has it on record before the page draws its first snapshot', async () => {
    const page = await open(await paintOf());
    await page.input.pressSequentially('half a thought');
    await page.opened.page.evaluate(holdFrames, { type: 'reply', more: '' });
    const stage = host();
    await join(page, stage);
    await eventually(() => assert.equal(stage.saved.get(S)?.draft, 'half a thought'));
    await page.opened.drawn();
    assert.equal(await page.input.inputValue(), 'half a thought');
  });

  it('keeps a key that is typed while the page draws what the host inserts', async () => {
    const page = await open(await paintOf());
    const stage = host();
    await join(page, stage);
    await page.input.pressSequentially('typed');
    await eventually(() => assert.equal(stage.saved.get(S)?.draft, 'typed'));
    await page.opened.page.evaluate(holdFrames, { type: 'signal', more: ' on' });
    stage.panel.line.signal({ kind: 'insert', text: 'inserted' });
    await eventually(() => assert.match(stage.saved.get(S)?.draft ?? '', /inserted/u));
    await page.opened.drawn();
    assert.equal(await page.input.inputValue(), 'typed\ninserted on');
  });

  it('stays where the person had scrolled to', async () => {
    const scrolled = (stage: Stage): void => {
      const messageId = stage.messages.get(S)?.[24]?.id ?? '';
      stage.saved.set(S, { draft: '', scroll: { messageId, offset: 20 } });
    };
    const page = await open(await paintOf(scrolled));
    const before = await placeOf(page, 'Message 25.');
    await join(page, host(scrolled));
    await page.opened.page.getByText('Message 1.').waitFor({ state: 'attached' });
    await page.opened.drawn();
    assert.equal((await placeOf(page, 'Message 25.')).top, before.top);
  });

  it('what is typed and sent meanwhile is done once, and its draft is on record', async () => {
    const page = await open(await paintOf());
    await page.input.fill('Sent early');
    await page.input.press('Enter');
    await page.opened.page.getByText('Sent early').waitFor();
    await page.input.fill('and more');
    const stage = host();
    await join(page, stage);
    await eventually(() => assert.equal(stage.saved.get(S)?.draft, 'and more'));
    assert.deepEqual(
      stage.calls.filter((call) => call.startsWith('send')),
      ['send queue Sent early'],
    );
    assert.equal(await page.input.inputValue(), 'and more');
  });

  it('a draft that the paint did not know comes, and none that is typed goes', async () => {
    const newer = (stage: Stage): void =>
      void stage.saved.set(S, { draft: 'typed later', scroll: null });
    const paint = await paintOf();
    const untouched = await open(paint);
    await join(untouched, host(newer));
    assert.equal(await untouched.input.inputValue(), 'typed later');
    const touched = await open(paint);
    await touched.input.fill('typed now');
    const stage = host(newer);
    await join(touched, stage);
    await eventually(async () =>
      assert.equal(await touched.input.inputValue(), 'typed later\n\ntyped now'),
    );
    await eventually(() => assert.equal(stage.saved.get(S)?.draft, 'typed later\n\ntyped now'));
  });

  it('an older draft of the paint is not mistaken for one that was typed by somebody who only scrolled', async () => {
    const draft = (text: string) => (stage: Stage) =>
      void stage.saved.set(S, { draft: text, scroll: null });
    const page = await open(await paintOf(draft('half')));
    const box = page.opened.page.locator('.scroll');
    await box.evaluate((one) => one.scrollTo({ top: one.scrollHeight / 2 }));
    await page.opened.drawn();
    const before = await placeOf(page, 'Message 36.');
    const stage = host(draft('half a thought'));
    await join(page, stage);
    assert.equal(await page.input.inputValue(), 'half a thought');
    assert.deepEqual((await placeOf(page, 'Message 36.')).top, before.top);
    assert.equal(stage.saved.get(S)?.draft, 'half a thought');
  });

  it('what is typed goes along when the session is gone, or another one was shown last', async () => {
    const paint = await paintOf();
    for (const [prepare, left] of [
      [(stage: Stage) => void stage.sessions.delete(S), ''],
      [(stage: Stage) => void (stage.lastSession = OTHER), OTHER],
    ] as const) {
      const page = await open(paint);
      await page.input.fill('typed now');
      const stage = host(prepare);
      await join(page, stage);
      await eventually(() => assert.equal(stage.saved.get(left)?.draft, 'typed now'));
      assert.equal(await page.input.inputValue(), 'typed now');
      assert.equal(stage.saved.get(S), undefined);
      assert.equal(await page.opened.page.getByText('Message 40.').count(), 0);
    }
  });

  it('takes what is typed where nothing was kept', async () => {
    const page = await open(undefined);
    await page.input.fill('typed now');
    const stage = host();
    await join(page, stage);
    await eventually(() => assert.equal(stage.saved.get(S)?.draft, 'typed now'));
    assert.equal(await page.input.inputValue(), 'typed now');
  });

  it('says so when there will be no host, and what was sent comes back', async () => {
    const page = await open(await paintOf());
    await page.input.fill('Sent early');
    await page.input.press('Enter');
    page.early.fail();
    await page.opened.page.getByText('Belay could not start').first().waitFor();
    await eventually(async () => assert.equal(await page.input.inputValue(), 'Sent early'));
  });
});
