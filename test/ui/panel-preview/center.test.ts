import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import { BelayError } from '../../../src/domain/failure.ts';
import { CENTER_SECTIONS } from '../../../src/protocol/center/view.ts';
import { SystemClock } from '../../../src/hosts/node/clock.ts';
import { fill, server, tool } from '../../support/center/center-scenes.ts';
import { CenterStage } from '../../support/center/center-stage.ts';
import { violations } from './axe.ts';
import { eventually } from './eventually.ts';
import type { PreviewPage } from './preview.ts';
import { sharedPreview } from './shared-preview.ts';

describe('the Control Center', function () {
  this.timeout(60_000);
  let stage: CenterStage;
  let opened: PreviewPage;
  let page: Page;

  async function open(prepare: (stage: CenterStage) => void = fill, width = 900): Promise<void> {
    stage = new CenterStage(new SystemClock(), prepare);
    const preview = await sharedPreview();
    opened = await preview.open(
      (transport) => stage.host.attach(transport),
      { theme: 'dark', width, height: 800 },
      'center',
    );
    page = opened.page;
    await page.locator('.rule-test').waitFor();
  }
  afterEach(async () => {
    assert.deepEqual(opened.console, []);
    await opened.close();
    stage.host.dispose();
  });

  const search = (): Locator => page.getByRole('searchbox');
  const called = async (...calls: readonly string[]): Promise<void> =>
    eventually(() => assert.deepEqual(stage.calls, calls));
  /** The row that has the focus. */
  const row = (): Promise<string> =>
    page.evaluate(
      () =>
        document.activeElement?.closest<HTMLElement>('[data-row]')?.dataset['row'] ??
        document.activeElement?.tagName ??
        '',
    );
  const isAt = async (name: string): Promise<void> =>
    eventually(async () => assert.equal(await row(), name));

  it('is walked through with the arrow keys; a server unfolds, a tool is switched', async () => {
    await open();
    assert.equal(await search().evaluate((field) => field === document.activeElement), true);
    await page.keyboard.press('ArrowDown');
    await isAt('mcp files');
    await page.keyboard.press('ArrowRight');
    await page.getByRole('switch', { name: 'Offer read_file' }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await isAt('mcp mcp__files__read_file');
    await page.keyboard.press('Space');
    await called('switch mcp__files__read_file off');
    await eventually(async () =>
      assert.equal(await page.getByRole('switch', { name: 'Offer read_file' }).isChecked(), false),
    );
    await isAt('mcp mcp__files__read_file');
    await page.keyboard.press('Tab');
    const approval = page.getByRole('combobox', { name: 'Approval of read_file' });
    assert.equal(await approval.evaluate((field) => field === document.activeElement), true);
    await approval.selectOption('deny');
    await called('switch mcp__files__read_file off', 'approve mcp__files__read_file deny');
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Home');
    await isAt('mcp files');
    await page.keyboard.press('ArrowLeft');
    await eventually(async () =>
      assert.equal(await page.getByRole('switch', { name: 'Offer read_file' }).count(), 0),
    );
    await isAt('mcp files');
    await page.keyboard.press('End');
    assert.equal(await row(), 'storage checkpoints');
    await page.keyboard.press('Escape');
    assert.equal(await search().evaluate((field) => field === document.activeElement), true);
  });

  it('an action leaves the focus in its row, also when its button goes, and when the row goes', async () => {
    await open((made) => {
      fill(made);
      made.onAction = (name, action) => {
        made.servers =
          action === 'restart'
            ? made.servers.filter((one) => one.name !== name)
            : made.servers.map((one) =>
                one.name === name
                  ? {
                      ...one,
                      state: 'stopped',
                      said: 'It was stopped by hand.',
                      actions: ['start', 'edit'],
                    }
                  : one,
              );
      };
    });
    const stop = page.getByRole('button', { name: 'Stop files' });
    await stop.focus();
    await stop.press('Enter');
    await page.getByRole('button', { name: 'Start files' }).waitFor();
    await isAt('mcp files');
    const restart = page.getByRole('button', { name: 'Restart hub' });
    await restart.focus();
    await restart.press('Enter');
    await restart.waitFor({ state: 'detached' });
    await isAt('mcp project-db');
    await called('stop files', 'restart hub');
  });

  it('one search finds servers, their tools, providers, tools and rules', async () => {
    await open();
    await search().fill('write_file');
    await page.getByRole('switch', { name: 'Offer write_file' }).waitFor();
    const offers = page.getByRole('switch', { name: /^Offer /u });
    assert.equal(await offers.count(), 1, 'only the tool that was found');
    assert.deepEqual(await page.locator('.center-section h2').allInnerTexts(), ['MCP servers']);
    await search().fill('git push');
    assert.deepEqual(await page.locator('.center-section h2').allInnerTexts(), [
      'Permission rules',
    ]);
    await page.getByRole('status').getByText('1 entry found').waitFor();
    await search().fill('openrouter');
    assert.deepEqual(await page.locator('.center-section h2').allInnerTexts(), ['Models']);
    await search().fill('nothing like it');
    await page.getByText('Nothing here has these words.').waitFor();
    await search().press('Escape');
    assert.equal(await page.locator('.center-section').count(), CENTER_SECTIONS.length);
  });

  it('instructions, skills, commands and personas: what counts and why not, a switch, a way to open, faults', async () => {
    await open();
    await search().fill('skills and personas');
    const row = (name: string): Locator =>
      page.locator('[data-section="customizations"] .tool-line').filter({ hasText: name });
    await row('CLAUDE.md').getByText('not in force: AGENTS.md counts').waitFor();
    await row('reviewer').getByText('Line 4: “baseUrl” has no effect in Belay.').waitFor();
    await page.getByText('1,200 tokens in each request').waitFor();
    const use = page.getByRole('switch', { name: 'Use AGENTS.md' });
    await use.focus();
    await use.press('Space');
    await called('use /w/AGENTS.md off');
    await isAt('customizations /w/AGENTS.md');
    await page.getByRole('button', { name: 'Open .belay/commands/review.md' }).click();
    await called('use /w/AGENTS.md off', 'open /w/.belay/commands/review.md');
    await search().fill('release');
    assert.equal(await page.locator('.center-section .tool-line').count(), 1);
  });

  it('what is refused is said with the reason, and the switch stays where it was', async () => {
    await open((made) => {
      fill(made);
      made.failure = new BelayError({
        code: 'config',
        message: 'run_task stays off: the settings of this workspace switch it off.',
      });
    });
    const task = page.getByRole('switch', { name: 'Offer run_task' });
    await task.focus();
    await task.press('Space');
    await page.getByRole('alert').getByText('run_task stays off').waitFor();
    await eventually(async () => assert.equal(await task.isChecked(), false));
    await page.getByRole('button', { name: 'Dismiss' }).click();
    assert.equal(await page.getByRole('alert').getByText('run_task').count(), 0);
  });

  it('goes where it is sent, also when that comes before it is read', async () => {
    await open((made) => {
      fill(made);
      queueMicrotask(() => made.host.go({ section: 'tools', item: 'run_task' }));
    });
    await isAt('tools run_task');
    stage.host.go({ section: 'mcp', item: 'project-db' });
    await isAt('mcp project-db');
    await page.getByText('node tools/db-server.mjs').waitFor();
    stage.host.go({ section: 'rules' });
    await isAt('H2');
    stage.host.go({ section: 'mcp', item: 'gone' });
    await eventually(async () =>
      assert.equal(
        await page.locator('#at-mcp').evaluate((one) => one === document.activeElement),
        true,
      ),
    );
  });

  it('shows what changed, and keeps search and unfolded servers when the page is loaded anew', async () => {
    await open();
    await page.locator('.server-name').first().click();
    await search().fill('e');
    stage.servers = [...stage.servers, server('late')];
    stage.changed('mcp');
    await page.locator('[data-server="late"]').first().waitFor();
    await page.reload();
    await page.getByRole('switch', { name: 'Offer read_file' }).waitFor();
    assert.equal(await search().inputValue(), 'e');
  });

  it('a server is switched off for good; its log comes while it is looked at; a link leads to one of its tools', async () => {
    await open();
    const dots = await page
      .locator('.server .dot')
      .evaluateAll((all) => all.map((one) => getComputedStyle(one).backgroundColor));
    assert.equal(new Set(dots.slice(0, 2)).size, 2, 'what runs and what does not are told apart');
    const own = page.getByRole('switch', { name: 'Switch files on' });
    assert.equal(await own.isChecked(), true);
    await own.click();
    await called('switch_off files');
    stage.host.go({ section: 'mcp', item: 'mcp__files__write_file' });
    await isAt('mcp mcp__files__write_file');
    await page.locator('.server-more summary', { hasText: /^Log$/u }).click();
    const log = page.getByRole('log', { name: 'Log of files' });
    await log.filter({ hasText: 'Calls “read_file”' }).waitFor();
    stage.log = [...stage.log, { at: 0, source: 'stderr', text: 'a new line' }];
    await log.filter({ hasText: /Calls “read_file”[^]*a new line/u }).waitFor();
    // A tool that is gone leads to its server.
    stage.host.go({ section: 'mcp', item: 'mcp__hub__gone' });
    await isAt('mcp hub');
  });

  it('the words of a server are words', async () => {
    const wicked = '<img src=x onerror=alert(1)> **b** [a](https://x.example)';
    await open((made) => {
      fill(made);
      made.servers = [
        server('odd', {
          said: wicked,
          title: wicked,
          tools: [tool('odd', 'a', { description: wicked })],
        }),
      ];
      made.log = [{ at: 0, source: 'server', text: wicked }];
    });
    await page.locator('.server-name').click();
    await page.locator('.server-more summary', { hasText: /^Log$/u }).click();
    await page.locator('.server-log', { hasText: '**b**' }).waitFor();
    assert.equal(await page.locator('.servers img, .servers a').count(), 0);
    assert.ok((await page.locator('.server').textContent())?.includes(wicked));
  });

  it('usage is added up another way, compared with other models and exported; a budget leads to its setting', async () => {
    await open();
    const section = page.locator('[data-section="usage"]');
    assert.equal(await section.locator('tbody tr').count(), 10);
    assert.equal(await section.locator('.usage-chart rect').count(), 10);
    await section.getByRole('button', { name: 'By session' }).focus();
    await page.keyboard.press('Enter');
    await section.getByRole('button', { name: 'Other Models: Mend the parser (app)' }).click();
    await section.getByText('Claude Haiku 4.5 $0.42').waitFor();
    await section.getByRole('button', { name: 'Setting: budget.usdPerDay' }).click();
    await section.getByRole('button', { name: 'Export as CSV…' }).click();
    await called('compare s1-1', 'setting budget.usdPerDay', 'export usage');
  });

  it('has nothing that axe objects to, in every theme and width', async () => {
    await open();
    await page.locator('.server-name').first().click();
    await page.locator('.server-more details').last().waitFor();
    for (const summary of await page.locator('.server-more summary').all()) await summary.click();
    await page.locator('.rule-test input').fill('git push origin');
    await page.locator('.verdict').waitFor();
    const found: string[] = [];
    // Colours do not depend on the width: each other theme is looked at in one.
    for (const [theme, widths] of [
      ['dark', [300, 600, 1200]],
      ['light', [600]],
      ['highContrast', [300]],
      ['highContrastLight', [1200]],
    ] as const)
      for (const width of widths) {
        // So high that nothing is scrolled out of sight: what is not seen is not judged.
        await opened.look({ theme, width, height: 4000 });
        for (const one of await violations(page)) found.push(`${theme} ${width}: ${one}`);
        const over = await page.evaluate(
          () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
        );
        if (over > 0) found.push(`${theme} ${width}: ${over} px too wide`);
      }
    assert.deepEqual(found, []);
  }).timeout(180_000);

  it('memory is changed, removed and brought back, saved and switched by the keyboard alone', async () => {
    await open();
    await search().fill('memory');
    await page.keyboard.press('ArrowDown');
    await isAt('memory switch');
    await page.keyboard.press('ArrowDown');
    await isAt('memory w2');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    const field = page.getByRole('textbox', { name: 'Text of the note' });
    await field.fill('Postgres listens on 5434.');
    await page.keyboard.press('Control+Enter');
    await page.getByText('Postgres listens on 5434.').waitFor();
    await isAt('memory w2');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await field.fill('Not this');
    await page.keyboard.press('Escape');
    await isAt('memory w2');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Undo' }).press('Enter');
    await page.getByText('Postgres listens on 5434.').waitFor();
    await page.getByRole('button', { name: 'Export as Markdown…' }).press('Enter');
    await page.getByRole('switch', { name: 'Use memory' }).press('Space');
    await called(
      'change w2 Postgres listens on 5434.',
      'remove w2',
      'restore w2',
      'export markdown',
      'memory off',
    );
    assert.deepEqual(await violations(page), []);
  });

  it('memory says how to begin when there is none', async () => {
    await open((empty) => {
      fill(empty);
      empty.memory = { problem: '', on: false, rows: [] };
    });
    await search().fill('memory');
    await page.getByText('Nothing is remembered yet.').waitFor();
    assert.equal(await page.getByRole('switch', { name: 'Use memory' }).isChecked(), false);
    assert.equal(await page.getByRole('button', { name: 'Export as JSON…' }).count(), 0);
  });
});
