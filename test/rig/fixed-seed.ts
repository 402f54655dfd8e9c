// Loaded by mocha before the test files (package.json): properties of fast-check that name no seed draw the same cases
// in each run. The process of mocha alone needs it, so it is required there and not imported by child processes.
import { configureGlobal } from 'fast-check';
import { runs, SEED } from '../support/seed.ts';

configureGlobal({ seed: SEED, numRuns: runs(100) });
