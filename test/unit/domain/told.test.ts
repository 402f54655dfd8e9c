import assert from 'node:assert/strict';
import { alsoTells, type Failure, tells, wordsOf } from '../../../src/domain/failure.ts';
import { speak } from '../../../src/domain/text/language.ts';
import { told } from '../../../src/domain/text/told.ts';

describe('a failure in words', () => {
  afterEach(() => speak('en'));

  const failed = (): Failure =>
    alsoTells(
      { code: 'auth', ...tells(told`${'api.example.org'} says: ${told`no ${'key'}`}.`) },
      told`(Request ${'7'})`,
    );

  it('is recorded in English, and said in the language of the person, each of its sentences', () => {
    assert.equal(failed().message, 'api.example.org says: no key. (Request 7)');
    speak('de', {
      '{0} says: {1}.': '{0} sagt: {1}.',
      'no {0}': 'kein {0}',
      '(Request {0})': '(Anfrage {0})',
    });
    const kept = JSON.parse(JSON.stringify(failed())) as Failure;
    assert.equal(kept.message, 'api.example.org says: no key. (Request 7)');
    assert.equal(wordsOf(kept), 'api.example.org sagt: kein key. (Anfrage 7)');
  });

  it('whose sentences are not known is said as it was recorded', () => {
    const old = alsoTells({ code: 'api', message: 'It is so.' }, told`(Request ${'7'})`);
    assert.equal(wordsOf(old), 'It is so. (Request 7)');
  });

  it('has values that are never read as places of others', () => {
    const odd = tells(told`${'{1}'} and ${'x'}`);
    assert.equal(odd.message, '{1} and x');
    assert.equal(wordsOf(odd), '{1} and x');
  });
});
