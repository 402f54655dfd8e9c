import { wordSet } from '../../domain/text/words.ts';
/**
 * Files that programs run or obey by themselves, by role: build, install, check, format, test, hook, start. Lower case.
 */
const ROLES: readonly RegExp[] = [
  // settings of tools that are code, or that name code to be loaded
  /\.config(?:\.[\w.-]+)?\.(?:[cm]?[jt]sx?|json[c5]?|ya?ml|toml|cfg|ini|mjs|py|rb|php|lua|kts?|exs|edn|rs|go|xml|ron)$/u,
  /^(?:rebar|web|app|packages|nuget|nlog)\.config$/u,
  /\.(?:conf|setup|preset|workspace)\.(?:[cm]?[jt]s|py)$|^(?:global[-_]?(?:setup|teardown)|setuptests)\.[cm]?[jt]sx?$|^(?:spec|rails|test)_helper\.(?:rb|exs)$/u,
  // hidden files in a language that is run: some program looks for them by that name
  /^\.[\w-]+(?:\.[\w-]+)*\.(?:[cm]?[jt]sx?|py|rb|lua|pl|php|exs?|groovy|kts|el|vim|sh|bash|zsh|fish)$/u,
  /^\.[\w-]+rc(?:\.[\w-]+)*$/u,
  /^(?:pylintrc|jest-preset\.[cm]?[jt]s|babel-plugin[\w-]*\.[cm]?js)$/u,
  /^(?:webpack|rollup|vite|vitest|esbuild|karma|metro|tsup|jest|eslint|prettier|stylelint|postcss|next|nuxt|astro|gatsby-(?:config|node|browser|ssr))(?:\.[\w-]+)*\.[cm]?[jt]s$/u,
  /^(?:\.swcrc|nodemon\.json|angular\.json|nx\.json|project\.json|turbo\.json|lerna\.json|rush\.json|bower\.json|components\.json)$/u,
  // compilers, documentation and generators whose settings name plugins to load or the place to write to
  /^(?:[\w-]+\.)*(?:ts|js)config(?:[._-][\w.-]+)?\.json$|^(?:tslint|typedoc|api-extractor|jasmine|cypress|nest-cli|knip|pyrightconfig)\.jsonc?$/u,
  /^(?:mkdocs|_config|electron-builder|codegen|buf\.gen|analysis_options|pubspec|dbt_project)\.ya?ml$|^truffle-config\.[cm]?js$/u,
  // what builds
  /^(?:gnu)?makefile(?:[.-](?!ts$|js$|go$|py$|md$)[\w.-]+)?$|\.(?:mk|mak|make)$/u,
  /^cmakelists\.txt$|^cmakepresets\.json$|^cmakeuserpresets\.json$|\.cmake$/u,
  /^(?:meson(?:\.build|_options\.txt|\.options)|build\.ninja|sconstruct|sconscript|wscript|configure\.(?:ac|in)|build\.xml|pom\.xml|build\.zig(?:\.zon)?|build\.rs|build\.sbt|project\.clj|deps\.edn|bb\.edn|shadow-cljs\.edn|mix\.exs|stack\.yaml|cabal\.project|dune-(?:project|workspace)|shard\.yml|package\.swift|go\.(?:mod|sum|work)|cargo\.(?:toml|lock)|global\.json|paket\.\w+|build\.bazel|workspace\.(?:bazel|bzlmod)|module\.bazel|flake\.(?:nix|lock)|devbox\.json)$/u,
  /\.(?:ninja|m4|am|gradle|gradle\.kts|sbt|cabal|opam|gemspec|rake|podspec|bzl|star|nix|cake|just|proj|[a-z]{1,4}proj|sln|slnx|slnf|props|targets|nuspec|dockerfile|jenkinsfile|pth|egg-link)$/u,
  /^(?:gem|rake|guard|cap|vagrant|berks|pod|cart|fast|app|match|danger|brew|proc|just|earth|tilt|jenkins|jam|tup|steep|appraisal|watch|docker|container|thor|mage|jake|cake|mint|snap|snake|puppet|caddy|helm)file(?:[.-][\w.-]+)?$/u,
  /^(?:gulp|grunt|jake|fab|nox|task|mage|rollup|brunch)file(?:\.[\w-]+)*\.(?:[cm]?[jt]s|py|ya?ml|go|rb|coffee)$/u,
  /^(?:jamroot|tuprules\.tup|waf|wscript_build|premake4\.lua|esy\.json|bsb\.json|(?:relx|sys)\.config|vm\.args|tilt_config\.json|kbuild|kconfig(?:\.[\w-]+)*|build\.pl|cpanfile|pavement\.py|appraisals|\.?justfile|[\w-]+\.xc(?:config|scheme|workspacedata)|(?:project|workspace)\.swift|local\.properties|build\.properties|ivy\.xml|setup\.l?hs|(?:hpack|package|hie)\.yaml|cabal\.project\.\w+|\.ghcid|build\.(?:jl|boot|fsx)|startup\.jl|activate\.r|_targets\.r|makevars(?:\.\w+)?|configure\.win|[\w-]+\.nims|zls\.json|tests\.edn|figwheel-main\.edn|[\w-]+\.(?:build|target)\.cs|[\w-]+\.uproject|(?:brownie-config|west|idf_component|snapcraft)\.ya?ml|vcpkg-configuration\.json|pkgbuild|apkbuild|[\w-]+\.(?:ebuild|spec)|(?:guix|manifest)\.scm|compile_commands\.json|compile_flags\.txt|\.clangd|\.ccls|omnisharp\.json)$/u,
  /^(?:gradlew|mvnw|sbt|mage|bazelisk)(?:\.(?:bat|cmd))?$/u,
  /^(?:docker-)?compose(?:[.-][\w.-]+)?\.ya?ml$|^docker-bake(?:\.[\w-]+)*\.(?:hcl|json)$/u,
  /^(?:configure|config\.(?:ru|nims)|dune|buck|\.buckconfig|\.bazelversion|\.(?:sbt|jvm)opts|v\.mod|dub\.(?:json|sdl)|conanfile\.(?:py|txt)|vcpkg\.json|(?:xmake|premake5)\.lua|build\.sc|(?:rescript|bsconfig|elm)\.json|spago\.dhall|dodo\.py|project\.godot|(?:melos|build)\.ya?ml|profiles\.clj|lombok\.config)$|\.nimble$/u,
  // what installs
  /^(?:package(?:-lock)?\.json|npm-shrinkwrap\.json|pnpm-lock\.yaml|\.?pnpmfile\.[cm]?js|bun\.lockb?|\.pnp\..+|pipfile|setup\.(?:py|cfg)|(?:dev-|test-)?requirements(?:[._-][\w.-]+)?\.(?:txt|in|ya?ml)|package\.resolved|[\w.-]+\.lock|constraints(?:[._-][\w.-]+)?\.txt|environment\.ya?ml|conda[\w.-]*\.ya?ml|import[-_]?map\.json)$/u,
  // what checks, formats and tests
  /^(?:tox|\.?pytest|mypy|\.mypy|\.?flake8|\.?ruff|\.pre-commit-config|\.pre-commit-hooks|ansible|alembic|\.?isort|\.bandit|\.coveragerc)(?:\.(?:ini|cfg|toml|ya?ml))?$/u,
  /^\.(?:rubocop|standard|reek|erb-lint|haml-lint|solargraph|golangci|swiftlint|overcommit|yamllint|markdownlint[\w-]*|clang-tidy|simplecov|rspec|hound|codeclimate|golint|jscpd|lintr|arcconfig|arclint|pyre_configuration|checkov|ember-cli|release-it|mutant|pa11yci)(?:[._-][\w.-]+)?$/u,
  /^(?:\.?phpunit|psalm|phpcs|\.phpcs|checkstyle|detekt|phpstan|codeception)[\w.-]*\.(?:xml|neon|ya?ml)(?:\.dist)?$|^(?:rector|ecs|\.php-cs-fixer|\.php_cs)(?:\.dist)?(?:\.php)?$/u,
  /^\.[\w-]+\.exs$|^(?:conftest|sitecustomize|usercustomize|noxfile|fabfile)\.py$|^\.ycm_extra_conf\.py$/u,
  /^(?:biome|rome|oxlint|dprint)\.jsonc?$/u,
  /^(?:grumphp|captainhook|phpbench|infection|cucumber|dart_test|sqlc|gqlgen|buf|buf\.work|openapitools|swiftgen|\.sourcery|coc-settings|\.neoconf|testcafe|backstop|\.size-limit)\.(?:ya?ml|json5?)(?:\.dist)?$|^(?:knexfile|ormconfig|plopfile|brocfile|ember-cli-build|testem|lighthouserc|bs-config|gridsome\.server)\.(?:[cm]?[jt]s|json|ya?ml)$|\.ejs\.t$/u,
  /^(?:conf|manage|celeryconfig|ipython_config|jupyter\w*_config)\.py$|^(?:_quarto|antora|hugo)\.(?:ya?ml|toml|json)$/u,
  // what hooks in, and what runs elsewhere
  /^(?:(?:pre|post)-(?:commit|merge-commit|push|merge|checkout|rewrite|rebase|applypatch|auto-gc|receive|update|index-change)|(?:prepare-)?commit-msg|applypatch-msg|fsmonitor-watchman)$/u,
  /^(?:cdk|launchsettings|pm2|process|now|app|workspace|wails|tauri\.conf|renovate)\.json5?$|^(?:\.?tmuxinator|tmuxp|mprocs|process-compose|foreman|\.?goreleaser|\.?zuul|\.build|moon|amplify|devspace|okteto|werf|garden)\.ya?ml$|\.hcl$|^(?:serverless|sst)\.[jt]s$|^config\.xml$|^\.foreman$|^(?:autogen|bootstrap)\.sh$|^(?:pulumi(?:\.[\w-]+)*|devfile|helmfile|\.?gitpod|\.lando)\.ya?ml$|^(?:\.replit|crontab|\.tmux\.conf)$/u,
  /^\.?lefthook(?:-local)?\.(?:ya?ml|toml|jsonc?)$|^\.?(?:husky|lint-staged|commitlint|simple-git-hooks)[\w.-]*$/u,
  /^(?:\.gitlab-ci|\.travis|\.?appveyor|\.drone|\.woodpecker|\.cirrus|azure-pipelines|bitbucket-pipelines|buildspec|cloudbuild|codemagic|wercker|buddy|shippable|skaffold|serverless|netlify|vercel|wrangler|firebase|fly|render|railway|procfile|app\.yaml)(?:[._-][\w.-]+)?\.(?:ya?ml|toml|jsonc?)$/u,
  // shells, editors, and what chooses the program that is run
  /^\.(?:bash|zsh|ksh|csh|tcsh|fish|z)(?:_\w+|rc|env|profile|login|logout)$|^\.(?:login|logout|xinitrc|xprofile|emacs|dir-locals(?:-2)?\.el|vimspector\.json|projections\.json|rprofile|renviron|ghci|ocamlinit|htaccess)$/u,
  /^\.(?:node|python|ruby|java|go|terraform|php|sdkman|crystal|elixir)-version$|^(?:rust-toolchain(?:\.toml)?|\.?mise(?:\.[\w-]+)*\.toml|devenv\.(?:nix|ya?ml))$/u,
  /\.(?:sublime-(?:project|workspace)|code-workspace)$|^(?:_|\.local\.)?vimrc$|^\.gdbearlyinit$|^\.(?:project|classpath|factorypath)$/u,
  // settings in a form that only programs read, and what they load at their start
  /\.(?:toml|ini|cfg|conf|opts|pro|prisma|script)$/u,
  /^(?:[\w-]+_)?(?:build|hooks?)\.py$|^(?:startup|finish|autoload|autorun|preload|(?:pre|post)?install)\.(?:[cm]?[jt]s|py|rb|m|sce|lua|r|php|pl)$/u,
  // what the system starts by its name's end
  /\.(?:exe|com|bat|cmd|msi|scr|ps1|psm1|vbs|wsf|dll|so|dylib|desktop|service|timer|socket|plist|command|app|jar)$/u,
];

