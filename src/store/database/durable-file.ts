import { closeSync, fsyncSync, openSync, renameSync, unlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** Writes a whole file or none, by `temporary` in the same folder; one for each writer at once. */
export function writeDurably(
  file: string,
  content: string | Uint8Array,
  temporary = `${file}.tmp`,
): void {
  const descriptor = openSync(temporary, 'w', 0o600);
  try {
    writeFileSync(descriptor, content);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  moveDurably(temporary, file);
}

export function moveDurably(from: string, to: string): void {
  renameSync(from, to);
  syncFolder(path.dirname(to));
}

export function removeDurably(file: string): void {
  unlinkSync(file);
  syncFolder(path.dirname(file));
}

/** Puts what was made, renamed or removed in a folder on disk. */
function syncFolder(folder: string): void {
  // Windows gives no handle of a folder; its file systems write such changes down at once.
  if (process.platform === 'win32') return;
  const descriptor = openSync(folder, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
