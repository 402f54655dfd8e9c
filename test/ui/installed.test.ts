import assert from 'node:assert/strict';
import type { BelayPage } from './belay-page.ts';
import { useSharedWindow } from './window.ts';

describe('the packaged extension in a real VS Code', () => {
  let belay: BelayPage;
  useSharedWindow((page) => {
    belay = page;
  });

  it('shows its icon in the activity bar and opens its view from there', async () => {
    const { page } = belay;
    await page.locator('.activitybar [aria-label^="Explorer"]').first().click();
    await belay.side.waitFor({ state: 'hidden' });
    await belay.icon.click();
    await belay.side.waitFor();
    assert.equal(await belay.icon.count(), 1);
  });
});
