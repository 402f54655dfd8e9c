// Mocha loads this before the test files (see package.json), so that they do the same on every machine. The properties of
// fast-check that name no seed draw the same cases in each run, and git does not read the configuration of the machine.
// It is required and not imported, so that child processes and threads do not load it again.
import os from 'node:os';
import { configureGlobal } from 'fast-check';
import { runs, SEED } from '../support/seed.ts';

configureGlobal({ seed: SEED, numRuns: runs(100) });
process.env['GIT_CONFIG_GLOBAL'] = os.devNull;
process.env['GIT_CONFIG_NOSYSTEM'] = '1';
