import { wordSet, wordsOf } from '../../domain/text/words.ts';
import { isCodeByRole, isInstalled, isSettingsByPlace } from './code-by-role.ts';
import { componentsOf } from '../../domain/paths.ts';
import { plainName } from './plain-name.ts';

/**
 * Protection of files that a program runs or obeys. `forbidden`: no tool writes them. `config`:
 * each write is asked about, with the diff, also under auto-edit (security, rule 1).
 */
export type Protection = 'none' | 'config' | 'forbidden';

/** Files, wherever they lie, without regard to case. */
const CONFIG_FILES = new Set(
  [
    // instructions of agents
    `agents.md agents.override.md agent.md crush.md crush.json iflow.md .goosehints .rules .kilocodemodes tools.md claude.md claude.local.md gemini.md qwen.md warp.md
     skill.md copilot-instructions.md .cursorrules .windsurfrules .clinerules .roomodes .roorules
     .mcp.json mcp.json mcp_config.json opencode.json .aider.conf.yml .belayignore`,
    // package managers and what they run
    `package.json .npmrc .yarnrc .yarnrc.yml .pnpmfile.cjs pnpm-workspace.yaml bunfig.toml
     deno.json deno.jsonc setup.py pip.conf conftest.py sitecustomize.py pyproject.toml gemfile
     build.rs .rspec nuget.config directory.build.props directory.build.targets gradle.properties
     gradle-wrapper.properties maven-wrapper.properties composer.json`,
    // hooks, shells, environments, continuous integration
    `.gitattributes .gitmodules .gitconfig .pre-commit-config.yaml .lefthook.yml lefthook.yml
     .lintstagedrc .huskyrc .envrc .env .bashrc .bash_profile .profile .zshrc .zshenv .zprofile
     .inputrc .vimrc .exrc .nvimrc .gdbinit .lldbinit .editrc .tool-versions .mise.toml mise.toml
     .gitlab-ci.yml .travis.yml azure-pipelines.yml jenkinsfile appveyor.yml .drone.yml
     bitbucket-pipelines.yml codemagic.yaml cloudbuild.yaml .devcontainer.json`,
    // what git takes for a repository of its own
    `head config packed-refs`,
  ].flatMap(wordsOf),
);

/** A name as old Windows programs see it (`VSCODE~1`): what it stands for cannot be told. */
const SHORT_NAME = /^[a-z0-9_.-]{1,6}~\d+(?:\.[a-z0-9]{1,3})?$/u;

const CONFIG_ENDINGS = wordsOf(`
  .code-workspace .code-profile .env.local .instructions.md .prompt.md .chatmode.md .agent.md
`);

/** Folders in which version control keeps what it runs and obeys. */
const REPOSITORIES = wordSet('.git .hg .svn .jj .bzr _darcs .pijul');
/** Build files that only count in capitals: in small letters they are folders and words of every day. */
const IN_CAPITALS = /(?:^|[\\/])(?:BUILD|WORKSPACE|TARGETS|PACKAGE)$/u;

/** A path's protection; `path` is real and absolute. */
export function protectionOf(path: string): Protection {
  const components = componentsOf(path).map(plainName);
  if (components.some((name) => REPOSITORIES.has(name) || /^git~\d+$/u.test(name)))
    return 'forbidden';
  const name = components.at(-1) ?? '';
  if (
    CONFIG_FILES.has(name) ||
    CONFIG_ENDINGS.some((ending) => name.endsWith(ending)) ||
    isCodeByRole(name) ||
    IN_CAPITALS.test(path)
  )
    return 'config';
  return 'none';
}

/** Like `protectionOf`, for the part of a path below its workspace folder: the folders count, too. */
export function protectionBelow(below: string): Protection {
  const own = protectionOf(below);
  if (own !== 'none') return own;
  // The last name, too: a folder may be moved there with all that is in it.
  const names = below.split('/').map(plainName);
  return isInstalled(names) ||
    isSettingsByPlace(names) ||
    names.some((name) => name === 'nbproject' || SHORT_NAME.test(name))
    ? 'config'
    : 'none';
}
