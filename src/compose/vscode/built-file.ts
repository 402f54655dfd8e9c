import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** A file that was built beside this one. */
export const builtFile = (name: string): string =>
  path.join(path.dirname(fileURLToPath(import.meta.url)), name);
