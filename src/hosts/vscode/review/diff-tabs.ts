import * as vscode from 'vscode';
import { PROPOSED_SCHEME } from '../manifest/context-key-names.ts';

/** The proposal a tab shows, in a diff or alone; `undefined`: it shows none. */
function proposalIn(tab: vscode.Tab | undefined): vscode.Uri | undefined {
  const input: unknown = tab?.input;
  let uri: vscode.Uri | undefined;
  if (input instanceof vscode.TabInputTextDiff) uri = input.modified;
  else if (input instanceof vscode.TabInputText) uri = input.uri;
  return uri?.scheme === PROPOSED_SCHEME ? uri : undefined;
}

export function activeProposal(): vscode.Uri | undefined {
  return proposalIn(vscode.window.tabGroups.activeTabGroup.activeTab);
}

/**
 * Closes the tabs of proposals for which `over` holds. Unsaved changes are put into the file in
 * memory first: VS Code would ask about them.
 */
export async function closeProposals(over: (uri: vscode.Uri) => boolean): Promise<void> {
  const tabs = vscode.window.tabGroups.all
    .flatMap((group) => group.tabs)
    .filter((tab) => {
      const uri = proposalIn(tab);
      return uri !== undefined && over(uri);
    });
  for (const document of vscode.workspace.textDocuments) {
    if (document.uri.scheme === PROPOSED_SCHEME && document.isDirty && over(document.uri)) {
      await document.save();
    }
  }
  for (const tab of tabs) {
    try {
      await vscode.window.tabGroups.close(tab, true);
    } catch (error) {
      // The person was quicker.
      if (vscode.window.tabGroups.all.some((group) => group.tabs.includes(tab))) throw error;
    }
  }
}
