import assert from 'node:assert/strict';
import { FloodGuard } from '../../../src/mcp/transport/flood-guard.ts';
import { serverEnvironment } from '../../../src/mcp/config/environment.ts';
import { ServerLog } from '../../../src/mcp/status/server-log.ts';
import { FakeClock } from '../../support/fake-clock.ts';

describe('MCP: the log of a server', () => {
  it('keeps who said what and when', () => {
    const clock = new FakeClock();
    const log = new ServerLog(clock);
    log.add('server', 'hello');
    assert.deepEqual(log.lines, [{ at: clock.now(), source: 'server', text: 'hello' }]);
  });

  it('puts lines of the standard error together', () => {
    const log = new ServerLog(new FakeClock());
    log.addStderr('one\ntw');
    log.addStderr('o\r\n\nthr');
    assert.deepEqual(
      log.lines.map(({ text }) => text),
      ['one', 'two'],
    );
  });

  it('is bounded in lines and in their length', () => {
    const log = new ServerLog(new FakeClock());
    for (let line = 0; line < 5000; line += 1) log.add('stdout', `${line}`.padStart(5000, ' x'));
    assert.ok(log.lines.length >= 500 && log.lines.length <= 1000);
    assert.ok(log.lines.every(({ text }) => text.length <= 1000));
    log.addStderr('y'.repeat(1_000_000));
    log.addStderr('z\n');
    assert.ok((log.lines.at(-1)?.text.length ?? 0) <= 1001);
  });

  it('rule 7: shows no control sequences', () => {
    const log = new ServerLog(new FakeClock());
    log.addStderr('\u001b[31mred\u001b[0m \u202Eback\n');
    assert.equal(log.lines[0]?.text, 'red <U+202E>back');
  });

  it('knows what the process complained about', () => {
    const log = new ServerLog(new FakeClock());
    assert.equal(log.lastError(), undefined);
    log.addStderr('starting\n');
    assert.equal(log.lastError(), 'starting');
    log.addStderr("Error: Cannot find module 'x'\n    at load (a.js:1)\n\nNode.js v24.0.0\n");
    assert.equal(log.lastError(), "Error: Cannot find module 'x'");
    log.addStderr('fatal: no line end');
    assert.equal(log.lastError(), 'fatal: no line end');
  });
});

describe('MCP: the flood guard', () => {
  it('trips once, at more than 20,000 messages in ten seconds', () => {
    const clock = new FakeClock();
    let floods = 0;
    const guard = new FloodGuard(clock, () => (floods += 1));
    for (let count = 0; count < 20_000; count += 1) assert.equal(guard.count(), false);
    assert.equal(guard.count(), true);
    assert.equal(guard.count(), true);
    assert.equal(floods, 1);
  });

  it('lets the same number pass over a longer time', async () => {
    const clock = new FakeClock();
    const guard = new FloodGuard(clock, () => assert.fail('no flood'));
    for (let turn = 0; turn < 5; turn += 1) {
      guard.count(19_000);
      await clock.advance(10_001);
    }
  });
});

describe('MCP: the environment of a local server', () => {
  it('rule 9: is built up: what programs need, and what the definition adds', () => {
    const ours = {
      PATH: '/bin',
      HOME: '/home/me',
      PATHEXT: '.EXE',
      ANTHROPIC_API_KEY: 'secret',
      HTTPS_PROXY: 'http://me:secret@proxy',
      ELECTRON_RUN_AS_NODE: '1',
      NODE_OPTIONS: '--inspect',
      SHELL: '() { evil; }',
      LANG: undefined,
    };
    const made = serverEnvironment(ours, { TOKEN: 't' });
    assert.equal(made['PATH'], '/bin');
    assert.equal(made['TOKEN'], 't');
    const secrets = [
      'ANTHROPIC_API_KEY',
      'HTTPS_PROXY',
      'ELECTRON_RUN_AS_NODE',
      'NODE_OPTIONS',
      'SHELL',
      'LANG',
    ];
    assert.deepEqual(
      Object.keys(made).filter((name) => secrets.includes(name)),
      [],
    );
  });

  it('the definition wins', () => {
    assert.equal(serverEnvironment({ PATH: '/bin' }, { PATH: '/own' })['PATH'], '/own');
  });
});
