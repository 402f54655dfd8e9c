import assert from 'node:assert/strict';
import fc from 'fast-check';
import { visibleCommand } from '../../src/core/permissions/command/visible-command.ts';

describe('a command as it is asked about (security, rule 3)', () => {
  it('is shown as it is when there is nothing to hide', () => {
    for (const command of ['ls -la', 'a &&\n  b', 'echo "עברית"', 'if x; then\n\ty\nfi'])
      assert.equal(visibleCommand(command), command);
  });

  it('has its long runs of blanks counted, so that the rest is in sight', () => {
    assert.equal(visibleCommand(`grep x${' '.repeat(400)}; rm y`), 'grep x ⟨400 blanks⟩ ; rm y');
    assert.equal(visibleCommand(`a${'\n'.repeat(300)}b`), 'a\n⟨300 line ends⟩\nb');
    assert.equal(visibleCommand(`a${' \n\t'.repeat(50)}b`), 'a\n⟨50 line ends⟩\n\tb');
  });

  it('names controls, reordering and odd blanks', () => {
    assert.equal(visibleCommand('ls\r\u202ex\u00a0y'), 'ls<U+000D><U+202E>x<U+00A0>y');
  });

  it('never puts the end of a command far from its beginning', () => {
    const blank = fc.constantFrom(' ', '\t', '\n', '\u2003', '\u00a0', '\u3000', '\r');
    fc.assert(
      fc.property(fc.array(blank, { maxLength: 500 }), (blanks) => {
        const shown = visibleCommand(`begin${blanks.join('')}end`);
        assert.ok(shown.includes('end'));
        assert.ok(!/\s{36}/u.test(shown), JSON.stringify(shown));
      }),
    );
  });
});
