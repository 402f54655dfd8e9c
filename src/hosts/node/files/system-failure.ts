import { type FailureCode, BelayError } from '../../../domain/failure.ts';

/** System error codes in the middle of "PATH …"; texts of the system are never matched. */
const MEANING: Readonly<Record<string, readonly [FailureCode, string]>> = {
  ENOENT: [
    'not_found',
    'does not exist. Check the path; list_files or find_files show what there is.',
  ],
  ENOTDIR: ['not_found', 'cannot exist, because a part of the path is a file. Check the path.'],
  EACCES: [
    'permission',
    'may not be accessed by this user. Ask the person to change its permissions.',
  ],
  EPERM: [
    'permission',
    'is protected by the system against this. Ask the person to change its permissions.',
  ],
  EROFS: ['permission', 'lies on a read-only file system. Nothing was changed.'],
  EISDIR: ['invalid', 'is a folder, not a file. Use list_files for folders.'],
  ENOTEMPTY: ['invalid', 'is a folder that is not empty.'],
  EEXIST: ['invalid', 'exists already. Nothing was changed.'],
  ELOOP: ['invalid', 'is a link that leads back to itself.'],
  ENAMETOOLONG: ['invalid', 'has a name that is too long for the file system.'],
  EINVAL: ['invalid', 'is not a path that the file system accepts.'],
  ERR_INVALID_ARG_VALUE: ['invalid', 'is not a path that the file system accepts.'],
  ENOSPC: [
    'tool',
    'could not be written, because the disk is full. What was there before is unchanged. Free some space and try again.',
  ],
  EDQUOT: [
    'tool',
    'could not be written, because the disk quota is used up. What was there before is unchanged.',
  ],
  EMFILE: [
    'tool',
    'could not be opened, because too many files are open. Try again with fewer at once.',
  ],
  ENFILE: [
    'tool',
    'could not be opened, because the system has too many files open. Try again later.',
  ],
  EBUSY: ['tool', 'is in use by another program. Close it there and try again.'],
  ETXTBSY: ['tool', 'is a program that is running. Stop it and try again.'],
  EIO: ['tool', 'could not be read or written: the disk reports an error.'],
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
    `could not be used: the system says ${code}.`,
  ];
  return new BelayError(
    { code: failure, message: `${path} ${meaning}`, details: { path, system: code } },
    { cause: thrown },
  );
}
