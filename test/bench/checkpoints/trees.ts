import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { root as project } from '../../rig/processes.ts';
import { program } from './program-text.ts';

/** A folder that checkpoints are taken of. */
export interface Source {
  readonly name: string;
  make(folder: string): void;
}

const FILES_EACH = 100;

/** This project, two packages with much source among what it is built with, and a generated tree. */
export function sources(generatedFiles: number): readonly Source[] {
  return [
    { name: 'this project', make: copyProject },
    ...['@anthropic-ai/sdk', 'gpt-tokenizer'].map((name) => ({
      name,
      make: (folder: string) => copyPackage(name, folder),
    })),
    { name: 'generated', make: (folder) => generate(folder, generatedFiles) },
  ];
}

function copyProject(folder: string): void {
  const listed = execFileSync('git', ['ls-files', '-z'], { cwd: project, encoding: 'utf8' });
  for (const name of listed.split('\0')) {
    if (name !== '') cpSync(path.join(project, name), path.join(folder, name), { force: true });
  }
}

function copyPackage(name: string, folder: string): void {
  cpSync(path.join(project, 'node_modules', name), folder, {
    recursive: true,
    dereference: true,
    filter: (file) => path.basename(file) !== 'node_modules',
  });
}

/** Files of 0.5 to 3 kB, a hundred a folder, no two the same. */
function generate(folder: string, files: number): void {
  for (let file = 0; file < files; file += 1) {
    const part = Math.floor(file / FILES_EACH);
    const at = path.join(folder, `module-${part % 20}`, `part-${part}`);
    if (file % FILES_EACH === 0) mkdirSync(at, { recursive: true });
    writeFileSync(path.join(at, `user-controller-${file % FILES_EACH}.ts`), program(file));
  }
  writeFileSync(path.join(folder, '.gitignore'), 'node_modules/\n*.log\n');
}

/** Bytes of all files below a folder, and how many there are; a repository's own are left out. */
export function sizeOf(folder: string): { readonly files: number; readonly bytes: number } {
  let [files, bytes] = [0, 0];
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.name === '.git') continue;
    const at = path.join(folder, entry.name);
    if (entry.isDirectory()) {
      const inner = sizeOf(at);
      files += inner.files;
      bytes += inner.bytes;
    } else {
      files += 1;
      bytes += statSync(at, { throwIfNoEntry: false })?.size ?? 0;
    }
  }
  return { files, bytes };
}
