import { wordSet } from '../../../domain/text/words.ts';
import path from 'node:path';

/** The environment of commands, built up: ours holds keys and tokens (security, rule 9). */

const NAMES = wordSet(`
  PATH PATHEXT HOME USER LOGNAME SHELL TMPDIR TEMP TMP TZ LANG LANGUAGE DISPLAY WAYLAND_DISPLAY
  XAUTHORITY DBUS_SESSION_BUS_ADDRESS SYSTEMROOT SYSTEMDRIVE WINDIR COMSPEC USERPROFILE USERNAME
  HOMEDRIVE HOMEPATH APPDATA LOCALAPPDATA PROGRAMDATA PROGRAMFILES PROGRAMFILES(X86) PROGRAMW6432
  COMMONPROGRAMFILES PUBLIC PROCESSOR_ARCHITECTURE NUMBER_OF_PROCESSORS OS PSMODULEPATH JAVA_HOME
  ANDROID_HOME ANDROID_SDK_ROOT GOPATH GOROOT GOPROXY GOFLAGS GOTOOLCHAIN CARGO_HOME RUSTUP_HOME
  RUSTUP_TOOLCHAIN PYENV_ROOT VIRTUAL_ENV CONDA_PREFIX CONDA_DEFAULT_ENV CONDA_EXE PYTHONPATH
  RBENV_ROOT GEM_HOME GEM_PATH NVM_DIR NVM_BIN FNM_DIR FNM_MULTISHELL_PATH VOLTA_HOME PNPM_HOME
  BUN_INSTALL DENO_DIR DOTNET_ROOT SDKMAN_DIR ASDF_DIR ASDF_DATA_DIR MISE_DATA_DIR HOMEBREW_PREFIX
  NIX_PATH NIX_PROFILES LD_LIBRARY_PATH PKG_CONFIG_PATH CC CXX MAKEFLAGS HTTP_PROXY HTTPS_PROXY
  NO_PROXY ALL_PROXY SSL_CERT_FILE SSL_CERT_DIR NODE_EXTRA_CA_CERTS REQUESTS_CA_BUNDLE
  CURL_CA_BUNDLE NPM_CONFIG_REGISTRY NPM_CONFIG_CACHE PIP_INDEX_URL PIP_CACHE_DIR UV_INDEX_URL
  UV_CACHE_DIR
`);
const PREFIXES = ['LC_', 'XDG_'];

/** A value like `http://user:password@proxy` is a secret, whatever its name is. */
const CREDENTIALS = /\/\/[^/\s@:]+:[^/\s@]+@/u;

/** No pager, no prompt, no colour: nobody answers, and the output is read as text. */
const FIXED: Readonly<Record<string, string>> = {
  TERM: 'dumb',
  NO_COLOR: '1',
  PAGER: 'cat',
  GIT_PAGER: 'cat',
  MANPAGER: 'cat',
  GIT_TERMINAL_PROMPT: '0',
  GIT_EDITOR: 'true',
  // `git status` leaves the index alone, and with it the hook that would run.
  GIT_OPTIONAL_LOCKS: '0',
  DEBIAN_FRONTEND: 'noninteractive',
  PYTHONUNBUFFERED: '1',
};

export function commandEnvironment(
  ours: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  const environment: Record<string, string> = {};
  for (const [name, value] of Object.entries(ours)) {
    const upper = name.toUpperCase();
    const wanted = NAMES.has(upper) || PREFIXES.some((prefix) => upper.startsWith(prefix));
    if (!wanted || value === undefined || CREDENTIALS.test(value)) continue;
    environment[name] = upper === 'PATH' ? absoluteFolders(value) : value;
  }
  return { ...environment, ...FIXED };
}

/** Without folders that mean another place in each folder: there a file named `ls` would be run for `ls`. */
function absoluteFolders(searchPath: string): string {
  const folders = searchPath.split(path.delimiter);
  return folders.filter((folder) => path.isAbsolute(folder)).join(path.delimiter);
}
