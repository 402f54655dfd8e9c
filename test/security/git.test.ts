import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync, rmSync } from 'node:fs';
import { mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { GitRepository } from '../../src/core/ports/commands/git.ts';
import { commandEnvironment } from '../../src/hosts/node/processes/command-environment.ts';
import { NodeGit } from '../../src/hosts/node/git/git.ts';
import { HostileRepository } from './hostile-repository.ts';

type Trap = (repository: HostileRepository) => Promise<void> | void;

/** Each way in which a repository gets something run by a command that only reads. */
const TRAPS: Readonly<Record<string, Trap>> = {
  'a file system monitor': (one) => one.config('core.fsmonitor', one.trap('fsmonitor')),
  'a clean filter': async (one) => {
    await one.write('.gitattributes', '* filter=x\n');
    one.config('filter.x.clean', one.trap('clean'));
    one.config('filter.x.smudge', one.trap('smudge'));
  },
  'a filter process that is required': async (one) => {
    await one.write('.gitattributes', '* filter=a=b.c\n');
    one.config('filter.x y.process', one.trap('process'));
    one.config('filter.a=b.c.process', one.trap('process'));
    one.config('filter.a=b.c.required', 'true');
  },
  'an external diff': (one) => one.config('diff.external', one.trap('external')),
  'a diff command by attribute': async (one) => {
    await one.write('.gitattributes', '* diff=x\n');
    one.config('diff.x.command', one.trap('command'));
  },
  'a text conversion': async (one) => {
    await one.write('.git/info/attributes', '* diff=x\n');
    one.config('diff.x.textconv', one.trap('textconv'));
  },
  'a program that checks signatures': (one) => {
    one.config('log.showSignature', 'true');
    one.config('gpg.program', one.trap('gpg'));
    one.config('format.pretty', '%H %G?');
    const commit = one
      .git('cat-file', 'commit', 'HEAD')
      .replace(
        '\n\n',
        '\ngpgsig -----BEGIN PGP SIGNATURE-----\n \n x\n -----END PGP SIGNATURE-----\n\n',
      );
    const written = execFileSync('git', ['hash-object', '-t', 'commit', '-w', '--stdin'], {
      cwd: one.ws,
      input: commit,
      encoding: 'utf8',
    });
    one.git('update-ref', 'refs/heads/main', written.trim());
  },
  'a hook': async (one) => {
    await one.script('.git/hooks/post-index-change', 'hook');
    await one.script('.git/hooks/post-checkout', 'checkout');
  },
  'a folder of hooks': async (one) => {
    await one.script('hooks/post-index-change', 'hook');
    one.config('core.hooksPath', 'hooks');
  },
  'an included configuration': async (one) => {
    await one.write('more', `[diff]\n\texternal = ${one.trap('included')}\n`);
    one.config('include.path', '../more');
  },
  'another place for the files': async (one) => {
    await mkdir(path.join(one.base, 'elsewhere'));
    await writeFile(path.join(one.base, 'elsewhere', 'secret'), 's');
    one.config('core.worktree', path.join(one.base, 'elsewhere'));
  },
  'objects that are fetched by a program': (one) => {
    one.config('extensions.partialClone', 'origin');
    one.config('core.repositoryFormatVersion', '1');
    one.config('remote.origin.url', `ext::sh -c "${one.trap('fetch')}"`);
    one.config('remote.origin.promisor', 'true');
    one.config('protocol.ext.allow', 'always');
    const blob = one.git('rev-parse', 'HEAD:b.bin').trim();
    rmSync(path.join(one.ws, '.git/objects', blob.slice(0, 2), blob.slice(2)));
  },
  'a submodule with a configuration of its own': async (one) => {
    const inner = path.join(one.ws, 'inner');
    execFileSync('git', ['init', '--quiet', inner]);
    await writeFile(path.join(inner, 'f'), 'x');
    const git = (...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@t', ...args], {
        cwd: inner,
        stdio: 'ignore',
      });
    git('add', '.');
    git('commit', '--quiet', '-m', 'x');
    one.git('add', 'inner');
    await writeFile(path.join(inner, '.gitattributes'), '* filter=x\n');
    await writeFile(path.join(inner, 'f'), 'y');
    one.config('core.fsmonitor', one.trap('inner-fsmonitor'), inner);
    one.config('filter.x.clean', one.trap('inner-clean'), inner);
  },
  'a nested repository that no commit of now has': async (one) => {
    const inner = path.join(one.ws, 'vendor', 'inner');
    execFileSync('git', ['init', '--quiet', inner]);
    one.config('core.fsmonitor', one.trap('nested'), inner);
  },
  'differences of submodules': (one) => one.config('diff.submodule', 'diff'),
  'objects of another repository': (one) =>
    one.write('.git/objects/info/alternates', `${path.join(one.base, 'other/objects')}\n`),
  'a link to the objects of another repository': async (one) => {
    await rename(path.join(one.ws, '.git/objects'), path.join(one.base, 'objects'));
    await symlink(path.join(one.base, 'objects'), path.join(one.ws, '.git/objects'));
  },
  'a list of revisions outside the repository': (one) =>
    one.config('blame.ignoreRevsFile', path.join(one.base, 'x')),
  'a list of revisions that is a link': async (one) => {
    await symlink('/etc/hostname', path.join(one.ws, '.git-blame-ignore-revs'));
    one.config('blame.ignoreRevsFile', '.git-blame-ignore-revs');
  },
  'a bare repository among the files': async (one) => {
    await one.write('src/HEAD', 'ref: refs/heads/main\n');
    await one.write('src/objects/.keep', '');
    await one.write('src/refs/.keep', '');
    await one.write(
      'src/config',
      `[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tworktree = ..\n\tfsmonitor = "${one.trap('bare')}"\n`,
    );
  },
};

