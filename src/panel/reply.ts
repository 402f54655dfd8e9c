import type { Log } from '../core/ports/log.ts';
import { type Failure, failureOf, wordsOf } from '../domain/failure.ts';

/** The answer to a request of a page: what it gave, or why not, in a sentence. Never rejects. */
export async function replyTo(
  { id, name }: { readonly id: number; readonly name: string },
  work: () => Promise<unknown>,
  log: Log,
): Promise<
  | { readonly type: 'reply'; readonly id: number; readonly value: unknown }
  | { readonly type: 'refusal'; readonly id: number; readonly failure: Failure }
> {
  try {
    return { type: 'reply', id, value: (await work()) ?? null };
  } catch (error) {
    const failure = failureOf(error);
    if (failure.code === 'unexpected') log.error(`The request ${name} of the panel failed.`, error);
    const { told: _, ...rest } = failure;
    return { type: 'refusal', id, failure: { ...rest, message: wordsOf(failure) } };
  }
}
