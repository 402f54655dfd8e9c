import type { FailureCode } from '../../domain/failure.ts';
import { told, type Told } from '../../domain/text/told.ts';

/** The wrappers' behaviour after a failure: a property of its code alone. */
export interface FailureRule {
  /** `once`: a second failure of the kind is final. */
  readonly retry: 'yes' | 'once' | 'no';
  /**
   * Other models that may answer instead (A11): any, one of another provider, or none (each would
   * fail on the same request, or a policy deals with it).
   */
  readonly fallback: 'model' | 'provider' | 'none';
  /** For the person, beside the countdown. */
  readonly reason: Told;
}

const MODEL_FAILURES: Readonly<Partial<Record<FailureCode, FailureRule>>> = {
  network: { retry: 'yes', fallback: 'provider', reason: told`The model cannot be reached` },
  timeout: { retry: 'yes', fallback: 'model', reason: told`The model did not answer in time` },
  overloaded: { retry: 'yes', fallback: 'model', reason: told`The model is overloaded` },
  rate_limited: { retry: 'yes', fallback: 'model', reason: told`The rate limit is reached` },
  stream_broken: { retry: 'yes', fallback: 'model', reason: told`The answer broke off` },
  empty_response: { retry: 'once', fallback: 'model', reason: told`The answer was empty` },
  auth: { retry: 'no', fallback: 'provider', reason: told`The API key was not accepted` },
  permission: { retry: 'no', fallback: 'model', reason: told`The key may not use the model` },
  billing: { retry: 'no', fallback: 'provider', reason: told`The account cannot be billed` },
  model_not_found: { retry: 'no', fallback: 'model', reason: told`The model does not exist` },
  refusal: { retry: 'no', fallback: 'model', reason: told`The model declined` },
  bad_response: {
    retry: 'no',
    fallback: 'provider',
    reason: told`Something else than the model answered`,
  },
  config: { retry: 'no', fallback: 'provider', reason: told`A setting is wrong` },
};

/** Any other model would fail on the same request; what can be repaired was, and the rest is a policy's or the person's. */
const OTHER_FAILURE: FailureRule = {
  retry: 'no',
  fallback: 'none',
  reason: told`The request was refused`,
};

export const failureRule = (code: FailureCode): FailureRule =>
  MODEL_FAILURES[code] ?? OTHER_FAILURE;
