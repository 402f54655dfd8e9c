import path from 'node:path';
import { root } from '../rig/processes.ts';

/** Where pictures go. Those in the repository change only when somebody wants them to. */
export const pictures =
  process.env['BELAY_SCREENSHOTS'] === 'update'
    ? path.join(root, 'test/ui/screenshots')
    : path.join(root, '.vscode-test/screenshots');
