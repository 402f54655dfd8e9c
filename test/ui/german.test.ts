import assert from 'node:assert/strict';
import path from 'node:path';
import { call, calls, inOrder, say } from '../support/model-server/turn.ts';
import { pictures } from './pictures.ts';
import type { BelayPage } from './belay-page.ts';
import { useOwnWindow } from './window.ts';

describe('VS Code in German', () => {
  let belay: BelayPage;

  useOwnWindow({ language: 'de', settings: { 'belay.loop.maxIterations': 1 } }, (page) => {
    belay = page;
  });

  const picture = async (name: string): Promise<void> => {
    if (process.env['BELAY_PICTURES'] !== undefined)
      await belay.workbench.screenshot(path.join(pictures, `${name}.png`));
  };

  it('panel, palette, a dialog of VS Code and the end of a run speak it', async () => {
    const { page, workbench } = belay;
    const panel = await belay.panel();
    const input = panel.getByRole('textbox', { name: 'Nachricht an Belay' });
    await page.locator('.activitybar .action-item [aria-label^="Datei-Explorer"]').waitFor();
    await workbench.search('Belay: Neue Sitzung');
    await page.locator('.quick-input-list').getByText('Belay: Neue Sitzung').first().waitFor();
    await page.keyboard.press('Escape');

    belay.use(
      inOrder(
        say('Sieh [hier](http://127.0.0.1:9/seite) nach.'),
        calls(call('read_file', { path: 'package.json' })),
      ),
    );
    await input.fill('Wo steht das?');
    await input.press('Enter');
    await panel.getByRole('link', { name: 'hier' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Eine Seite von 127.0.0.1:9 öffnen?').waitFor();
    await dialog.getByText('Er führt auf diesen Rechner oder in Ihr eigenes Netz.').waitFor();
    await picture('german-dialog');
    await dialog.getByRole('button', { name: 'Abbrechen' }).click();

    await input.fill('Lies weiter');
    await input.press('Enter');
    await panel.getByText('Pausiert nach 1 Modellaufrufen, der Grenze für einen Lauf.').waitFor();
    await panel.getByRole('button', { name: 'Fortsetzen' }).first().waitFor();
    assert.equal(await panel.locator('html').getAttribute('lang'), 'de');
    await picture('german-panel');
  });
});
