import { existsSync, globSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** The ripgrep of the VS Code that the tests use, or the one on the PATH; `undefined` where there is none. */
export function ripgrepForTests(): string | undefined {
  const top = fileURLToPath(new URL('../../../', import.meta.url));
  const platform = `${process.platform}-${process.arch}`;
  const bundled = globSync(
    `.vscode-test/code-server-*/node_modules/@vscode/ripgrep-universal/bin/${platform}/rg`,
    { cwd: top },
  ).map((found) => path.join(top, found));
  const onPath = (process.env['PATH'] ?? '')
    .split(path.delimiter)
    .map((folder) => path.join(folder, 'rg'));
  return [...bundled, ...onPath].find((candidate) => existsSync(candidate));
}
