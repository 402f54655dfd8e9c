import assert from 'node:assert/strict';
import {
  explainText,
  fixTestText,
  fixText,
  quotedText,
  reviewText,
} from '../../../src/window/asks/ask-texts.ts';
import { LONGEST_PROMPT, readPromptLink } from '../../../src/window/asks/prompt-link.ts';

describe('what menus and code actions ask', () => {
  it('names place, line, problem and rule', () => {
    const problem = { line: 3, message: 'Type A is no B.\nSee C.', rule: 'ts 2345' };
    assert.equal(
      fixText('src/a.ts', [problem]),
      'Fix this problem in src/a.ts:\n\n- line 3: Type A is no B.\n  See C. (ts 2345)',
    );
    assert.match(
      explainText('src/a.ts', [problem]),
      /^Explain this problem in src\/a\.ts.*Change nothing/u,
    );
    assert.match(fixText('src/a.ts', []), /fix what is wrong there/u);
    assert.match(reviewText('a.ts'), /uncommitted changes of a\.ts/u);
  });

  it('is bounded, and hides nothing of what strangers say', () => {
    const long = { line: 1, message: `a\u202Eb${'x'.repeat(10_000)}`, rule: '' };
    const text = fixText(
      'a.ts',
      Array.from({ length: 30 }, () => long),
    );
    assert.ok(text.length < 25_000, `${text.length}`);
    assert.match(text, /a<U\+202E>b/u);
    assert.match(text, /- and 10 more$/u);
  });

  it('quotes so that nothing in the text ends the quote', () => {
    const quoted = quotedText('before\n````\nafter\n');
    assert.equal(quoted, '`````\nbefore\n````\nafter\n`````');
    const failed = fixTestText({
      name: 'sums › adds',
      place: 'a.test.ts:4',
      message: 'no',
      expected: '2',
      actual: '3',
    });
    assert.match(failed, /^The test “sums › adds” \(a\.test\.ts:4\) fails\./u);
    assert.match(failed, /```\nno\nexpected: 2\nactual: 3\n```$/u);
  });
});

describe('a link that fills the input', () => {
  it('gives its text, whatever is in it', () => {
    assert.deepEqual(readPromptLink('text=Fix a & b = c\nplease'), {
      text: 'Fix a & b = c\nplease',
    });
  });

  it('security 7: loses controls and what turns or hides characters; emoji stay', () => {
    const tags = String.fromCodePoint(0xe0061, 0xe0062);
    const text = `a\u202Eb\u2066c\u200Bd\u001b[31me\u0007f${tags}g\r\n👩‍🚀`;
    assert.deepEqual(readPromptLink(`text=${text}`), { text: 'abcdefg\n👩‍🚀' });
  });

  it('is refused with a reason when it is empty, too long or something else', () => {
    for (const query of ['', 'text=', 'text=\u200B \u202E', 'file=/etc/passwd', 'a=1&text=b'])
      assert.ok('problem' in readPromptLink(query), query);
    assert.ok('problem' in readPromptLink(`text=${'x'.repeat(LONGEST_PROMPT + 1)}`));
  });
});
