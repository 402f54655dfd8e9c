import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from './processes.ts';

interface Entry {
  readonly version?: string;
  readonly resolved?: string;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

describe('package-lock.json', () => {
  const text = readFileSync(path.join(root, 'package-lock.json'), 'utf8');
  const { packages } = JSON.parse(text) as { packages: Readonly<Record<string, Entry>> };

  /** Looks a dependency up as Node does: beside the dependent, then further out. */
  function isLocked(dependent: string, name: string): boolean {
    for (
      let folder = dependent;
      ;
      folder = folder.replace(/(^|\/)node_modules\/(@[^/]+\/)?[^/]+$/, '')
    ) {
      if (`${folder === '' ? '' : `${folder}/`}node_modules/${name}` in packages) return true;
      if (folder === '') return false;
    }
  }

  it('holds the binaries for every platform: npm ci refuses it otherwise', () => {
    const missing = Object.entries(packages).flatMap(([dependent, entry]) =>
      Object.keys(entry.optionalDependencies ?? {})
        .filter((name) => !isLocked(dependent, name))
        .map((name) => `${dependent} needs ${name}`),
    );
    assert.deepEqual(missing, []);
    assert.ok(Object.keys(packages).length > 100);
  });

  it('names no registry', () => {
    const named = Object.entries(packages).filter(([, entry]) => entry.resolved !== undefined);
    assert.deepEqual(named, []);
  });
});
