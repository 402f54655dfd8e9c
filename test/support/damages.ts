import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** A way in which a file comes to harm. */
export interface Damage {
  readonly name: string;
  /** `file` may be any file; what is not there stays away. */
  readonly harm: (file: string) => void;
  /** Only another user than the one of the tests is kept from writing by a mode. */
  readonly forOthers?: true;
}

function overwrite(file: string, at: number, length: number): void {
  const descriptor = fs.openSync(file, 'r+');
  fs.writeSync(descriptor, Buffer.alloc(length, 0xa5), 0, length, at);
  fs.closeSync(descriptor);
}

/** The ways in which a file can come to harm that every file of Belay must bear. */
export const DAMAGES: readonly Damage[] = [
  { name: 'its beginning is garbage', harm: (file) => overwrite(file, 0, 100) },
  {
    name: 'a page in its middle is garbage',
    harm: (file) => overwrite(file, Math.floor(fs.statSync(file).size / 2), 512),
  },
  { name: 'cut to nothing', harm: (file) => fs.truncateSync(file, 0) },
  {
    name: 'torn',
    harm: (file) => fs.truncateSync(file, Math.floor(fs.statSync(file).size * 0.6)),
  },
  { name: 'gone', harm: (file) => fs.rmSync(file) },
  {
    name: 'a folder in its place',
    harm: (file) => {
      fs.rmSync(file);
      fs.mkdirSync(file);
      fs.writeFileSync(path.join(file, 'somebody’s'), 'text');
    },
  },
  { name: 'read-only', harm: (file) => fs.chmodSync(file, 0o444), forOthers: true },
  {
    name: 'the database of another program',
    harm: (file) => {
      fs.rmSync(file);
      const database = new DatabaseSync(file);
      database.exec(
        'PRAGMA journal_mode = WAL; CREATE TABLE theirs (a); INSERT INTO theirs VALUES (1)',
      );
      database.close();
    },
  },
  {
    name: 'a pipe in its place',
    harm: (file) => {
      fs.rmSync(file);
      execFileSync('mkfifo', [file]);
    },
  },
  {
    name: 'a link that leads nowhere',
    harm: (file) => {
      fs.rmSync(file);
      fs.symlinkSync(`${file}.elsewhere`, file);
    },
  },
];
