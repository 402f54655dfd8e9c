import type { JsonObject } from './data/json.ts';
import { inEnglish, inWords, joined, told, type Told, verbatim } from './text/told.ts';

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
export const tells = (...said: readonly Told[]): Required<Words> => ({
  message: said.map(inEnglish).join(' '),
  told: said,
});

/** The sentences of a failure; the whole message where they are not known. */
const sentencesOf = ({ message, told: said = [verbatim(message)] }: Words): readonly Told[] => said;

/** The message of a failure, as a value of another sentence. */
export const sentenceOf = (words: Words): Told => joined(sentencesOf(words), ' ');

/** The sentence of anything thrown: what a library or the system says stays as it is. */
export function saidBy(thrown: unknown): Told {
  if (thrown instanceof BelayError) return sentenceOf(thrown.failure);
  return verbatim(thrown instanceof Error ? thrown.message : String(thrown));
}

/** A failure of which one more is told. */
export function alsoTells<Of extends Failure>(failure: Of, more: Told): Of {
  return { ...failure, ...tells(...sentencesOf(failure), more) };
}

/** The message of a failure in the language of the person, as far as that is known. */
export const wordsOf = ({ message, told: said }: Words): string =>
  said === undefined ? message : said.map(inWords).join(' ');

/** Why something happened, as it is recorded, with what it is translated by where that is known. */
export interface Reason {
  readonly reason: string;
  readonly told?: readonly Told[];
}

/** A reason of sentences. */
export const because = (...said: readonly Told[]): Required<Reason> => {
  const { message: reason } = tells(...said);
  return { reason, told: said };
};

/** A reason in the language of the person, as far as that is known. */
export const reasonInWords = ({ reason, ...words }: Reason): string =>
  wordsOf({ ...words, message: reason });

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

/** The parts of an error beside its code and its sentences. */
type FaultOptions = ErrorOptions &
  Omit<Failure, 'code' | keyof Words> & {
    /** Lines below the sentences that only the model reads. */
    readonly lines?: string;
  };

/** The error of a code, with its sentence or sentences for the person. */
export function fault(
  code: FailureCode,
  said: Told | readonly Told[],
  { cause, lines, ...more }: FaultOptions = {},
): BelayError {
  const words = 'text' in said ? tells(said) : tells(...said);
  const below = lines === undefined ? {} : { message: `${words.message}\n${lines}` };
  return new BelayError(
    { code, ...words, ...below, ...more },
    cause === undefined ? undefined : { cause },
  );
}

/** A call or a run that was stopped. */
export const CANCELED: Failure = { code: 'canceled', ...tells(told`Canceled.`) };

/** Advice for a run, which means nothing where a command failed. */
const RUN_ADVICE =
  /\s*(?:Everything (?:so far|up to here) is|What was written before is) kept[^.]*send a message to go on[^.]*\./u;

/**
 * The words of a failure outside of a conversation: without the advice for runs; what is unexpected begins with the
 * title of the command that failed, in the language of the user.
 */
export function commandWordsOf(thrown: unknown, title: string): string {
  const failure = failureOf(thrown);
  if (failure.code === 'unexpected' && !(thrown instanceof BelayError))
    return inWords(told`${title.replace('…', '')} failed: ${reasonOf(thrown)}.`);
  const said = sentencesOf(failure).map(({ text, values }) => ({
    text: text.replace(RUN_ADVICE, ''),
    values: values.map((one) => (typeof one === 'string' ? one.replace(RUN_ADVICE, '') : one)),
  }));
  return said.map(inWords).join(' ').trim();
}

/** The reason as a part of a sentence, without a full stop of its own. */
const reasonOf = (thrown: unknown): string =>
  (thrown instanceof Error ? thrown.message : String(thrown)).replace(/[.\s]+$/u, '');

/** Turns anything thrown into a `Failure`; an abort becomes `canceled`. */
export function failureOf(thrown: unknown): Failure {
  if (thrown instanceof BelayError) return thrown.failure;
  if (thrown instanceof Error && thrown.name === 'AbortError') return CANCELED;
  const reason = reasonOf(thrown);
  return {
    code: 'unexpected',
    ...tells(
      told`Something unexpected happened: ${reason}. Everything up to here is kept; send a message to go on. The log has the details (Belay: Show Log).`,
    ),
  };
}
