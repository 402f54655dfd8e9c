import * as l10n from '@vscode/l10n';
import { signal } from '@preact/signals';
import { type ComponentChildren, h } from 'preact';
import { useEffect } from 'preact/hooks';
import type { FormulaNode, typeset } from './typeset.ts';
import type { Formula } from './syntax.ts';

/** The maker of formulas, once it is loaded: with the first of them. */
const typesetter = signal<typeof typeset | undefined>(undefined);
let loading: Promise<void> | undefined;

async function load(): Promise<void> {
  typesetter.value = (await import('./typeset.ts')).typeset;
}

/** A formula in MathML; its source where it is none, or before it can be shown. */
export function FormulaView({
  formula: { raw, text, display },
}: {
  readonly formula: Formula;
}): ComponentChildren {
  const make = typesetter.value;
  useEffect(() => {
    loading ??= load();
  }, []);
  const made = make?.(text, display);
  const source = <code class={display ? 'tex is-display' : 'tex'}>{raw.trim()}</code>;
  if (made === undefined) return source;
  if ('problem' in made)
    return (
      <code class={display ? 'tex is-display' : 'tex'} title={made.problem}>
        {raw.trim()}
      </code>
    );
  return display ? (
    <div class="formula" tabIndex={0} role="region" aria-label={l10n.t('Formula')}>
      {nodes(made.nodes)}
    </div>
  ) : (
    nodes(made.nodes)
  );
}

function nodes(all: readonly FormulaNode[]): ComponentChildren {
  return all.map((node) =>
    typeof node === 'string' ? node : h(node.name, { ...node.attributes }, nodes(node.children)),
  );
}