/** Harmless by itself, but whatever a terminal or a person calls runs it. */
const QUIET_TRAPS: Readonly<Record<string, Trap>> = {
  'a pager': (one) => {
    one.config('core.pager', one.trap('pager'));
    one.config('pager.log', one.trap('pager'));
  },
  'aliases by the names of commands': (one) => {
    for (const name of ['status', 'diff', 'log'])
      one.config(`alias.${name}`, `!${one.trap('alias')}`);
  },
  'an editor, a password helper, a program for ssh': (one) => {
    for (const key of ['core.editor', 'core.askPass', 'core.sshCommand', 'sequence.editor'])
      one.config(key, one.trap('program'));
    one.config('credential.helper', `!${one.trap('helper')}`);
  },
};

/** What Belay asks git for. */
const CALLS: readonly (readonly string[])[] = [
  ['status', '--porcelain=v2', '--branch'],
  ['diff'],
  ['diff', '--cached'],
  ['diff', 'HEAD~1', '--', 'src/a.ts'],
  ['log', '-3', '--stat'],
  ['log', '-1', '-p'],
  ['show', 'HEAD'],
  ['blame', '--', 'src/a.ts'],
  ['for-each-ref', 'refs/heads'],
  ['ls-files', '--stage'],
];

describe('git in a hostile repository (security, rule 11)', () => {
  let one: HostileRepository;
  const git = new NodeGit();
  const { signal } = new AbortController();

  beforeEach(async () => {
    one = await HostileRepository.make();
  });
  afterEach(() => one.remove());

  const ran = (): string[] => readdirSync(one.canaries);

  async function open(folder = one.ws): Promise<GitRepository> {
    const repository = await git.repositoryOf(folder);
    assert.ok(repository);
    return repository;
  }

  it('reads what there is', async () => {
    const repository = await open(path.join(one.ws, 'src'));
    assert.equal(repository.top, one.ws);
    const run = (...args: string[]) => git.run({ repository, args, signal });
    assert.match((await run('status', '--short')).output, /^ M src\/a\.ts$/mu);
    assert.match((await run('diff')).output, /^\+three$/mu);
    assert.match((await run('log', '--oneline')).output, /second\n.*first/u);
    assert.match((await run('blame', '--', 'src/a.ts')).output, /three/u);
    assert.deepEqual(await git.hazards(one.ws), []);
  });

  for (const [name, trap] of Object.entries({ ...TRAPS, ...QUIET_TRAPS })) {
    it(`our own calls run nothing: ${name}`, async () => {
      await trap(one);
      const repository = await open(path.join(one.ws, 'src'));
      assert.equal(repository.top, one.ws);
      rmSync(one.canaries, { recursive: true });
      await mkdir(one.canaries);
      for (const args of CALLS) await git.run({ repository, args, signal });
      await git.hazards(path.join(one.ws, 'src'));
      assert.deepEqual(ran(), []);
    });
  }

  for (const [name, trap] of Object.entries(TRAPS)) {
    it(`a command of the model’s is asked about: ${name}`, async () => {
      await trap(one);
      const hazards = await git.hazards(path.join(one.ws, 'src'));
      assert.notDeepEqual(hazards, []);
      assert.ok(!hazards.some((hazard) => hazard.includes('cannot be read')), hazards.join());
    });
  }

  for (const [name, trap] of Object.entries(QUIET_TRAPS)) {
    it(`a command of the model’s runs nothing by itself: ${name}`, async () => {
      await trap(one);
      assert.deepEqual(await git.hazards(one.ws), []);
      const env = commandEnvironment(process.env);
      for (const command of ['status', 'diff', 'log -p', 'show', 'blame src/a.ts', 'branch'])
        execFileSync('git', command.split(' '), { cwd: one.ws, env, stdio: 'pipe' });
      assert.deepEqual(ran(), []);
    });
  }

  it('the traps are real: git without our hardening falls into them', async () => {
    const sprung = [
      'a file system monitor',
      'a clean filter',
      'an external diff',
      'a text conversion',
    ];
    for (const name of sprung) await TRAPS[name]?.(one);
    for (const args of [['status'], ['log', '-p'], ['diff']])
      spawnSync('git', args, { cwd: one.ws, stdio: 'ignore' });
    for (const name of ['clean', 'external', 'fsmonitor', 'textconv'])
      assert.ok(ran().includes(name), name);
  });

  it('calls that would write or run are not made', async () => {
    const repository = await open();
    for (const args of [['commit'], ['-c', 'x'], ['diff', '--output=x'], ['config', 'a.b', 'c']])
      await assert.rejects(git.run({ repository, args, signal }));
  });

  it('says what a revision is: a blob is a file without its path', async () => {
    const blob = one.git('rev-parse', 'HEAD:src/a.ts').trim();
    const tree = one.git('rev-parse', 'HEAD:src').trim();
    one.git('tag', '-m', 'x', 'note', blob);
    const kinds: Readonly<Record<string, string | undefined>> = {
      HEAD: 'commit',
      'HEAD~1': 'commit',
      main: 'commit',
      [blob]: 'blob',
      [blob.slice(0, 8)]: 'blob',
      'HEAD:src/a.ts': 'blob',
      note: 'blob',
      [tree]: 'tree',
      nothing: undefined,
      '--help': undefined,
      '': undefined,
    };
    for (const [name, kind] of Object.entries(kinds))
      assert.equal(await git.kindOf(path.join(one.ws, 'src'), name), kind, name);
    assert.equal(await git.kindOf(one.base, 'HEAD'), undefined);
    assert.equal(await git.topOf(path.join(one.ws, 'src')), one.ws);
  });

  it('asks where a .git leads to another repository, and not in worktrees and submodules', async () => {
    const other = path.join(one.base, 'other');
    execFileSync('git', ['init', '--quiet', other]);
    const folder = path.join(one.ws, 'inner');
    await mkdir(folder);
    await symlink(path.join(other, '.git'), path.join(folder, '.git'));
    assert.match((await git.hazards(folder)).join(), /leads to another repository/u);
    await rm(path.join(folder, '.git'));
    await writeFile(path.join(folder, '.git'), `gitdir: ${other}/.git\n`);
    assert.match((await git.hazards(folder)).join(), /leads to another repository/u);
    await rm(folder, { recursive: true });
    const tree = path.join(one.base, 'tree');
    one.git('worktree', 'add', '--quiet', tree);
    assert.deepEqual(await git.hazards(tree), []);
    one.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', tree, 'module');
    assert.deepEqual(await git.hazards(one.ws), []);
    await writeFile(path.join(one.ws, '.git', 'commondir'), `${other}/.git\n`);
    assert.match((await git.hazards(one.ws)).join(), /leads to another repository|cannot be read/u);
  });

  it('a nested repository that configures nothing is no hazard', async () => {
    execFileSync('git', ['init', '--quiet', path.join(one.ws, 'vendor', 'inner')]);
    assert.deepEqual(await git.hazards(one.ws), []);
  });

  it('git-lfs as it installs itself is no hazard', async () => {
    one.config('filter.lfs.clean', 'git-lfs clean -- %f');
    one.config('filter.lfs.process', 'git-lfs filter-process');
    assert.deepEqual(await git.hazards(one.ws), []);
  });

  it('output is bounded', async () => {
    await one.write('src/a.ts', 'x\n'.repeat(100_000));
    const repository = await open();
    const { output, cut } = await git.run({ repository, args: ['diff'], signal, maxBytes: 1000 });
    assert.equal(cut, true);
    assert.ok(output.length <= 1000);
  });
});
