import type { JsonObject } from './data/json.ts';
import { inEnglish, inWords, type Told } from './text/told.ts';

/**
 * Failures as a closed list (D10): a code decides what happens next, text never does. `message` is
 * a sentence for the person: what is wrong, what was kept, what to do.
 */
export type FailureCode =
  // the model's side
  | 'network' // refused, reset, no headers, name not found: retried
  | 'timeout' // a watchdog or the server's own 408/504: retried
  | 'overloaded' // 529, 5xx: retried
  | 'rate_limited' // 429: retried after what the header says
  | 'stream_broken' // the stream ended or failed before message_stop: retried
  | 'empty_response' // nothing came back: retried once
  | 'auth' // 401
  | 'permission' // 403
  | 'billing' // 402
  | 'model_not_found' // 404
  | 'request_too_large' // 413
  | 'context_overflow' // the prompt is longer than the window
  | 'output_limit' // input plus max_tokens exceed the window
  | 'history_rejected' // 400: pairs, ids, thinking signatures, empty blocks
  | 'image_rejected' // 400: image size or dimensions
  | 'tool_schema_rejected' // 400: a tool's schema
  | 'refusal' // the model declined; never retried on the same model
  | 'bad_response' // a proxy or a login page answered
  | 'api' // any other refusal of the provider
  // our side
  | 'config' // a setting or key is missing or wrong
  | 'tool' // a tool failed in a way the run cannot go on from
  | 'max_iterations' // D1
  | 'context_limit' // D2: compaction did not help
  | 'budget' // A2
  | 'time_limit' // C5
  | 'stuck' // C2: it repeats itself and there is no human to ask
  | 'resume_unsafe' // C9
  | 'busy' // the session is owned by another window or run
  | 'store' // the database: disk full, damaged, newer version
  | 'not_found' // a session, message or file that is not there
  | 'invalid' // an argument or an imported file
  | 'canceled'
  | 'unexpected'; // a defect of ours; the stack is in the log (A14)

/** A failure as data: what is stored, sent to the panel and put into events. */
export interface Failure {
  readonly code: FailureCode;
  readonly message: string;
  /** The sentences of `message` with their values apart, where they are known: those are translated. */
  readonly told?: readonly Told[];
  readonly status?: number;
  readonly requestId?: string;
  /** Milliseconds the server asked to wait. */
  readonly retryAfterMs?: number;
  /** Typed by `code`; for logs and for the panel's buttons. */
  readonly details?: JsonObject;
}

/** A sentence as it is recorded, with what it is translated by where that is known. */
export type Words = Pick<Failure, 'message' | 'told'>;

/** The message of a failure, with what it is translated by. */
export const tells = (...told: readonly Told[]): Words => ({
  message: told.map(inEnglish).join(' '),
  told,
});

/** The message of a failure, as a value of another sentence. */
export const sentenceOf = ({ message, told = [] }: Words): Told =>
  told.length === 0
    ? { text: '{0}', values: [message] }
    : { text: told.map((_, index) => `{${index}}`).join(' '), values: told };

/** A failure of which one more is told. */
export function alsoTells<Of extends Failure>(failure: Of, more: Told): Of {
  const { message, told } = failure;
  return {
    ...failure,
    message: `${message} ${inEnglish(more)}`,
    ...(told === undefined ? {} : { told: [...told, more] }),
  };
}

/** The message of a failure in the language of the person, as far as that is known. */
export const wordsOf = ({ message, told }: Words): string =>
  told === undefined ? message : told.map(inWords).join(' ');

/** The one error class. Thrown inside Belay; at the borders it becomes a `Failure`. */
export class BelayError extends Error {
  readonly failure: Failure;

  constructor(failure: Failure, options?: ErrorOptions) {
    super(failure.message, options);
    this.name = 'BelayError';
    this.failure = failure;
  }

  get code(): FailureCode {
    return this.failure.code;
  }
}

/** The error of a code, with its sentence or sentences for the person. */
export function fault(
  code: FailureCode,
  said: string | Told | readonly Told[],
  options?: ErrorOptions,
): BelayError {
  if (typeof said === 'string') return new BelayError({ code, message: said }, options);
  return new BelayError({ code, ...('text' in said ? tells(said) : tells(...said)) }, options);
}

/** The error of a sentence, with lines below it that only the model reads. */
export const faultWithLines = (code: FailureCode, said: Told, lines: string): BelayError =>
  new BelayError({ code, ...tells(said), message: `${inEnglish(said)}\n${lines}` });

/** Turns anything thrown into a `Failure`; an abort becomes `canceled`. */
export function failureOf(thrown: unknown): Failure {
  if (thrown instanceof BelayError) return thrown.failure;
  if (thrown instanceof Error && thrown.name === 'AbortError') {
    return { code: 'canceled', message: 'Canceled.' };
  }
  const reason = thrown instanceof Error ? thrown.message : String(thrown);
  return {
    code: 'unexpected',
    message: `Something unexpected happened: ${reason}. Everything up to here is kept; send a message to go on. The log has the details (Belay: Show Log).`,
  };
}
