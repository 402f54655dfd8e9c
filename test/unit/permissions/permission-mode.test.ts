import assert from 'node:assert/strict';
import { inEnglish } from '../../../src/domain/text/told.ts';
import { MODES, modeFrom, RENAMED_MODES } from '../../../src/domain/permissions/permission-mode.ts';
import { checkSetting, settingsFrom } from '../../../src/domain/settings/read-settings.ts';

describe('permission modes', () => {
  it('takes names of earlier versions, and nothing else', () => {
    for (const mode of MODES) assert.equal(modeFrom(mode), mode);
    assert.equal(modeFrom('edits'), 'edit');
    assert.equal(modeFrom('all'), 'auto');
    for (const other of ['', 'ALL', 'toString', '__proto__', 1, null, undefined])
      assert.equal(modeFrom(other), undefined);
  });

  it('E7: a setting with an old name is read by its present one, without a complaint', () => {
    for (const [old, present] of Object.entries(RENAMED_MODES)) {
      assert.deepEqual(checkSetting('permissions.mode', old), { value: present });
      const get = settingsFrom(
        () => old,
        ({ message }) => assert.fail(inEnglish(message)),
      );
      assert.equal(get('permissions.mode'), present);
    }
    const { problem } = checkSetting('permissions.mode', 'constructor');
    assert.match(inEnglish(problem?.message ?? assert.fail()), /one of/u);
  });
});
