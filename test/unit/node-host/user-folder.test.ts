import assert from 'node:assert/strict';
import { locateUserFolder } from '../../../src/hosts/node/user-folder.ts';

describe('the folder of the user’s data', () => {
  const locate = (platform: NodeJS.Platform, environment: Readonly<Record<string, string>> = {}) =>
    locateUserFolder({ platform, environment, home: '/home/me' });

  it('is where each platform keeps data of programs, unless BELAY_USER_DATA names another', () => {
    assert.equal(locate('linux'), '/home/me/.local/share/belay');
    assert.equal(locate('linux', { XDG_DATA_HOME: '/data' }), '/data/belay');
    assert.equal(locate('darwin'), '/home/me/Library/Application Support/belay');
    assert.equal(locate('win32'), '/home/me/AppData/Roaming/belay');
    assert.equal(locate('win32', { APPDATA: '/roaming' }), '/roaming/belay');
    for (const platform of ['linux', 'darwin', 'win32'] as const)
      assert.equal(locate(platform, { BELAY_USER_DATA: '/own' }), '/own');
  });

  it('is not taken from a relative path, which each program would read from its own folder', () => {
    const relative = { BELAY_USER_DATA: 'own', XDG_DATA_HOME: 'share' };
    assert.equal(locate('linux', relative), '/home/me/.local/share/belay');
  });
});
