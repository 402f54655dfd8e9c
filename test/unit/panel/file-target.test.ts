import assert from 'node:assert/strict';
import { resolveLink } from '../../../src/panel/file-target.ts';
import type { LinkParts } from '../../../src/panel/file-target.ts';

const parts: LinkParts = {
  roots: () => ['/one', '/two'],
  files: {
    stat: async (path) =>
      path === '/two/there.ts'
        ? { type: 'file', size: 1, modifiedAt: 1, readOnly: false }
        : undefined,
  },
  guard: {
    judge: async ({ path, access }) => ({
      path,
      access,
      real: path.replace(/^\/two/u, '/really/two'),
      place: path.startsWith('/etc') ? 'outside' : 'inside',
    }),
  },
};

describe('the file that a link of the panel means', () => {
  it('is on disk and in a folder of the workspace', async () => {
    assert.equal(await resolveLink({ path: 'there.ts' }, parts), '/two/there.ts');
    await assert.rejects(resolveLink({ path: 'gone.ts' }, parts), /not there/u);
    await assert.rejects(resolveLink({ path: '/etc/new.ts' }, parts), /not in a folder/u);
  });
});
