// Stands for '@vscode/l10n' in the page's modules (see esbuild.mjs): their texts are translated in whatever order they
// are loaded, those of shared chunks before the page's first line.
import './language.ts';

export * from '@vscode/l10n';
