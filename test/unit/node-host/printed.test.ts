import assert from 'node:assert/strict';
import { printed, printedJson, printedProblem } from '../../../src/hosts/node/headless/printed.ts';

const WICKED = 'a\u001b[2J\u001b]0;title\u0007b\u202ec\u0085d\u200be';

describe('what the headless host prints', () => {
  it('steers no terminal and hides nothing, as text', () => {
    for (const print of [printed, printedProblem]) {
      assert.doesNotMatch(print(WICKED), /(?![\n\t])[\p{Cc}\p{Cf}]/u);
      assert.match(print(WICKED), /^ab<U\+202E>c/u);
    }
    assert.equal(printed('Zeile eins\n\tzwei: äöü 😀'), 'Zeile eins\n\tzwei: äöü 😀');
  });

  it('as JSON means the same, with everything of that kind escaped', () => {
    const event = { text: `${WICKED}😀\u{e0041}` };
    const line = printedJson(JSON.stringify(event));
    assert.doesNotMatch(line, /[\p{Cc}\p{Cf}]/u);
    assert.deepEqual(JSON.parse(line), event);
  });

  it('holds no password of an address in a problem', () => {
    const text = printedProblem(
      '--model-url is "ftp://me:hunter2-abc@host/v1", but http is expected.',
    );
    assert.doesNotMatch(text, /hunter2/u);
    assert.match(text, /@host\/v1/u);
  });
});
