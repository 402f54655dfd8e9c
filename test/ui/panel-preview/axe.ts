import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { AxeResults } from 'axe-core';
import type { Frame, Page } from 'playwright-core';

const source = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

/** What axe finds on a page, or within one element of it, a line for each element; WCAG 2.2 A and AA, and best practices. */
export async function violations(page: Page | Frame, within = 'html'): Promise<readonly string[]> {
  // Past the page's own policy, which allows no other script.
  await page.evaluate(source);
  const { violations: found } = (await page.evaluate(
    `axe.run(${JSON.stringify(within)})`,
  )) as AxeResults;
  return found.flatMap(({ id, help, nodes }) =>
    nodes.map(
      ({ target, failureSummary }) => `${id}: ${help}: ${target.join(' ')}: ${failureSummary}`,
    ),
  );
}
