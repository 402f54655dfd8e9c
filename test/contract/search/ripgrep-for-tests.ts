import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { root } from '../../rig/processes.ts';

/**
 * Returns the ripgrep of the VS Code that the tests use, or `undefined` before `npm run setup`. The one of the machine may
 * be of any version.
 */
export function ripgrepForTests(): string | undefined {
  const cache = path.join(root, '.vscode-test');
  const program = `node_modules/@vscode/ripgrep-universal/bin/${process.platform}-${process.arch}/rg`;
  if (!existsSync(cache)) return undefined;
  return readdirSync(cache)
    .map((name) => path.join(cache, name, program))
    .find((one) => existsSync(one));
}
