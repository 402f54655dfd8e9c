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
  isProposed: (path) => path === '/really/two/new.ts',
};

describe('the file that a link of the panel means', () => {
  it('is on disk, or is proposed; of what is neither it is said that it may not have been kept', async () => {
    assert.deepEqual(await resolveLink({ path: 'there.ts' }, parts), {
      path: '/two/there.ts',
      proposed: false,
    });
    assert.deepEqual(await resolveLink({ path: 'new.ts', line: 3 }, parts), {
      path: '/really/two/new.ts',
      proposed: true,
    });
    await assert.rejects(resolveLink({ path: 'gone.ts' }, parts), /not there.*not kept/u);
    await assert.rejects(resolveLink({ path: '/etc/new.ts' }, parts), /not in a folder/u);
  });
});
