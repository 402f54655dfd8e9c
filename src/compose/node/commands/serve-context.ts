import { hostArguments } from '../../../hosts/node/headless/arguments.ts';
import { EXIT } from '../../../hosts/node/headless/run-headless.ts';
import { openHost } from '../headless-host.ts';
import { serveContext } from '../serve-context.ts';
import type { CarryOut } from './command.ts';

export const carryOut: CarryOut = async (given, program) => {
  const host = openHost(hostArguments(given), program);
  try {
    await serveContext(host.engine, program.version);
    return EXIT.done;
  } finally {
    await host.dispose();
  }
};
