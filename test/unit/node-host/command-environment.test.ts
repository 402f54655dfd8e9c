import assert from 'node:assert/strict';
import path from 'node:path';
import { commandEnvironment } from '../../../src/hosts/node/processes/command-environment.ts';

describe('environment of commands', () => {
  it('security 9: passes on what programs need, and nothing else', () => {
    const environment = commandEnvironment({
      PATH: '/bin',
      HOME: '/home/u',
      LANG: 'de_DE.UTF-8',
      LC_ALL: 'C',
      JAVA_HOME: '/java',
      XDG_CACHE_HOME: '/cache',
      HTTPS_PROXY: 'http://proxy:8080',
      ANTHROPIC_API_KEY: 'secret',
      GITHUB_TOKEN: 'secret',
      AWS_SECRET_ACCESS_KEY: 'secret',
      NODE_OPTIONS: '--inspect',
      LD_PRELOAD: '/evil.so',
      BASH_ENV: '/evil.sh',
      ELECTRON_RUN_AS_NODE: '1',
      VSCODE_IPC_HOOK: '/sock',
      UNSET: undefined,
    });
    assert.deepEqual(
      Object.keys(environment).filter(
        (name) =>
          ![
            'TERM',
            'NO_COLOR',
            'PAGER',
            'GIT_PAGER',
            'MANPAGER',
            'GIT_TERMINAL_PROMPT',
            'GIT_EDITOR',
            'GIT_OPTIONAL_LOCKS',
            'DEBIAN_FRONTEND',
            'PYTHONUNBUFFERED',
          ].includes(name),
      ),
      ['PATH', 'HOME', 'LANG', 'LC_ALL', 'JAVA_HOME', 'XDG_CACHE_HOME', 'HTTPS_PROXY'],
    );
  });

  it('security 9: leaves out an address that holds a password', () => {
    assert.equal(
      commandEnvironment({ HTTPS_PROXY: 'http://user:pw@proxy:8080' })['HTTPS_PROXY'],
      undefined,
    );
  });

  it('lets nothing ask or page, whatever we have', () => {
    const environment = commandEnvironment({
      PAGER: 'less',
      TERM: 'xterm-256color',
      GIT_TERMINAL_PROMPT: '1',
    });
    assert.deepEqual(
      [environment['PAGER'], environment['TERM'], environment['GIT_TERMINAL_PROMPT']],
      ['cat', 'dumb', '0'],
    );
  });

  it('security 3: a program’s name never means a file of the folder it runs in', () => {
    const { PATH } = commandEnvironment({
      PATH: ['', '.', 'bin', '/usr/bin', './x', '/bin'].join(path.delimiter),
    });
    assert.equal(PATH, ['/usr/bin', '/bin'].join(path.delimiter));
  });
});
