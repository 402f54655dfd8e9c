import assert from 'node:assert/strict';
import type { BelayPage } from './belay-page.ts';

/** Drags the border of the side bar until the panel is so wide, in CSS pixels. */
export async function setPanelWidth(belay: BelayPage, width: number): Promise<void> {
  const { page } = belay;
  const bar = page.locator('.part.sidebar');
  const present = await bar.boundingBox();
  assert.ok(present);
  if (Math.abs(present.width - width) < 2) return;
  const y = present.y + present.height / 2;
  const edge = present.x + present.width;
  await page.mouse.move(edge, y);
  await page.mouse.down();
  await page.mouse.move(edge + (width - present.width), y, { steps: 5 });
  await page.mouse.up();
  await belay.until('the side bar has the width', async () => {
    const now = await bar.boundingBox();
    return now !== null && Math.abs(now.width - width) < 6;
  });
}
