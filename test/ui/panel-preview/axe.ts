import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { AxeResults, RunOptions } from 'axe-core';
import type { Frame, Page } from 'playwright-core';

const source = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

/** All rules for WCAG 2.2 A and AA and best practices, with those that axe still calls experimental. */
const ALL: RunOptions = {
  rules: {
    'css-orientation-lock': { enabled: true },
    'hidden-content': { enabled: false },
    'label-content-name-mismatch': { enabled: true },
    'p-as-heading': { enabled: true },
    'table-fake-caption': { enabled: true },
    'td-has-header': { enabled: true },
  },
};
/** The rules whose answer depends on the theme. */
const COLOURS: RunOptions = { runOnly: ['color-contrast', 'link-in-text-block'] };

/** What axe finds on a page, or within one element of it, a line for each element. `which`: the rules; all, as it stands. */
export async function violations(
  page: Page | Frame,
  within = 'html',
  which: 'all' | 'colours' = 'all',
): Promise<readonly string[]> {
  // Past the page's own policy, which allows no other script.
  if ((await page.evaluate('typeof axe')) === 'undefined') await page.evaluate(source);
  const options = {
    ...(which === 'all' ? ALL : COLOURS),
    resultTypes: ['violations'],
    preload: false,
    iframes: false,
  };
  const { violations: found } = (await page.evaluate(
    `axe.run(${JSON.stringify(within)}, ${JSON.stringify(options)})`,
  )) as AxeResults;
  return found.flatMap(({ id, help, nodes }) =>
    nodes.map(
      ({ target, failureSummary }) => `${id}: ${help}: ${target.join(' ')}: ${failureSummary}`,
    ),
  );
}
