/** Commands that only Belay itself runs, for buttons and links, with their titles; the manifest declares none of them. */
export const INTERNAL_COMMANDS = {
  'belay.undoTurn': 'Undo This Turn',
  'belay.checkProvider': 'Check Connection to Model Provider',
  'belay.editProvider': 'Edit Model Provider',
  'belay.removeProvider': 'Remove Model Provider',
  'belay.linkAccount': 'Link Account',
  'belay.unlinkAccount': 'Unlink Account',
  'belay.useWithoutKey': 'Use Without a Key',
  'belay.manageTrust': 'Manage Workspace Trust',
  'belay.openPrompt': 'Show the Text of a Link',
} as const;
