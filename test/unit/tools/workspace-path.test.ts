import assert from 'node:assert/strict';
import { absolutePath, shownPath } from '../../../src/tools/workspace-path.ts';

describe('how a path of the workspace is written', () => {
  const shown: readonly (readonly [string, readonly string[], string])[] = [
    ['/work/app/src/a.ts', ['/work/app'], 'src/a.ts'],
    ['/work/app', ['/work/app'], '.'],
    ['/work/application/a.ts', ['/work/app'], '/work/application/a.ts'],
    ['/work/app/a.ts', ['/work/app', '/work/site'], 'app/a.ts'],
    ['/work/site/a.ts', ['/work/app', '/work/site'], 'site/a.ts'],
    ['/work/site', ['/work/app', '/work/site'], 'site'],
    ['/old/app/a.ts', ['/work/app', '/old/app'], '/old/app/a.ts'],
    ['/old/app', ['/work/app', '/old/app'], '/old/app'],
  ];
  for (const [path, roots, text] of shown)
    it(`${path} in ${roots.join(' and ')}: ${text}, and back`, () => {
      assert.equal(shownPath(path, roots), text);
      assert.equal(absolutePath(text, roots), path);
    });
});
