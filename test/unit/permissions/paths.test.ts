import assert from 'node:assert/strict';
import path from 'node:path';
import * as fc from 'fast-check';
import {
  isAbsolutePath,
  nameOf,
  normalizePath,
  parentOf,
  pathBelow,
  resolvePath,
} from '../../../src/domain/paths.ts';

describe('paths by component', () => {
  it('normalizes as the systems do', () => {
    const component = fc.constantFrom('a', 'b c', '.', '..', '', 'ünï', '.git', 'x:y');
    const any = fc.array(component, { maxLength: 8 }).map((parts) => parts.join('/'));
    fc.assert(
      fc.property(any, (text) => {
        const strip = (given: string): string =>
          given.length > 1 ? given.replace(/\/$/u, '') : given;
        assert.equal(
          normalizePath(`/${text.replace(/^\/+/u, '')}`),
          strip(path.posix.normalize(`/${text.replace(/^\/+/u, '')}`)),
        );
        assert.equal(
          resolvePath('/base/dir', text),
          strip(
            path.posix.resolve(
              '/base/dir',
              text.startsWith('/') ? `/${text.replace(/^\/+/u, '')}` : text,
            ),
          ),
        );
      }),
    );
  });

  const below: readonly (readonly [root: string, path: string, expected: string | undefined])[] = [
    ['/ws', '/ws', ''],
    ['/ws', '/ws/a/b', 'a/b'],
    ['/ws', '/ws-evil/a', undefined],
    ['/ws', '/w', undefined],
    ['/ws/', '/ws/./a/../b', 'b'],
    ['/ws', '/ws/../etc', undefined],
    ['/', '/etc', 'etc'],
    ['/ws', '/WS/a', undefined],
    ['C:\\ws', 'c:/WS\\a\\b', 'a/b'],
    ['C:\\ws', 'D:\\ws\\a', undefined],
    ['C:\\ws', 'C:\\ws\\..\\x', undefined],
    ['\\\\server\\share\\ws', '\\\\SERVER\\share\\ws\\a', 'a'],
    ['\\\\server\\share\\ws', '\\\\server\\other\\ws\\a', undefined],
    ['/ws', 'ws/a', undefined],
  ];
  for (const [root, inner, expected] of below) {
    it(`security 4: ${inner} below ${root}: ${expected ?? 'no'}`, () => {
      assert.equal(pathBelow(root, inner), expected);
    });
  }

  it('knows absolute paths of both kinds', () => {
    for (const absolute of ['/', '/a', 'C:\\', 'c:/a', '\\\\server\\share', '\\\\server\\share\\a'])
      assert.ok(isAbsolutePath(absolute), absolute);
    for (const relative of ['', 'a', './a', '../a', 'C:a', 'c', '~'])
      assert.ok(!isAbsolutePath(relative), relative);
  });

  it('gives name and parent', () => {
    assert.equal(nameOf('/a/b.txt'), 'b.txt');
    assert.equal(nameOf('C:\\a\\b.txt'), 'b.txt');
    assert.equal(parentOf('/a/b'), '/a');
    assert.equal(parentOf('/a'), '/');
    assert.equal(parentOf('C:\\a'), 'C:\\');
    assert.equal(normalizePath('C:/a/../b\\c'), 'C:\\b\\c');
  });
});
