import { told } from '../domain/text/told.ts';
import { tells } from '../domain/failure.ts';
import type {
  ModelCall,
  ModelEvent,
  ModelRequest,
  Provider,
} from '../core/model-call/model-call.ts';
import type { ModelNames } from './instance.ts';

/** The providers, one for each instance, and the one call that reaches them all. */
export interface ProviderRegistry {
  /** Asks the model of the instance that the request names; events name models as they are chosen. */
  readonly call: ModelCall;
  /** The exact tokens of a request, where its provider counts. */
  countTokens(request: ModelRequest, signal: AbortSignal): Promise<number | undefined>;
  /** The id of a model's instance. */
  instanceOf(model: string): string;
}

export function createRegistry(
  names: ModelNames,
  providers: Pick<ReadonlyMap<string, Provider>, 'get'>,
): ProviderRegistry {
  return {
    instanceOf: (model) => names.addressOf(model).instance.id,
    async countTokens(request, signal) {
      const { instance, model } = names.addressOf(request.model);
      return providers.get(instance.id)?.countTokens?.({ ...request, model }, signal);
    },
    async *call(request, context) {
      const gone = names.goneInstance(request.model);
      if (gone !== undefined) {
        const words = tells(
          told`There is no provider “${gone}”: it was removed or renamed. Nothing was sent, and everything so far is kept: choose another model with “Belay: Choose Model”, or add it with “Belay: Add Model Provider”.`,
        );
        yield { type: 'failed', failure: { code: 'model_not_found', ...words } };
        return;
      }
      const { instance, model } = names.addressOf(request.model);
      const provider = providers.get(instance.id);
      if (provider === undefined) throw new Error(`There is no provider ${instance.id}.`);
      const named = (event: ModelEvent): ModelEvent => {
        if (event.type === 'started')
          return { ...event, model: names.nameOf(instance, event.model) };
        if (event.type !== 'complete') return event;
        const answered = names.nameOf(instance, event.answer.model);
        return { ...event, answer: { ...event.answer, model: answered } };
      };
      for await (const event of provider.call({ ...request, model }, context)) yield named(event);
    },
  };
}
