import { SystemClock } from '../../src/hosts/node/clock.ts';

/** How much longer everything waits that is not waited for for ever. */
const TIMES = 15;

/**
 * The machine's clock for stories in which the product waits "at most so long" and then goes on without: on a loaded
 * machine they would be other stories. Waits are longer, and their time passes as much slower; dates are true.
 */
export class PatientClock extends SystemClock {
  override monotonic(): number {
    return super.monotonic() / TIMES;
  }

  override async sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return super.sleep(ms * TIMES, signal);
  }
}
