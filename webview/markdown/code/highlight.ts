import bash from 'highlight.js/lib/languages/bash';
import c from 'highlight.js/lib/languages/c';
import cpp from 'highlight.js/lib/languages/cpp';
import csharp from 'highlight.js/lib/languages/csharp';
import css from 'highlight.js/lib/languages/css';
import diff from 'highlight.js/lib/languages/diff';
import dockerfile from 'highlight.js/lib/languages/dockerfile';
import go from 'highlight.js/lib/languages/go';
import graphql from 'highlight.js/lib/languages/graphql';
import ini from 'highlight.js/lib/languages/ini';
import java from 'highlight.js/lib/languages/java';
import javascript from 'highlight.js/lib/languages/javascript';
import json from 'highlight.js/lib/languages/json';
import kotlin from 'highlight.js/lib/languages/kotlin';
import lua from 'highlight.js/lib/languages/lua';
import makefile from 'highlight.js/lib/languages/makefile';
import php from 'highlight.js/lib/languages/php';
import powershell from 'highlight.js/lib/languages/powershell';
import python from 'highlight.js/lib/languages/python';
import ruby from 'highlight.js/lib/languages/ruby';
import rust from 'highlight.js/lib/languages/rust';
import scss from 'highlight.js/lib/languages/scss';
import sql from 'highlight.js/lib/languages/sql';
import swift from 'highlight.js/lib/languages/swift';
import typescript from 'highlight.js/lib/languages/typescript';
import xml from 'highlight.js/lib/languages/xml';
import yaml from 'highlight.js/lib/languages/yaml';
import { createLowlight } from 'lowlight';

const lowlight = createLowlight({
  bash,
  c,
  cpp,
  csharp,
  css,
  diff,
  dockerfile,
  go,
  graphql,
  ini,
  java,
  javascript,
  json,
  kotlin,
  lua,
  makefile,
  php,
  powershell,
  python,
  ruby,
  rust,
  scss,
  sql,
  swift,
  typescript,
  xml,
  yaml,
});
lowlight.registerAlias({
  diff: ['udiff'],
  json: ['jsonc', 'json5'],
  typescript: ['tsx'],
  xml: ['vue', 'svelte'],
});

/** A run of text, coloured by its class, or a group of such runs. */
export type Highlighted =
  | { readonly text: string }
  | { readonly className: string; readonly children: readonly Highlighted[] };

/** Colours a code block; `undefined` when the language is not known. */
export function highlight(text: string, language: string): readonly Highlighted[] | undefined {
  if (!lowlight.registered(language)) return undefined;
  return convert(lowlight.highlight(language, text).children);
}

type Nodes = ReturnType<typeof lowlight.highlight>['children'];

function convert(nodes: Nodes): Highlighted[] {
  return nodes.flatMap((node): Highlighted[] => {
    if (node.type === 'text') return [{ text: node.value }];
    if (node.type !== 'element') return [];
    const names = node.properties['className'];
    const className = Array.isArray(names) ? names.join(' ') : '';
    return [{ className, children: convert(node.children) }];
  });
}
