import assert from 'node:assert/strict';
import { argumentText, readLine } from '../../../src/panel/input/sources/prompt-line.ts';
import { templateAt } from '../../../src/panel/input/sources/uri-template.ts';
import { placeOf, refOf } from '../../../src/panel/input/sources/file-place.ts';

describe('what is typed behind a command', () => {
  const last = (query: string) => readLine(query)?.last;

  it('is read up to its last word', () => {
    assert.equal(readLine('s:prompt'), undefined);
    assert.deepEqual(readLine('s:prompt '), {
      name: 's:prompt',
      given: {},
      last: { argument: undefined, text: '' },
      before: 's:prompt ',
    });
    assert.deepEqual(last('s:prompt ci'), { argument: undefined, text: 'ci' });
    assert.deepEqual(last('s:prompt city='), { argument: 'city', text: '' });
    assert.deepEqual(last('s:prompt city=Lon'), { argument: 'city', text: 'Lon' });
    assert.deepEqual(last('s:prompt city="New Yo'), { argument: 'city', text: 'New Yo' });
    assert.deepEqual(last('s:prompt city="New '), { argument: 'city', text: 'New ' });
    assert.deepEqual(last('s:prompt city=London '), { argument: undefined, text: '' });
  });

  it('keeps what was given before, and where the last word stands', () => {
    const line = readLine('s:prompt city="New York" state=N');
    assert.deepEqual(line?.given, { city: 'New York', state: 'N' });
    assert.equal(line?.before, 's:prompt city="New York" ');
    assert.equal(readLine('s:prompt city="New York"')?.before, 's:prompt city="New York" ');
    assert.deepEqual(last('s:prompt city="New York"'), { argument: undefined, text: '' });
  });

  it('is written so that it is read as the same again', () => {
    for (const value of ['London', 'New York', 'a=b', '', 'say "hi"']) {
      const text = argumentText('x', value);
      const read = readLine(`s:p ${text} `)?.given['x'] ?? '';
      assert.equal(read, value.replaceAll('"', "'"));
    }
  });
});

describe('an address that is typed along a template', () => {
  it('finds the variable, its value, and those before it', () => {
    const template = 'demo://{kind}/of/{id}/end';
    assert.equal(templateAt(template, 'other://'), undefined);
    assert.deepEqual(templateAt(template, 'demo://te'), {
      variable: 'kind',
      value: 'te',
      before: 'demo://',
      after: '/of/',
      isLast: false,
      given: {},
    });
    assert.deepEqual(templateAt(template, 'demo://text/of/1'), {
      variable: 'id',
      value: '1',
      before: 'demo://text/of/',
      after: '/end',
      isLast: true,
      given: { kind: 'text' },
    });
    assert.equal(templateAt('a://{+path}', 'a://x/y')?.value, 'x/y');
    assert.equal(templateAt('a://fixed', 'a://fixed'), undefined);
  });
});

describe('a place in a file', () => {
  it('is the same after it was written and read', () => {
    for (const place of [{ path: '/a/b#1-2:3' }, { path: '/a b', lines: { from: 3, to: 9 } }])
      assert.deepEqual(placeOf(refOf(place)), place);
  });
});
