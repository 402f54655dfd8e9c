import { isJsonObject } from '../../domain/data/json.ts';
import { inputsIn } from './variables.ts';

/** A value that the person is asked for before a server starts, `${input:ID}` in its definition. */
export interface ServerInput {
  readonly id: string;
  /** Asks for it; absent: the id does. */
  readonly description?: string;
  /** Not shown while it is typed; so where nothing is declared. */
  readonly password: boolean;
  readonly default?: string;
  /** Absent: any text. */
  readonly options?: readonly string[];
}

/** Inputs that a definition uses, as its `inputs` declare them; those it does not declare are asked for by their id. */
export function readInputs(raw: unknown): readonly ServerInput[] {
  const { inputs, ...definition } = isJsonObject(raw) ? raw : {};
  const declared = Array.isArray(inputs) ? inputs.filter((one) => isJsonObject(one)) : [];
  return inputsIn(definition).map((id) => {
    const found = declared.find((one) => one['id'] === id) ?? { password: true };
    const text = (name: string): string | undefined => {
      const value = found[name];
      return typeof value === 'string' && value !== '' ? value : undefined;
    };
    const [description, byDefault] = [text('description'), text('default')];
    const { options } = found;
    const choices = Array.isArray(options) ? options.flatMap(choiceOf) : [];
    return {
      id,
      password: found['password'] === true,
      ...(description === undefined ? {} : { description }),
      ...(byDefault === undefined ? {} : { default: byDefault }),
      ...(choices.length === 0 ? {} : { options: choices }),
    };
  });
}

/** VS Code writes a choice as a text, or with a label. */
function choiceOf(option: unknown): readonly string[] {
  if (typeof option === 'string') return [option];
  return isJsonObject(option) && typeof option['value'] === 'string' ? [option['value']] : [];
}
