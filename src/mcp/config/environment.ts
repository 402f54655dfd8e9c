import { wordSet } from '../../domain/text/words.ts';

/**
 * Our variables for a local server: places, language, certificates. Keys, tokens and proxies with
 * passwords need `${env:NAME}` in the definition.
 */
const inherited =
  process.platform === 'win32'
    ? `APPDATA COMSPEC HOMEDRIVE HOMEPATH LOCALAPPDATA PATH PATHEXT PROCESSOR_ARCHITECTURE PROGRAMDATA
       PROGRAMFILES PROGRAMFILES(X86) PROGRAMW6432 SYSTEMDRIVE SYSTEMROOT TEMP TMP USERNAME
       USERPROFILE WINDIR`
    : 'HOME LANG LC_ALL LC_CTYPE LOGNAME PATH SHELL TMPDIR TZ USER';

const certificates = 'NODE_EXTRA_CA_CERTS SSL_CERT_DIR SSL_CERT_FILE';

/** The environment of a local server: a few variables of ours and the ones of its definition. */
export function serverEnvironment(
  ours: Readonly<Record<string, string | undefined>>,
  added: Readonly<Record<string, string>>,
): Record<string, string> {
  const environment: Record<string, string> = {};
  const wanted = wordSet(`${inherited} ${certificates}`);
  for (const [name, value] of Object.entries(ours)) {
    const known = process.platform === 'win32' ? name.toUpperCase() : name;
    // A value that starts with "()" is a function that old shells exported.
    if (wanted.has(known) && value !== undefined && !value.startsWith('()')) {
      environment[name] = value;
    }
  }
  return { ...environment, ...added };
}
