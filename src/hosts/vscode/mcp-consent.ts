import * as vscode from 'vscode';
import { makeVisible } from '../../core/tool-call/text-hygiene.ts';

const STORED_AS = 'belay.mcpConsents';

/** A server that a workspace defines, as the person is asked about it. */
export interface ServerToStart {
  readonly name: string;
  /** Of the whole definition: another one is asked about again. */
  readonly hash: string;
  /** What will run, or where data will go. */
  readonly summary: string;
}

/**
 * The person's yes to the MCP servers that a workspace brings along (security, rules 2 and 5): never
 * in a workspace that is not trusted, asked once for each definition, kept with the workspace.
 */
export class McpConsent {
  readonly #state: vscode.Memento;
  /** Definitions that were declined in this window. */
  readonly #declined = new Set<string>();

  constructor(state: vscode.Memento) {
    this.#state = state;
  }

  readonly mayStart = async (server: ServerToStart): Promise<boolean> => {
    if (!vscode.workspace.isTrusted || this.#declined.has(server.hash)) return false;
    if (this.#given().includes(server.hash)) return true;
    if (!(await ask(server))) {
      this.#declined.add(server.hash);
      return false;
    }
    await this.#state.update(STORED_AS, [...this.#given(), server.hash]);
    return true;
  };

  /** Asks again about what was declined in this window. */
  reconsider(): void {
    this.#declined.clear();
  }

  #given(): readonly string[] {
    const kept: unknown = this.#state.get(STORED_AS);
    return Array.isArray(kept) ? kept.filter((one) => typeof one === 'string') : [];
  }
}

/** A quiet notification first; the whole definition is in the dialog where yes is said. */
async function ask({ name, summary }: ServerToStart): Promise<boolean> {
  const shown = makeVisible(name).slice(0, 60);
  const look = await vscode.window.showInformationMessage(
    `This workspace defines the MCP server “${shown}”. Belay starts it only with your yes.`,
    'Review…',
    'Not Now',
  );
  if (look !== 'Review…') return false;
  const answer = await vscode.window.showWarningMessage(
    `Start the MCP server “${shown}”?`,
    {
      modal: true,
      detail: `${makeVisible(summary)}\n\nIt comes with this workspace and acts with your rights. You are asked again when it changes.`,
    },
    'Start',
  );
  return answer === 'Start';
}
