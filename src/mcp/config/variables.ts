import { type Told, told } from '../../domain/text/told.ts';
import { wordSet } from '../../domain/text/words.ts';
import path from 'node:path';

export interface Variables {
  /** For `${env:NAME}` and `${NAME}`. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** For `${workspaceFolder}`; absent: no folder is open. */
  readonly workspaceFolder?: string | undefined;
  /** For `${userHome}`. */
  readonly homeFolder: string;
  /** For `${input:ID}`; absent: these stay as written until the server is started. */
  readonly inputs?: Readonly<Record<string, string>> | undefined;
}

type Found = { readonly text: string } | { readonly problem: Told };

/** Anything in `${…}`: a form that is not known is a problem, never text for the server. */
const FORM = /\$\{(?<form>[^}]*)\}/gu;

/** Places of this machine, which are no environment variables. */
const PLACES = wordSet('workspaceFolder workspaceFolderBasename userHome pathSeparator /');

/**
 * An environment variable: `${env:NAME}`, or `${NAME}` as other clients write it in `.mcp.json`; both may end with
 * `:-` and the text to use where the variable is not set.
 */
const ENVIRONMENT =
  /^(?:env:(?<named>(?:(?!:-|\$\{).)+)|(?<plain>[A-Za-z_][\w()]*))(?::-(?<otherwise>(?:(?!\$\{).)*))?$/su;

/** Fills in variables, each once: what comes out is not looked at again. `problem` follows "the field". */
export function substitute(text: string, variables: Variables): { text: string; problem?: Told } {
  let problem: Told | undefined;
  const replaced = text.replace(FORM, (whole, form: string) => {
    const found = valueFor(whole, form, variables);
    if ('text' in found) return found.text;
    problem ??= found.problem;
    return '';
  });
  return problem === undefined ? { text: replaced } : { text: replaced, problem };
}

/** Names of the environment variables that a definition reads, each once. */
export function environmentIn(definition: unknown): readonly string[] {
  const forms = (JSON.stringify(definition) ?? '').matchAll(FORM);
  return [...new Set([...forms].flatMap(([, form = '']) => variableIn(form)?.name ?? []))];
}

/** Ids of the `${input:ID}` anywhere in a definition, each once. */
export function inputsIn(definition: unknown): readonly string[] {
  const text = JSON.stringify(definition) ?? '';
  return [...new Set([...text.matchAll(/\$\{input:([^}"\\]*)\}/gu)].map(([, id = '']) => id))];
}

function variableIn(
  form: string,
): { readonly name: string; readonly otherwise?: string } | undefined {
  const { named, plain, otherwise } = ENVIRONMENT.exec(form)?.groups ?? {};
  const name = named ?? plain;
  if (name === undefined || PLACES.has(name)) return undefined;
  return otherwise === undefined ? { name } : { name, otherwise };
}

function valueFor(whole: string, form: string, variables: Variables): Found {
  if (PLACES.has(form)) return place(whole, form, variables);
  if (form.startsWith('input:')) {
    if (variables.inputs === undefined) return { text: whole };
    const typed = variables.inputs[form.slice('input:'.length)];
    return typed === undefined
      ? { problem: told`uses ${whole}, which has no value` }
      : { text: typed };
  }
  if (form.startsWith('command:'))
    return {
      problem: told`uses ${whole}, which Belay does not run. Use \${input:…} or \${env:NAME}`,
    };
  const variable = variableIn(form);
  if (variable === undefined)
    return {
      problem: told`uses ${whole}, which Belay does not know. Use \${env:NAME} or \${NAME} for an environment variable`,
    };
  const { name, otherwise } = variable;
  const value = variables.environment[name];
  if (value !== undefined && (value !== '' || otherwise === undefined)) return { text: value };
  if (otherwise !== undefined) return { text: otherwise };
  return {
    problem: told`uses ${whole}, but the environment variable ${name} is not set. Set it and start VS Code again`,
  };
}

function place(whole: string, plain: string, { homeFolder, workspaceFolder }: Variables): Found {
  if (plain === 'userHome') return { text: homeFolder };
  if (plain === 'pathSeparator' || plain === '/') return { text: path.sep };
  if (workspaceFolder === undefined) return { problem: told`uses ${whole}, but no folder is open` };
  const base = plain === 'workspaceFolderBasename';
  return { text: base ? path.basename(workspaceFolder) : workspaceFolder };
}
