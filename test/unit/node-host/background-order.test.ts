import assert from 'node:assert/strict';
import os from 'node:os';
import { readOrder } from '../../../src/hosts/node/headless/background-order.ts';

const ORDER = {
  sessionId: 's1',
  settings: { 'permissions.mode': 'ask' },
  yeses: {
    rules: [{ effect: 'allow', command: 'npm test' }],
    files: ['/w/package.json'],
    contacted: ['https://example.org:443'],
    believed: [],
  },
  keys: { anthropic: 'sk-ant-secret' },
  keyed: [],
  searchKeys: {},
  roots: [os.tmpdir()],
  ownFolders: [os.tmpdir(), '/elsewhere'],
  person: { folder: os.tmpdir(), name: '' },
  ripgrep: [],
  serversOff: ['github'],
  proxies: { https_proxy: 'http://proxy.example.org:3128' },
};

describe('the order of a window to go on in the background', () => {
  it('is read whole', () => {
    assert.deepEqual(readOrder(JSON.stringify(ORDER)), ORDER);
    const more = { ...ORDER, telemetryKey: 'secret' };
    assert.deepEqual(readOrder(JSON.stringify(more)), more);
  });

  for (const [wrong, change] of Object.entries({
    'no session': { sessionId: '' },
    'a session that is no text': { sessionId: 7 },
    'a setting that does not exist': { settings: { 'permissions.everything': true } },
    'no folder': { roots: [] },
    'a folder that is not absolute': { roots: ['workspace'] },
    'a folder that is not there': { roots: ['/not-there'] },
    'a data folder that is gone': { ownFolders: ['/not-there'] },
    'keys that are no texts': { keys: { anthropic: { value: 'sk-ant-secret' } } },
    'a rule that cannot be read': { yeses: { ...ORDER.yeses, rules: [{ effect: 'always' }] } },
    'no person': { person: 'me' },
    'switches that are no list': { serversOff: 'github' },
  }))
    it(`is refused with ${wrong}, without a word of its keys`, () => {
      const text = JSON.stringify({ ...ORDER, ...change });
      assert.throws(
        () => readOrder(text),
        ({ message }: Error) => message !== '' && !message.includes('sk-ant-secret'),
      );
    });

  it('is refused where it is no JSON, without a word of it', () => {
    assert.throws(
      () => readOrder('{"keys":{"anthropic":"sk-ant-secret"'),
      ({ message }: Error) => !message.includes('sk-ant'),
    );
    assert.throws(() => readOrder(''), /started by Belay's window/u);
  });
});
