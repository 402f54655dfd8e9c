// For `npm start`: whoever tries Belay finds its panel open, without looking for it.
const { commands } = require('vscode');

exports.activate = () => commands.executeCommand('belay.focusPanel');
