/** Absolute paths of Belay's own folders, which no tool reads or writes, and of VS Code's. */
export interface HostFolders {
  /** For this workspace; where no folder is open, for windows without one. */
  readonly data: string;
  /** For all workspaces; the command line uses it, too. */
  readonly shared: string;
  /** VS Code's folder for the extension, where earlier versions kept what is in `shared` now. */
  readonly earlier: string;
  readonly logs: string;
  /** The folder of VS Code itself. */
  readonly editor: string;
}

/** The folders that no tool reads or writes; the first is this workspace's. */
export const listOwnFolders = ({
  data,
  shared,
  logs,
  earlier,
}: Pick<HostFolders, 'data' | 'shared' | 'logs' | 'earlier'>): readonly [string, ...string[]] => [
  data,
  shared,
  logs,
  earlier,
];
