/** Extensions by the names of languages that models use instead of globs, as for ripgrep's `--type`. */
const EXTENSIONS: Readonly<Record<string, string>> = {
  c: 'c,h',
  cpp: 'cpp,cc,cxx,hpp,hh,hxx,h,inl',
  csharp: 'cs',
  cs: 'cs',
  css: 'css,scss,sass,less',
  docker: 'dockerfile',
  go: 'go',
  html: 'html,htm',
  java: 'java',
  javascript: 'js,jsx,mjs,cjs,vue',
  js: 'js,jsx,mjs,cjs,vue',
  json: 'json,jsonc,json5',
  kotlin: 'kt,kts',
  lua: 'lua',
  make: 'mk,mak',
  markdown: 'md,mdx,markdown',
  md: 'md,mdx,markdown',
  php: 'php',
  py: 'py,pyi',
  python: 'py,pyi',
  rb: 'rb,erb,rake',
  ruby: 'rb,erb,rake',
  rs: 'rs',
  rust: 'rs',
  scala: 'scala,sc',
  sh: 'sh,bash,zsh',
  shell: 'sh,bash,zsh',
  sql: 'sql',
  svelte: 'svelte',
  swift: 'swift',
  toml: 'toml',
  ts: 'ts,tsx,mts,cts',
  typescript: 'ts,tsx,mts,cts',
  vue: 'vue',
  xml: 'xml,xsd,xsl,svg',
  yaml: 'yaml,yml',
  yml: 'yaml,yml',
};

/** The glob of a type of files; of a name that is not known, that extension. */
export function globOfType(type: string): string {
  const name = type.toLowerCase().replace(/^\*?\./u, '');
  const extensions = Object.hasOwn(EXTENSIONS, name) ? (EXTENSIONS[name] ?? name) : name;
  return extensions.includes(',') ? `*.{${extensions}}` : `*.${extensions}`;
}
