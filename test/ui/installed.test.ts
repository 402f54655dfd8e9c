import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { copySampleWorkspace } from '../rig/sample-workspace.ts';
import { packageFile } from '../rig/package.ts';
import { Workbench } from '../rig/workbench.ts';

describe('the packaged extension in a real VS Code', () => {
  let workbench: Workbench;
  let folder: string;

  before(async () => {
    folder = await copySampleWorkspace();
    workbench = await Workbench.start({ folder, install: [packageFile] });
  });
  after(async () => {
    await workbench.stop();
    await rm(folder, { recursive: true, force: true });
  });

  it('shows its icon in the activity bar and opens its view from there', async () => {
    const { page } = workbench;
    const icon = page.locator('.activitybar .action-item', {
      has: page.locator('[aria-label^="Belay"]'),
    });
    await icon.waitFor();
    await icon.click();
    await page.locator('.sidebar .composite.title', { hasText: 'Belay' }).waitFor();
    assert.equal(await icon.count(), 1);
  });
});
