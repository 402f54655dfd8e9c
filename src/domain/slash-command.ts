/** A command that is written instead of a message. */
export interface SlashCommandRow {
  readonly name: string;
  readonly description: string;
  /** Name of a codicon. */
  readonly icon: string;
  /** Words after its name are for it. */
  readonly takesWords?: boolean;
  /** The section of the Control Center that it opens. */
  readonly section?: string;
  /** The command of VS Code that it stands for, without `belay.` */
  readonly command: string;
}
