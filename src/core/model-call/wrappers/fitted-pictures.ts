import { tells } from '../../../domain/failure.ts';
import { isAbortError } from '../../../domain/lifetime/abort.ts';
import type { WrapModelCall } from '../model-call.ts';
import type { Pictures } from '../pictures.ts';

/** Sends pictures as small and as few as the model takes. */
export function withFittedPictures(pictures: Pictures): WrapModelCall {
  return (next) =>
    async function* fittedPictures(request, context) {
      const fitted = await pictures.fitted(request, context.signal).catch((thrown: unknown) => {
        if (isAbortError(thrown)) return { request, warnings: [] }; // whoever is called tells
        throw thrown;
      });
      for (const one of fitted.warnings) yield { type: 'warning', ...tells(one) };
      yield* next(fitted.request, context);
    };
}
