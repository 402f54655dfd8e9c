/** An option of the command line. */
export interface Option {
  /** The word for its value in the help; absent: it is a switch. */
  readonly value?: string;
  /** It may be given more than once. */
  readonly several?: true;
  readonly text: string;
}

/** All options; the help, the parser and `docs/cli.md` follow this table. */
export const OPTIONS = {
  workspace: { value: 'DIR', text: 'the folder to work on' },
  data: { value: 'DIR', text: 'where sessions are kept' },
  prompt: { value: 'TEXT', text: 'what to do ("-" reads it from standard input)' },
  model: { value: 'NAME', text: 'the model; "demo" needs no key' },
  'model-url': { value: 'URL', text: 'base URL of an API compatible with Anthropic Messages' },
  permission: { value: 'LEVEL', text: 'read, edits or all (asks nothing); default read' },
  thread: {
    value: 'NAME',
    text: 'the conversation that the prompt belongs to: a first one begins it, later ones go on in it',
  },
  resume: {
    value: '[SESSION]',
    text: 'go on with an unfinished run; the prompt is used only when there is none',
  },
  'accept-loss': { text: 'with --resume: go on although a part of the record was lost' },
  review: { text: 'keep what is changed as pending changes, to be decided about in VS Code' },
  patch: {
    value: 'FILE',
    text: 'write what the session changed as a patch for git apply ("-": standard output); implies --review',
  },
  export: { value: 'FILE', text: 'write the session with its pending changes; implies --review' },
  set: {
    value: 'SETTING=VALUE',
    several: true,
    text: 'override a setting, e.g. --set loop.maxIterations=10',
  },
  json: { text: 'print JSON, one object a line: of a run every event' },
  person: {
    value: 'DIR',
    text: 'where usage, budgets and notes for all workspaces are kept; default: where VS Code keeps them, or BELAY_USER_DATA',
  },
  session: { value: 'SESSION', text: 'the session; default: the newest' },
  to: { value: 'FILE', text: 'the file to write ("-": standard output)' },
  from: { value: 'FILE', text: 'the file to read' },
  partial: { text: 'take what is good of a damaged file' },
  apply: {
    text: 'write pending changes to files that do not have them, except to protected files',
  },
  'serve-context': { text: 'the same as the command serve-context' },
  help: { text: 'print this' },
} as const satisfies Readonly<Record<string, Option>>;

export type OptionName = keyof typeof OPTIONS;

/** Options with a value, but for those that may be given more than once. */
export type TextOption = {
  [Name in OptionName]: (typeof OPTIONS)[Name] extends { readonly several: true }
    ? never
    : (typeof OPTIONS)[Name] extends { readonly value: string }
      ? Name
      : never;
}[OptionName];

export type SwitchOption = {
  [Name in OptionName]: (typeof OPTIONS)[Name] extends { readonly value: string } ? never : Name;
}[OptionName];
