import * as vscode from 'vscode';
import { type ServerToStart, ServerConsent } from '../../../mcp/config/consent.ts';
import { makeVisible } from '../../../domain/text/honest-text.ts';

/** Characters of a definition that a dialog shows whole. */
const LONGEST = 1500;

const STORED_AS = 'belay.mcpConsents';

/** The person's yes to the servers of this workspace, kept in its state. */
export function mcpConsent(state: vscode.Memento): ServerConsent {
  return new ServerConsent({
    trusted: () => vscode.workspace.isTrusted,
    given: () => {
      const kept: unknown = state.get(STORED_AS);
      return Array.isArray(kept) ? kept.filter((one) => typeof one === 'string') : [];
    },
    keep: async (hashes) => state.update(STORED_AS, hashes),
    ask,
  });
}

/** A quiet notification first; the whole definition is in the dialog where yes is said. */
async function ask({ name, summary }: ServerToStart): Promise<boolean> {
  const shown = makeVisible(name).slice(0, 60);
  // In a dialog without end the part that counts would stand where nobody looks.
  if (summary.length > LONGEST) {
    void vscode.window.showWarningMessage(
      `This workspace defines the MCP server “${shown}” in ${summary.length} characters. Belay shows at most ${LONGEST} to ask you, and does not start it.`,
    );
    return false;
  }
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
