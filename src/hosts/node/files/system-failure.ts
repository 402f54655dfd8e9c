import { type Told, told } from '../../../domain/text/told.ts';
import { type FailureCode, BelayError, fault } from '../../../domain/failure.ts';

/** The meanings of system error codes, of a path; texts of the system are never matched. */
const MEANING: Readonly<Record<string, readonly [FailureCode, (path: string) => Told]>> = {
  ENOENT: [
    'not_found',
    (path) =>
      told`${path} does not exist. Check the path; list_files or find_files show what there is.`,
  ],
  ENOTDIR: [
    'not_found',
    (path) => told`${path} cannot exist, because a part of the path is a file. Check the path.`,
  ],
  EACCES: [
    'permission',
    (path) =>
      told`${path} may not be accessed by this user. Ask the person to change its permissions.`,
  ],
  EPERM: [
    'permission',
    (path) =>
      told`${path} is protected by the system against this. Ask the person to change its permissions.`,
  ],
  EROFS: [
    'permission',
    (path) => told`${path} lies on a read-only file system. Nothing was changed.`,
  ],
  EISDIR: ['invalid', (path) => told`${path} is a folder, not a file. Use list_files for folders.`],
  ENOTEMPTY: ['invalid', (path) => told`${path} is a folder that is not empty.`],
  EEXIST: ['invalid', (path) => told`${path} exists already. Nothing was changed.`],
  ELOOP: ['invalid', (path) => told`${path} is a link that leads back to itself.`],
  ENAMETOOLONG: [
    'invalid',
    (path) => told`${path} has a name that is too long for the file system.`,
  ],
  EINVAL: ['invalid', (path) => told`${path} is not a path that the file system accepts.`],
  ERR_INVALID_ARG_VALUE: [
    'invalid',
    (path) => told`${path} is not a path that the file system accepts.`,
  ],
  ENOSPC: [
    'tool',
    (path) =>
      told`${path} could not be written, because the disk is full. What was there before is unchanged. Free some space and try again.`,
  ],
  EDQUOT: [
    'tool',
    (path) =>
      told`${path} could not be written, because the disk quota is used up. What was there before is unchanged.`,
  ],
  EMFILE: [
    'tool',
    (path) =>
      told`${path} could not be opened, because too many files are open. Try again with fewer at once.`,
  ],
  ENFILE: [
    'tool',
    (path) =>
      told`${path} could not be opened, because the system has too many files open. Try again later.`,
  ],
  EBUSY: [
    'tool',
    (path) => told`${path} is in use by another program. Close it there and try again.`,
  ],
  ETXTBSY: ['tool', (path) => told`${path} is a program that is running. Stop it and try again.`],
  EIO: ['tool', (path) => told`${path} could not be read or written: the disk reports an error.`],
};

/** The system's code of an error (`ENOENT` …), if it has one; errors of another realm included. */
export function systemCode(thrown: unknown): string | undefined {
  const code: unknown =
    typeof thrown === 'object' && thrown !== null && 'code' in thrown ? thrown.code : undefined;
  return typeof code === 'string' ? code : undefined;
}

/** A system error about a path as a `BelayError`; anything else is given back as it is. */
export function systemFailure(path: string, thrown: unknown): unknown {
  const code = systemCode(thrown);
  if (thrown instanceof BelayError || code === undefined) return thrown;
  const [failure, meaning] = MEANING[code] ?? [
    'tool',
    () => told`${path} could not be used: the system says ${code}.`,
  ];
  return fault(failure, meaning(path), { cause: thrown, details: { path, system: code } });
}
