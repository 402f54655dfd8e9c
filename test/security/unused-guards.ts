import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from '../rig/processes.ts';

/** Guards that an issue to come wires in, by the surface whose cases they answer. */
const GUARDS: Readonly<Record<string, string>> = {
  listen: 'src/mcp/auth/callback-listener.ts',
  'local-http': 'src/mcp/auth/callback-listener.ts',
  'oauth-open': 'src/mcp/auth/openable.ts',
  'oauth-callback': 'src/mcp/auth/authorization.ts',
  'oauth-metadata': 'src/mcp/auth/metadata.ts',
  'oauth-migration': 'src/mcp/auth/credential-book.ts',
  'mcp-elicitation': 'src/mcp/requests/elicitation.ts',
  'mcp-elicitation-url': 'src/mcp/requests/elicitation.ts',
  'mcp-sampling': 'src/mcp/requests/sampling.ts',
};

let inUse: ReadonlySet<string> | undefined;

/** The guard behind a surface when nothing of the product calls it; `undefined`: the product does. */
export function unusedGuard(surface: string): string | undefined {
  const guard = Object.hasOwn(GUARDS, surface) ? GUARDS[surface] : undefined;
  inUse ??= filesInUse();
  return guard === undefined || inUse.has(guard) ? undefined : guard;
}

/** All files that the entries of the product import, one over another; types do not count. */
function filesInUse(): ReadonlySet<string> {
  const found = new Set<string>();
  const open = [
    'src/extension.ts',
    'src/headless.ts',
    ...globSync('src/**/*worker*.ts', { cwd: root }),
  ];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    if (found.has(at)) continue;
    found.add(at);
    const code = readFileSync(path.join(root, at), 'utf8');
    const imports =
      /^(?:import|export)\s(?!type\s)[^;]*?from\s+'(?<from>\.[^']+)'|^import\s+'(?<bare>\.[^']+)'|\bimport\(\s*'(?<late>\.[^']+)'/gmu;
    for (const { groups } of code.matchAll(imports)) {
      const to = groups?.['from'] ?? groups?.['bare'] ?? groups?.['late'] ?? '';
      if (/\.tsx?$/u.test(to)) open.push(path.posix.join(path.posix.dirname(at), to));
    }
  }
  return found;
}
