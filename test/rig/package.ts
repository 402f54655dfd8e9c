// `npm run package`: builds for production and packs dist/belay.vsix.
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { createVSIX, listFiles, PackageManager } from '@vscode/vsce';
import { root } from './processes.ts';

/** Where the package is written. */
export const packageFile = path.join(root, 'dist/belay.vsix');

/** The largest package allowed, in bytes: what a user downloads (measured peers: 9 MB and 33 MB). */
const limit = 2_600_000;

const allowed =
  /^(package(\.nls(\.[\w-]+)?)?\.json|README\.md|CHANGELOG\.md|LICENSE|media\/.+|dist\/[\w.-]+\.(cjs|js|css|ttf|br|txt))$/;

/** Builds and packs. Rejects when the package holds a file it should not or lacks one, or is too large. */
export async function makePackage(): Promise<void> {
  // vsce runs the script vscode:prepublish first, which builds.
  await createVSIX({
    cwd: root,
    packagePath: packageFile,
    dependencies: false,
    allowMissingRepository: true,
    rewriteRelativeLinks: false,
  });
  const files = await listFiles({ cwd: root, packageManager: PackageManager.None });
  const strays = files.filter((file) => !allowed.test(file.replaceAll('\\', '/')));
  if (strays.length > 0) {
    throw new Error(`The package holds what it does not need: ${strays.join(', ')}.`);
  }
  const packed = new Set(files.map((file) => path.basename(file)));
  const made = await readdir(path.join(root, 'dist'));
  const lost = made.filter(
    (name) => !packed.has(name) && name !== 'meta' && !name.endsWith('.vsix'),
  );
  if (lost.length > 0) throw new Error(`The package lacks what was built: ${lost.join(', ')}.`);
  const { size } = await stat(packageFile);
  const kilobytes = Math.round(size / 1000);
  console.log(`dist/belay.vsix: ${files.length} files, ${kilobytes} kB`);
  if (size > limit) throw new Error(`${kilobytes} kB is more than the ${limit / 1000} kB allowed.`);
}

if (import.meta.main) await makePackage();
