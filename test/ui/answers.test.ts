import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Locator } from 'playwright-core';
import { A_MOMENT, happens } from '../rig/workbench.ts';
import { call, calls, say } from '../support/model-server/turn.ts';
import { LocalPages } from '../support/web/local-pages.ts';
import type { BelayPage } from './belay-page.ts';
import { ASKED_CALLS, type Place } from './panel-preview/answered-calls.ts';
import { useSharedWindow } from './window.ts';

/** Offered through `use_tool`, and asked about once more before the model reads it. */
const WEB = 'a page of the web';
/**
 * One that is asked once, one that opens a diff, which takes the focus, and one that is asked twice. All kinds are tried
 * in `panel-preview/answers.test.ts`: to the way of a key through VS Code the others add nothing.
 */
const KINDS = ['a command', 'an edit of configuration that is run', WEB];

describe('what becomes of an answer, in a real VS Code', () => {
  let belay: BelayPage;
  let outside: string;
  let pages: LocalPages;
  let cases = 0;

  useSharedWindow((page) => {
    belay = page;
  });
  beforeEach(() => belay.mode('Ask'));
  before(async () => {
    outside = await mkdtemp(path.join(tmpdir(), 'belay-answers-'));
    pages = await LocalPages.open((_request, response) => response.end('a page'));
  });
  after(async () => {
    await pages[Symbol.asyncDispose]();
    await rm(outside, { recursive: true, force: true });
  });

  /** A new session in which the model does this. */
  async function begin(kind: string, id: number): Promise<() => boolean> {
    const asked = ASKED_CALLS[kind];
    assert.ok(asked);
    const place: Place = { workspace: belay.folder, outside, id, pages };
    await mkdir(path.join(belay.folder, '.husky'), { recursive: true });
    asked.prepare?.(place);
    const [tool, input] = asked.call(place);
    await belay.newSession();
    belay.use(({ messages }) =>
      JSON.stringify(messages).includes('tool_result')
        ? say('Done.')
        : calls(kind === WEB ? call('use_tool', { tool, input }) : call(tool, input)),
    );
    await belay.ask('Do it');
    return () => asked.happened(place);
  }

  /** The question, once it takes an answer. */
  async function question(): Promise<Locator> {
    await belay.approval();
    return (await belay.panel()).locator('.approval[data-armed="true"]').first();
  }

  async function press(keys: string): Promise<void> {
    await (await question()).press(keys);
  }

  /** The key of the yes shows first what was not on the screen. */
  async function allowByKey(): Promise<void> {
    const id = await (await question()).getAttribute('data-question');
    const card = (await belay.panel()).locator(`.approval[data-question="${id}"]`);
    await belay.until('the key is taken', async () => {
      if ((await card.count()) === 0) return true;
      // A diff that opens meanwhile takes the focus.
      await happens(() => card.press('Control+Enter', { timeout: A_MOMENT }));
      return happens(() => card.waitFor({ state: 'detached', timeout: 300 }));
    });
  }

  const ended = async (): Promise<void> => {
    await belay.shows('Done.');
    await belay.idle();
  };

  /** Half of the kinds are answered in one way, half in the other; each kind in each way stands in panel-preview/answers. */
  for (const [index, kind] of KINDS.entries()) {
    const byKey = index % 2 === 0;
    const allow = async (): Promise<void> => {
      const asked = await question();
      if (byKey) return belay.sayYes(asked);
      await allowByKey();
    };
    it(`${kind}: denied by the ${byKey ? 'key, allowed by the button' : 'button, allowed by the key'}`, async () => {
      const denied = await begin(kind, (cases += 1));
      if (byKey) await press('Control+Shift+Backspace');
      else await (await question()).locator('[data-answer="deny"]:enabled').click();
      await ended();
      assert.equal(denied(), false);
      const allowed = await begin(kind, (cases += 1));
      await allow();
      if (kind === WEB) {
        await belay.shows('Let the model read');
        await allow();
      }
      await ended();
      assert.equal(allowed(), true);
    });
  }

  it('an approval for the project: the same command runs again without a question', async () => {
    const id = (cases += 1);
    const happened = await begin('a command', id);
    const card = await question();
    await card.locator('.keep-more').click();
    await (await belay.panel()).getByRole('menuitem', { name: /^For This Project/u }).click();
    await ended();
    assert.equal(happened(), true);
    await rm(path.join(belay.folder, `ran-${id}`));
    const again = await begin('a command', id);
    // The last answer may still be on the screen for a moment.
    await belay.until('it runs again, unasked', async () => again());
  });
});
