import assert from 'node:assert/strict';
import path from 'node:path';
import { call, calls, inOrder, say } from '../support/model-server/turn.ts';
import { BelayPage } from './belay-page.ts';
import { pictures } from './pictures.ts';

describe('VS Code in German', () => {
  it('panel, palette, a dialog of VS Code and the end of a run speak it', async () => {
    const settings = { 'belay.loop.maxIterations': 1 };
    await using belay = await BelayPage.start({ language: 'de', settings });
    const { page, workbench } = belay;
    const picture = async (name: string): Promise<void> => {
      if (process.env['BELAY_PICTURES'] !== undefined)
        await workbench.screenshot(path.join(pictures, `${name}.png`));
    };
    const panel = await belay.panel();
    const input = panel.getByRole('textbox', { name: 'Nachricht an Belay' });
    await page.locator('.activitybar [aria-label^="Datei-Explorer"]').first().waitFor();
    assert.equal(await panel.locator('html').getAttribute('lang'), 'de');

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
    await workbench.search('Belay: Neue Sitzung');
    await page.locator('.quick-input-list').getByText('Belay: Neue Sitzung').first().waitFor();
    await picture('german-panel');
  });
});