/** Folders that are filled by installing: whatever lies below is code that is run as it is. */
const INSTALLED = wordSet(`
  node_modules bower_components jspm_packages .venv venv virtualenv site-packages dist-packages
  __pypackages__ .tox .nox .eggs .pnpm-store .gradle .terraform .direnv .dart_tool
`);

/** File systems take names of up to 255 characters; a longer one is suspicious. */
const MAX_NAME_CHARS = 1000;

/** Hidden names that only list files, hold a place or show an example; all others steer some tool. */
const HARMLESS_HIDDEN =
  /^\.(?:[\w-]*ignore|editorconfig|gitkeep|keep|nojekyll|mailmap|well-known|env\.(?:example|sample|template|dist)|\.?)$/u;

/** Returns whether programs run or obey a file of this name, as `plainName` makes it. */
export function isCodeByRole(name: string): boolean {
  return name.length > MAX_NAME_CHARS || ROLES.some((role) => role.test(name));
}

/**
 * Returns whether a file steers a tool because of its place: below a hidden folder, hidden itself, or a YAML file in the
 * workspace's own folder. Takes the components of its path below that folder, as `plainName` makes them.
 */
export function isSettingsByPlace(components: readonly string[]): boolean {
  const [name = ''] = components;
  const isYamlAtTop = components.length === 1 && /\.ya?ml$/u.test(name);
  return isYamlAtTop || components.some((one) => one.startsWith('.') && !HARMLESS_HIDDEN.test(one));
}

/** True for a path in what was installed; components as `plainName` makes them. */
export function isInstalled(components: readonly string[]): boolean {
  return components.some((name) => INSTALLED.has(name));
}
