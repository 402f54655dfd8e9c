import assert from 'node:assert/strict';
import { GuardedFiles } from '../../../src/core/permissions/guarded-files.ts';
import type { FileSystem } from '../../../src/core/ports/files/file-system.ts';
import type { JudgedPath } from '../../../src/core/permissions/path-guard.ts';
import type { Touch } from '../../../src/core/tool-call/tool-call.ts';
import { type Disk, diskOf } from './disk-rig.ts';

function guardOf(disk: Disk = {}) {
  const { guard, resolved } = diskOf(disk);
  const judge = (touch: Touch, roots = ['/ws']): Promise<JudgedPath> => guard.judge(touch, roots);
  const place = async (
    path: string,
    access: Touch['access'],
    roots?: string[],
  ): Promise<string> => {
    const { place: found, risk, once } = await judge({ path, access }, roots);
    const reason = risk === undefined ? '' : `: ${risk.code}`;
    return `${found}${once === true ? ', once' : ''}${reason}`;
  };
  return { guard, judge, place, resolved };
}

const KEY = 'secret: secret';
const OBEYED = 'config, once: obeyed';

describe('paths as they are judged', () => {
  it('a link is a secret by its own name and by what it leads to', async () => {
    const links = { '/ws/.env': '/ws/values', '/ws/values.txt': '/ws/a.key', '/ws/id_rsa': '/o/x' };
    const { place, judge } = guardOf({ links });
    assert.equal(await place('/ws/.env', 'read'), KEY);
    assert.equal(await place('/ws/values.txt', 'read'), KEY);
    assert.equal((await judge({ path: '/ws/.env', access: 'read' })).outside, undefined);
    assert.equal((await judge({ path: '/ws/id_rsa', access: 'read' })).outside, true);
  });

  it('a link is kept from the agent by its own name and by what it leads to', async () => {
    const links = { '/ws/a': '/ws/b', '/ws/c': '/ws/d' };
    const { place } = guardOf({ links, ignored: ['/ws/a', '/ws/d', '/ws/e'] });
    for (const path of ['/ws/a', '/ws/c', '/ws/e'])
      assert.match(await place(path, 'read'), /^forbidden: hidden$/u, path);
    assert.equal(await place('/ws/b', 'read'), 'inside');
  });

  it('a file with a second name may lie outside: it is asked about, but in installed packages', async () => {
    const files = {
      '/ws/a.ts': { names: 2 },
      '/ws/b.ts': { names: 1 },
      '/ws/c.ts': {},
      '/ws/node_modules/p/d.ts': { names: 3 },
      '/ws/e/x': {},
    };
    const { place } = guardOf({ files });
    assert.equal(await place('/ws/a.ts', 'read'), 'secret: hard-link');
    assert.equal(await place('/ws/a.ts', 'write'), 'config: hard-link');
    for (const path of ['/ws/b.ts', '/ws/c.ts', '/ws/e', '/ws/node_modules/p/d.ts', '/ws/new.ts'])
      assert.equal(await place(path, 'read'), 'inside', path);
  });

  it('a file that programs run or obey needs one yes for the session, one that fetches each time', async () => {
    const files = { '/ws/run': { executable: true }, '/ws/read.ts': { executable: false } };
    const { place, judge } = guardOf({ files, links: { '/ws/Makefile': '/ws/x.txt' } });
    assert.equal(await place('/ws/package.json', 'write'), OBEYED);
    assert.equal(await place('/ws/Makefile', 'write'), OBEYED, 'by the name of the link');
    assert.equal(await place('/ws/run', 'write'), 'config, once: executable');
    assert.equal(await place('/ws/run', 'read'), 'inside');
    assert.equal(await place('/ws/read.ts', 'write'), 'inside');
    const text = '{"$schema":"https://a.example/s.json"}';
    const schema = await judge({ path: '/ws/a.json', access: 'write', text });
    assert.equal(schema.place, 'config');
    assert.equal(schema.once, undefined);
  });

  it('another machine is not looked at, unless the workspace is there', async () => {
    const { place, resolved } = guardOf();
    const away = 'forbidden: machine';
    for (const path of ['//server/share/x', String.raw`\\server\share\x`, String.raw`\\?\C:\x`]) {
      assert.equal(await place(path, 'read'), away, path);
      assert.equal(await place(path, 'read', ['//other/share']), away, path);
    }
    assert.deepEqual(resolved, []);
    const ours = ['/ws', String.raw`\\server\share`];
    assert.equal(await place(String.raw`\\SERVER\share\x`, 'read', ours), 'inside');
    assert.equal(await place(String.raw`\\server\other\x`, 'read', ours), 'outside: outside-read');
  });

  it('processes and devices are refused by the path that is asked for, before links are followed', async () => {
    const { place, resolved } = guardOf({ links: { '/ws/mem': '/proc/1/mem' } });
    assert.match(await place('/proc/self/environ', 'read'), /^forbidden: process/u);
    assert.match(await place('/dev/sda', 'write'), /^forbidden: device/u);
    assert.deepEqual(resolved, []);
    assert.match(await place('/ws/mem', 'read'), /^forbidden: process/u);
    assert.equal(await place('/dev/null', 'write'), 'outside: outside-write');
    assert.match(await place('/own/x', 'read'), /^forbidden: records/u);
    assert.match(await place('/ws/.git/x', 'write'), /^forbidden: repository/u);
    assert.equal(await place('/ws/.git/x', 'read'), 'inside');
  });

  it('the real path of a workspace folder is asked for once: a link put there later changes nothing', async () => {
    const { judge, resolved } = guardOf({ links: { '/alias': '/ws' } });
    for (const path of ['/ws/a', '/ws/b'])
      assert.equal((await judge({ path, access: 'read' }, ['/alias'])).place, 'inside');
    assert.equal(resolved.filter((path) => path === '/alias').length, 1);
  });

  it('what lies below a folder is judged with it, by the names that it will have', async () => {
    const files = {
      '/ws/docs/hooks/a.txt': {},
      '/ws/docs/.env': {},
      '/ws/docs/Makefile': {},
      '/ws/docs/b.ts': {},
    };
    const { guard } = guardOf({ files });
    const below = async (path: string, access: Touch['access'], from: string) =>
      (await guard.judgeBelow({ path, access, below: from })).map(
        ({ real, place, risk }) => `${real} ${place}${risk === undefined ? '' : `: ${risk.code}`}`,
      );
    const obeyed = 'config: obeyed';
    assert.deepEqual(await below('/ws/to', 'read', '/ws/docs'), [
      '/ws/to/hooks inside',
      `/ws/to/.env ${KEY}`,
      '/ws/to/Makefile inside',
      '/ws/to/b.ts inside',
      '/ws/to/hooks/a.txt inside',
    ]);
    assert.deepEqual(await below('/ws/to', 'write', '/ws/docs'), [
      '/ws/to/hooks inside',
      `/ws/to/.env ${obeyed}`,
      `/ws/to/Makefile ${obeyed}`,
      '/ws/to/b.ts inside',
      '/ws/to/hooks/a.txt inside',
    ]);
    const hidden = await below('/ws/.vscode', 'write', '/ws/docs');
    assert.ok(hidden.every((one) => one.endsWith(obeyed)));
    const deep = guardOf({ files: { '/ws/d/.husky/x': {} } });
    const judged = await deep.guard.judgeBelow({ path: '/ws/d', access: 'write', below: '/ws/d' });
    assert.deepEqual(
      judged.map(({ path, place }) => [path, place]),
      [
        ['/ws/d/.husky', 'config'],
        ['/ws/d/.husky/x', 'config'],
      ],
    );
    assert.deepEqual(await below('/ws/a', 'write', '/ws/docs/b.ts'), []);
    assert.deepEqual(await guard.judgeBelow({ path: '/ws/docs', access: 'write' }), []);
  });
});

describe('files as tools have them', () => {
  it('are read and written by the path that was judged, whatever else is asked', async () => {
    const asked: unknown[] = [];
    const disk = new Proxy({} as FileSystem, {
      get:
        (_, name) =>
        async (...given: unknown[]) =>
          asked.push([name, ...given]),
    });
    const files = new GuardedFiles(disk);
    const content = new Uint8Array(1);
    const origin = {
      sessionId: 's',
      messageId: 'm',
      callId: 'c',
      tool: 't',
      how: 'write',
    } as const;
    await files.read('/a', 5, { exact: false });
    await files.readPart('/a', 1, 2);
    await files.write('/a', content, { origin, exact: false });
    await files.delete('/a', { origin });
    await files.rename('/a', '/b', { origin });
    await files.stat('/a');
    await files.list('/a');
    await files.realpath('/a');
    assert.deepEqual(asked, [
      ['read', '/a', 5, { exact: true }],
      ['readPart', '/a', 1, 2, { exact: true }],
      ['write', '/a', content, { origin, exact: true }],
      ['delete', '/a', { origin }],
      ['rename', '/a', '/b', { origin }],
      ['stat', '/a'],
      ['list', '/a'],
      ['realpath', '/a'],
    ]);
  });
});
