/** The colors of VS Code's theme, named as the diagram library names them. */
export function readThemeColors(): Record<string, string | boolean> {
  const style = getComputedStyle(document.body);
  const read = (name: string, fallback: string): string =>
    style.getPropertyValue(`--vscode-${name}`).trim() || fallback;
  const dark = document.body.matches(
    '.vscode-dark, .vscode-high-contrast:not(.vscode-high-contrast-light)',
  );
  const [ground, text] = dark ? ['#1e1e1e', '#d4d4d4'] : ['#ffffff', '#333333'];
  return {
    darkMode: dark,
    background: read('editor-background', ground),
    primaryColor: read('editorWidget-background', ground),
    primaryTextColor: read('editor-foreground', text),
    primaryBorderColor: read('focusBorder', text),
    lineColor: read('editor-foreground', text),
    textColor: read('editor-foreground', text),
    fontFamily: read('font-family', 'sans-serif'),
    fontSize: '14px',
  };
}
