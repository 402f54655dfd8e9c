import type { CredentialStorage } from '../auth/credential-book.ts';
import { untilAborted } from '../../domain/lifetime/until-aborted.ts';
import type { ServerDefinition } from './config.ts';
import type { ServerInput } from './server-inputs.ts';

/** Asks the person for one value; `undefined`: they gave up. */
export type AskForInput = (
  input: ServerInput,
  server: string,
  signal: AbortSignal,
) => Promise<string | undefined>;

/** Where the person is there to be asked. */
export interface Presence {
  readonly byHand: boolean;
  readonly signal: AbortSignal;
}

/** The values that people typed for `${input:ID}`, kept where secrets are. */
export interface InputBook {
  /** All values of a definition, or the first input that has none. */
  values(
    definition: ServerDefinition,
    presence: Presence,
  ): Promise<
    { readonly values: Readonly<Record<string, string>> } | { readonly missing: ServerInput }
  >;
  keep(definition: ServerDefinition, id: string, value: string): Promise<void>;
  forget(definition: ServerDefinition): Promise<void>;
}

/** @param ask absent: nobody can be asked */
export function inputBook(storage: CredentialStorage, ask?: AskForInput): InputBook {
  const keep: InputBook['keep'] = async (definition, id, value) =>
    storage.store(keyOf(definition, id), value);
  return {
    keep,
    values: async (definition, { byHand, signal }) => {
      const values: Record<string, string> = {};
      for (const input of definition.inputs) {
        let value = await storage.get(keyOf(definition, input.id));
        if (value === undefined && byHand && ask !== undefined) {
          value = await untilAborted(ask(input, definition.name, signal), signal);
          if (value !== undefined) await keep(definition, input.id, value);
        }
        if (value === undefined) return { missing: input };
        values[input.id] = value;
      }
      return { values };
    },
    forget: async (definition) => {
      await Promise.all(
        definition.inputs.map(async ({ id }) => storage.delete(keyOf(definition, id))),
      );
    },
  };
}

/**
 * Never by the id alone: a definition of a stranger would get what was typed for another's. One of a workspace
 * is asked for anew when it has changed, as it is allowed anew.
 */
const keyOf = ({ name, origin, hash }: ServerDefinition, id: string): string =>
  `belay.mcpInput.${JSON.stringify(origin === 'user' ? ['user', name, id] : [hash, id])}`;
