import assert from 'node:assert/strict';
import {
  alsoTells,
  type Failure,
  sentenceOf,
  tells,
  wordsOf,
} from '../../../src/domain/failure.ts';
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

  it('has numbers with the separators of the language', () => {
    const full = tells(told`${12_345} of ${20_000.5} tokens`);
    assert.equal(full.message, '12,345 of 20,000.5 tokens');
    speak('de', { '{0} of {1} tokens': '{0} von {1} Token' });
    assert.equal(wordsOf(full), '12.345 von 20.000,5 Token');
  });

  it('is part of another sentence, whole and in both languages', () => {
    const why = alsoTells({ code: 'api', ...tells(told`It is so.`) }, told`(Request ${'7'})`);
    const outer = tells(told`It failed: ${sentenceOf(why)} All is kept.`);
    const old = tells(told`It failed: ${sentenceOf({ message: 'As {0} it was.' })} All is kept.`);
    assert.equal(outer.message, 'It failed: It is so. (Request 7) All is kept.');
    assert.equal(old.message, 'It failed: As {0} it was. All is kept.');
    speak('de', {
      'It is so.': 'So ist es.',
      '(Request {0})': '(Anfrage {0})',
      'It failed: {0} All is kept.': 'Es misslang: {0} Alles ist da.',
    });
    assert.equal(wordsOf(outer), 'Es misslang: So ist es. (Anfrage 7) Alles ist da.');
    assert.equal(wordsOf(old), 'Es misslang: As {0} it was. Alles ist da.');
  });
});
