// Mocha loads this before the test files (see package.json), so that they do the same on every machine. The properties of
// fast-check that name no seed draw the same cases in each run, git does not read the configuration of the machine, and Belay not the user's data.
// It is required and not imported, so that child processes and threads do not load it again.
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { configureGlobal } from 'fast-check';
import { runs, SEED } from '../support/seed.ts';

configureGlobal({ seed: SEED, numRuns: runs(100) });
process.env['GIT_CONFIG_GLOBAL'] = os.devNull;
process.env['GIT_CONFIG_NOSYSTEM'] = '1';
// Nothing that tests start uses the data of whoever runs them.
const userData = mkdtempSync(path.join(os.tmpdir(), 'belay-user-'));
process.env['BELAY_USER_DATA'] = userData;
process.once('exit', () => rmSync(userData, { recursive: true, force: true }));
