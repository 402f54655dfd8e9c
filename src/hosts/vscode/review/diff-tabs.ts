import * as vscode from 'vscode';

/** What a tab shows that can be edited: a text, or the right side of a diff. */
function editableIn(tab: vscode.Tab | undefined): vscode.Uri | undefined {
  const input: unknown = tab?.input;
  if (input instanceof vscode.TabInputTextDiff) return input.modified;
  return input instanceof vscode.TabInputText ? input.uri : undefined;
}

/** What the active tab shows. */
export function activeUri(): vscode.Uri | undefined {
  return editableIn(vscode.window.tabGroups.activeTabGroup.activeTab);
}

/**
 * Closes the tabs of proposals for which `over` holds. Unsaved changes are put into the file in
 * memory first: VS Code would ask about them.
 */
export async function closeProposals(over: (uri: vscode.Uri) => boolean): Promise<void> {
  const tabs = vscode.window.tabGroups.all
    .flatMap((group) => group.tabs)
    .filter((tab) => {
      const uri = editableIn(tab);
      return uri !== undefined && over(uri);
    });
  for (const document of vscode.workspace.textDocuments) {
    if (document.isDirty && over(document.uri)) await document.save();
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
