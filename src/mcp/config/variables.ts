export interface Variables {
  /** For `${env:NAME}`. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** For `${workspaceFolder}`; absent: no folder is open. */
  readonly workspaceFolder?: string | undefined;
  /** For `${userHome}`. */
  readonly homeFolder: string;
}

/** Fills in `${env:NAME}`, `${workspaceFolder}`, `${userHome}`; `problem` follows "the field". */
export function substitute(text: string, variables: Variables): { text: string; problem?: string } {
  let problem: string | undefined;
  const replaced = text.replace(
    /\$\{(?:(env|input|command):([^}]*)|(workspaceFolder|userHome))\}/g,
    (whole, kind: string | undefined, name: string | undefined, plain: string | undefined) => {
      if (plain === 'userHome') return variables.homeFolder;
      if (plain === 'workspaceFolder') {
        if (variables.workspaceFolder !== undefined) return variables.workspaceFolder;
        problem ??= `uses ${whole}, but no folder is open`;
        return '';
      }
      if (kind !== 'env') {
        problem ??= `uses ${whole}, which Belay does not ask for. Use \${env:NAME} instead`;
        return '';
      }
      const value = name === undefined ? undefined : variables.environment[name];
      if (value !== undefined) return value;
      problem ??= `uses ${whole}, but the environment variable ${name} is not set. Set it and start VS Code again`;
      return '';
    },
  );
  return problem === undefined ? { text: replaced } : { text: replaced, problem };
}
