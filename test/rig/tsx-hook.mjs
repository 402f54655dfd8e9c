// Lets mocha import the panel's components: Node strips the types of .ts files itself, but does not know JSX.
import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';
import { transformSync } from 'esbuild';

registerHooks({
  load(url, context, nextLoad) {
    if (url.endsWith('.tsx')) {
      const file = fileURLToPath(url);
      const { code } = transformSync(readFileSync(file, 'utf8'), {
        loader: 'tsx',
        format: 'esm',
        target: 'node24',
        jsx: 'automatic',
        jsxImportSource: 'preact',
        sourcemap: 'inline',
        sourcefile: file,
      });
      return { format: 'module', source: code, shortCircuit: true };
    }
    if (url.endsWith('.css')) return { format: 'module', source: '', shortCircuit: true };
    return nextLoad(url, context);
  },
});
