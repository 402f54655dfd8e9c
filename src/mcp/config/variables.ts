import { type Told, told } from '../../domain/text/told.ts';
import path from 'node:path';

export interface Variables {
  /** For `${env:NAME}`. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** For `${workspaceFolder}`; absent: no folder is open. */
  readonly workspaceFolder?: string | undefined;
  /** For `${userHome}`. */
  readonly homeFolder: string;
  /** For `${input:ID}`; absent: these stay as written until the server is started. */
  readonly inputs?: Readonly<Record<string, string>> | undefined;
}

type Found = { readonly text: string } | { readonly problem: Told };

const VARIABLE =
  /\$\{(?:(?<kind>env|input|command):(?<name>[^}]*)|(?<plain>workspaceFolder|workspaceFolderBasename|userHome|pathSeparator|\/))\}/gu;

/** Fills in variables, each once: what comes out is not looked at again. `problem` follows "the field". */
export function substitute(text: string, variables: Variables): { text: string; problem?: Told } {
  let problem: Told | undefined;
  const replaced = text.replace(VARIABLE, (whole, ...rest: unknown[]) => {
    const { kind, name, plain } = rest.at(-1) as Record<string, string | undefined>;
    const found =
      kind === undefined
        ? place(whole, plain ?? '', variables)
        : named(whole, kind, name ?? '', variables);
    if ('text' in found) return found.text;
    problem ??= found.problem;
    return '';
  });
  return problem === undefined ? { text: replaced } : { text: replaced, problem };
}

/** Ids of the `${input:ID}` anywhere in a definition, each once. */
export function inputsIn(definition: unknown): readonly string[] {
  const text = JSON.stringify(definition) ?? '';
  return [...new Set([...text.matchAll(/\$\{input:([^}"\\]*)\}/gu)].map(([, id = '']) => id))];
}

function place(whole: string, plain: string, { homeFolder, workspaceFolder }: Variables): Found {
  if (plain === 'userHome') return { text: homeFolder };
  if (plain === 'pathSeparator' || plain === '/') return { text: path.sep };
  if (workspaceFolder === undefined) return { problem: told`uses ${whole}, but no folder is open` };
  const base = plain === 'workspaceFolderBasename';
  return { text: base ? path.basename(workspaceFolder) : workspaceFolder };
}

function named(whole: string, kind: string, name: string, variables: Variables): Found {
  if (kind === 'input') {
    if (variables.inputs === undefined) return { text: whole };
    const typed = variables.inputs[name];
    return typed === undefined
      ? { problem: told`uses ${whole}, which has no value` }
      : { text: typed };
  }
  if (kind !== 'env')
    return {
      problem: told`uses ${whole}, which Belay does not run. Use \${input:…} or \${env:NAME}`,
    };
  const [, variable = name, otherwise] = /^(.*?)(?::-(.*))?$/su.exec(name) ?? [];
  const value = variables.environment[variable];
  if (value !== undefined && (value !== '' || otherwise === undefined)) return { text: value };
  if (otherwise !== undefined) return { text: otherwise };
  return {
    problem: told`uses ${whole}, but the environment variable ${variable} is not set. Set it and start VS Code again`,
  };
}
