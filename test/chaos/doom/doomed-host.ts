// The headless host with a death foretold; see doom.ts. The order of these two matters.
import './doom.ts';
import '../../../src/headless.ts';
