import * as l10n from '@vscode/l10n';
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
      l10n.t(
        'This workspace defines the MCP server “{0}” in {1} characters. Belay shows at most {2} to ask you, and does not start it.',
        shown,
        summary.length,
        LONGEST,
      ),
    );
    return false;
  }
  const look = await vscode.window.showInformationMessage(
    l10n.t(
      'This workspace defines the MCP server “{0}”. Belay starts it only with your yes.',
      shown,
    ),
    l10n.t('Review…'),
    l10n.t('Not Now'),
  );
  if (look !== l10n.t('Review…')) return false;
  const answer = await vscode.window.showWarningMessage(
    l10n.t('Start the MCP server “{0}”?', shown),
    {
      modal: true,
      detail: l10n.t(
        '{0}\n\nIt comes with this workspace and acts with your rights. You are asked again when it changes.',
        makeVisible(summary),
      ),
    },
    l10n.t('Start'),
  );
  return answer === l10n.t('Start');
}
