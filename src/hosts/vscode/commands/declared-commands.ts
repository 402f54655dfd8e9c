import type { Extension } from 'vscode';

/** A command as the manifest declares it, its title in the language of VS Code. */
export interface DeclaredCommand {
  readonly command: string;
  readonly title: string;
}

/** Lists the commands that the manifest of an extension declares. */
export function declaredCommands({
  packageJSON,
}: Pick<Extension<unknown>, 'packageJSON'>): readonly DeclaredCommand[] {
  const { contributes } = packageJSON as {
    readonly contributes: { readonly commands: readonly DeclaredCommand[] };
  };
  return contributes.commands;
}
