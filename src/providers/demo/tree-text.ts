/** A folder's tree as `list_files` writes it, read back into paths relative to that folder. */
export function pathsInTree(text: string): string[] {
  const paths: string[] = [];
  const folders: string[] = [];
  for (const line of text.split('\n').slice(1)) {
    const match = /^(?<indent> *)(?<name>[^[\s].*)$/u.exec(line);
    if (match?.groups === undefined) continue;
    const { indent = '', name = '' } = match.groups;
    const depth = indent.length / 2;
    const folder = /^(?<inner>.+)\/ \([^)]*\)$/u.exec(name)?.groups?.['inner'];
    folders.length = Math.min(folders.length, depth);
    if (folder === undefined) paths.push([...folders, name].join('/'));
    else folders[depth] = folder;
  }
  return paths;
}

/** The text of a file as `read_file` shows it: without heading, and for a part without line numbers. */
export function fileText(result: string): string {
  const [heading = '', ...lines] = result.replace(/\n$/u, '').split('\n');
  if (/\(\d+ lines\)$/u.test(heading)) return lines.join('\n');
  return lines.flatMap((line) => /^\d+\t(.*)$/u.exec(line)?.[1] ?? []).join('\n');
}

export function pathOfReading(result: string): string {
  return /^(?<path>.+?) \((?:lines? )?\d/u.exec(result)?.groups?.['path'] ?? '';
}
