import { existsSync } from 'node:fs';
import path from 'node:path';

/** Where VS Code keeps its ripgrep; the places differ between desktop and server. @param root VS Code's own folder */
export function ripgrepOf(root: string): string[] {
  const name = process.platform === 'win32' ? 'rg.exe' : 'rg';
  const platform = `${process.platform}-${process.arch}`;
  return [
    path.join(root, 'node_modules', '@vscode', 'ripgrep-universal', 'bin', platform, name),
    path.join(
      root,
      'node_modules.asar.unpacked',
      '@vscode',
      'ripgrep-universal',
      'bin',
      platform,
      name,
    ),
    path.join(root, 'node_modules', '@vscode', 'ripgrep', 'bin', name),
    path.join(root, 'node_modules.asar.unpacked', '@vscode', 'ripgrep', 'bin', name),
  ].filter((candidate) => existsSync(candidate));
}
