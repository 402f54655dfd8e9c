import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { call, calls, say } from '../support/model-server/turn.ts';
import type { Script } from '../support/model-server/turn.ts';
import type { BelayPage } from './belay-page.ts';
import { useSharedWindow } from './window.ts';

describe('what waits for the person while they look elsewhere (D9)', () => {
  let belay: BelayPage;

  useSharedWindow((page) => {
    belay = page;
  });

  const marker = (): string => path.join(belay.folder, 'marker.txt');
  const status = () => belay.page.locator('.statusbar-item', { hasText: /Belay/ });

  /** By what the conversation ends with, because runs of several sessions ask at the same time. */
  const commandThen = (command: string, answer: string): Script => {
    return (request) =>
      JSON.stringify(request.messages.at(-1)).includes('tool_result')
        ? say(answer)
        : calls(call('run_command', { command }));
  };

  /** Starts a run that asks for a command, and leaves its session. */
  const waitElsewhere = async (command: string): Promise<void> => {
    await belay.newSession();
    belay.use(commandThen(command, 'Done elsewhere.'));
    await belay.ask('Run it in the background');
    await belay.approval();
    await belay.newSession();
  };

  it('D9: a notification, the status bar and a badge tell; Allow in the notification is a yes', async () => {
    await waitElsewhere('sh -c "echo 1 > marker.txt"');
    await belay.notification('echo 1 > marker.txt');
    await belay.until('the status bar tells', async () =>
      (await status().innerText()).includes('1 waiting'),
    );
    await belay.icon.locator('.badge', { hasText: '1' }).waitFor();
    assert.equal(existsSync(marker()), false);
    await belay.press('Allow', 'echo 1 > marker.txt');
    await belay.until('the command has run', () => existsSync(marker()));
    await belay.until(
      'nothing waits any more',
      async () => !(await status().innerText()).includes('waiting'),
    );
    await (await belay.panel()).getByText('Changed during commands').waitFor();
  });

  it('a command that the notification cannot show whole is not allowed from there', async () => {
    await waitElsewhere(`sh -c "echo ${'x'.repeat(300)} > second.txt"`);
    const toast = await belay.notification('echo xxx');
    assert.equal(await toast.getByRole('button', { name: 'Allow' }).count(), 0);
    await belay.press('Show', 'echo xxx');
    const card = await belay.approval();
    assert.match(await card.innerText(), /second\.txt/);
    await card.getByRole('button', { name: /^Deny/ }).click();
    await card.getByRole('textbox').press('Enter');
    await belay.shows('Done elsewhere.');
    assert.equal(existsSync(path.join(belay.folder, 'second.txt')), false);
  });

  it('while the panel is hidden, the status bar leads to what waits', async () => {
    await belay.newSession();
    belay.use(commandThen('sh -c "echo 3 > third.txt"', 'Finished now.'));
    await belay.ask('Run the third');
    await belay.approval();
    await belay.page.locator('.activitybar [aria-label^="Explorer"]').first().click();
    await status().click();
    await belay.allow('third.txt');
    await belay.shows('Finished now.');
    assert.equal(existsSync(path.join(belay.folder, 'third.txt')), true);
  });
});
