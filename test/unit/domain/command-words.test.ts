import assert from 'node:assert/strict';
import { BelayError, commandWordsOf, fault } from '../../../src/domain/failure.ts';
import { told } from '../../../src/domain/text/told.ts';

describe('the words of a command that failed', () => {
  it('names the command and the reason, without advice for a conversation', () => {
    const thrown = new Error('Unable to write into user settings. Correct it and try again.');
    assert.equal(
      commandWordsOf(thrown, 'Set API Key…'),
      'Set API Key failed: Unable to write into user settings. Correct it and try again.',
    );
  });

  it('leaves out what only a run can do, whether the sentences are known apart or not', () => {
    const advice =
      'Everything so far is kept; nothing unfinished was run: send a message to go on.';
    const known = fault('stream_broken', told`The answer of ${'m'} broke off. ${advice}`);
    assert.equal(commandWordsOf(known, 'x'), 'The answer of m broke off.');
    const plain = new BelayError({ code: 'empty_response', message: `Nothing came. ${advice}` });
    assert.equal(commandWordsOf(plain, 'x'), 'Nothing came.');
    const own = fault('config', told`Everything so far is kept. Choose a model.`);
    assert.equal(commandWordsOf(own, 'x'), 'Everything so far is kept. Choose a model.');
  });
});
