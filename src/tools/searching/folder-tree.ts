export interface Folder {
  readonly folders: Map<string, Folder>;
  readonly files: string[];
  /** Files in it and below. */
  count: number;
}

export function emptyFolder(): Folder {
  return { folders: new Map(), files: [], count: 0 };
}

/** Adds a file by its path below the folder, with `/` between the parts. */
export function addFile(root: Folder, path: string): void {
  let folder = root;
  folder.count += 1;
  let from = 0;
  for (let at = path.indexOf('/'); at !== -1; at = path.indexOf('/', from)) {
    const name = path.slice(from, at);
    const inner = folder.folders.get(name) ?? emptyFolder();
    folder.folders.set(name, inner);
    inner.count += 1;
    folder = inner;
    from = at + 1;
  }
  folder.files.push(path.slice(from));
}

/** The tree in so many lines at most: as many levels as asked for or fit; folders first. */
export function treeLines(tree: Folder, depth: number | undefined, mostLines: number): string[] {
  if (depth !== undefined) return cut(linesOf(tree, depth, mostLines + 1), mostLines);
  let best = linesOf(tree, 1, mostLines + 1);
  for (let levels = 2; levels <= 20; levels += 1) {
    const lines = linesOf(tree, levels, mostLines + 1);
    if (lines.length > mostLines || lines.length === best.length) break;
    best = lines;
  }
  return cut(best, mostLines);
}

function cut(lines: string[], mostLines: number): string[] {
  if (lines.length <= mostLines) return lines;
  return [...lines.slice(0, mostLines), '[more lines: list a folder below, or fewer levels]'];
}

/** Stops at `mostLines`: a tree of any size costs no more than what is shown of it. */
function linesOf(tree: Folder, levels: number, mostLines: number): string[] {
  const lines: string[] = [];
  write(tree, levels, '');
  return lines;

  function write(folder: Folder, left: number, indent: string): void {
    for (const name of [...folder.folders.keys()].toSorted()) {
      if (lines.length >= mostLines) return;
      const inner = folder.folders.get(name) ?? emptyFolder();
      lines.push(`${indent}${name}/ (${inner.count === 0 ? 'empty or ignored' : inner.count})`);
      if (left > 1) write(inner, left - 1, `${indent}  `);
    }
    for (const file of folder.files.toSorted().slice(0, mostLines - lines.length))
      lines.push(`${indent}${file}`);
  }
}
