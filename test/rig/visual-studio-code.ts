import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { onceFor } from './freshness.ts';
import { capture, ProcessTree, root } from './processes.ts';

export interface ServerOptions {
  /** The folder that holds `out/server-main.js`. */
  readonly program: string;
  /** Where VS Code keeps its data; a temporary folder that goes with the server when absent. */
  readonly data?: string;
  /** Shown when the address names no folder. */
  readonly folder?: string;
  /** Port on loopback; 0, the default, takes a free one. */
  readonly port?: number;
  /** Needed to connect when given; without it anyone on this machine may. */
  readonly token?: string;
  /** Whether VS Code asks if the folder's authors are trusted. Default: no. */
  readonly trust?: boolean;
  /** Lets the page's address name extensions under development and tests. Default: no. */
  readonly automation?: boolean;
  /** Variables for the server and its extension host, on top of this process's own. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Gives it an empty home folder of its own, so that no shell reads this person's files. Default: no. */
  readonly home?: boolean;
  /** User settings, written before the start. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Packages to install before the start. */
  readonly install?: readonly string[];
  /** Of VS Code itself, with a file of its texts in `test/fixtures/language-packs`. Default: English. */
  readonly language?: string;
  /** Folders of extensions that are there from the start, as they are. */
  readonly present?: readonly string[];
}

/** Copies an extension and puts it on VS Code's list of what is installed, where there is one: without, it would be passed over. */
async function putExtension(data: string, folder: string): Promise<void> {
  const name = path.basename(folder);
  const place = path.join(data, 'extensions', name);
  await cp(folder, place, { recursive: true });
  const listFile = path.join(data, 'extensions/extensions.json');
  if (!existsSync(listFile)) return;
  const { publisher, version, ...manifest } = JSON.parse(
    await readFile(path.join(place, 'package.json'), 'utf8'),
  ) as Readonly<Record<'publisher' | 'name' | 'version', string>>;
  const listed = JSON.parse(await readFile(listFile, 'utf8')) as { relativeLocation: string }[];
  const entry = {
    identifier: { id: `${publisher}.${manifest.name}` },
    version,
    location: { $mid: 1, path: place, scheme: 'file' },
    relativeLocation: name,
  };
  const others = listed.filter(({ relativeLocation }) => relativeLocation !== name);
  await writeFile(listFile, JSON.stringify([...others, entry]));
}

/**
 * Gives VS Code a language pack, as an installed one does: translations of some of its own texts, and its language for
 * the extensions. The packs themselves are not on the registries that tests may use.
 */
async function putLanguagePack(data: string, language: string): Promise<void> {
  const own = path.join(root, `test/fixtures/language-packs/${language}.json`);
  const extensions = [{ extensionIdentifier: { id: `tests.${language}` }, version: '1.0.0' }];
  const pack = { hash: language, extensions, translations: { vscode: own }, label: language };
  await writeFile(path.join(data, 'data/languagepacks.json'), JSON.stringify({ [language]: pack }));
}

/** Settings that keep VS Code quiet: no welcome pages, no look at the network, no prompts. */
const quietSettings = {
  'workbench.startupEditor': 'none',
  'workbench.tips.enabled': false,
  'workbench.enableExperiments': false,
  'workbench.welcomePage.walkthroughs.openOnInstall': false,
  'telemetry.telemetryLevel': 'off',
  'extensions.autoUpdate': false,
  'extensions.autoCheckUpdates': false,
  'extensions.ignoreRecommendations': true,
  'update.mode': 'none',
  'npm.fetchOnlinePackageInfo': false,
  'typescript.disableAutomaticTypeAcquisition': true,
  'git.openRepositoryInParentFolders': 'never',
  'chat.commandCenter.enabled': false,
  'terminal.integrated.initialHint': false,
  // VS Code lists the open files of all processes every two seconds otherwise, to find ports.
  'remote.autoForwardPorts': false,
  'remote.autoForwardPortsSource': 'output',
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
};

/** A VS Code server on loopback: the workbench runs in the browser that opens its address, extensions run here. */
export class VisualStudioCodeServer {
  readonly tree: ProcessTree;
  readonly data: string;
  private readonly ownData: boolean;
  private readonly options: ServerOptions;
  private output = '';
  private boundPort = 0;

  private constructor(options: ServerOptions, data: string, ownData: boolean) {
    this.options = options;
    this.data = data;
    this.ownData = ownData;
    this.tree = new ProcessTree(process.execPath, this.args(), {
      env: cleanEnvironment({
        BELAY_USER_DATA: path.join(data, 'user'),
        ...(options.home && { HOME: homeFolder(data) }),
        ...options.env,
      }),
    });
    for (const stream of [this.tree.child.stdout, this.tree.child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => (this.output += text));
    }
  }

  /** Starts a server and resolves when it listens. */
  static async start(options: ServerOptions): Promise<VisualStudioCodeServer> {
    const data = options.data ?? (await mkdtemp(path.join(os.tmpdir(), 'belay-vscode-')));
    await mkdir(homeFolder(data), { recursive: true });
    await writeSettings(userSettings(data), { ...quietSettings, ...options.settings });
    await writeSettings(machineSettings(data), {});
    for (const file of options.install ?? []) {
      const note = path.join(data, `installed-${path.basename(file)}.sha256`);
      await onceFor(file, note, () => install(options.program, data, file));
    }
    for (const folder of options.present ?? []) await putExtension(data, folder);
    if (options.language !== undefined) await putLanguagePack(data, options.language);
    const server = new VisualStudioCodeServer(options, data, options.data === undefined);
    await server.listening();
    return server;
  }

  /** The port it listens on. */
  get port(): number {
    return this.boundPort;
  }

  /** What the server has printed so far. */
  get log(): string {
    return this.output;
  }

  /**
   * Changes settings while VS Code runs; one that is `undefined` goes. They are those of the machine, because VS Code's
   * server does not notice when somebody else writes the user's: they win over the user's, and settings of application
   * scope are not taken from there.
   */
  async setSettings(settings: Readonly<Record<string, unknown>>): Promise<void> {
    await writeSettings(machineSettings(this.data), settings);
  }

  /** Process ids of the extension hosts, for tests of what happens when they die. */
  extensionHosts(): number[] {
    return this.tree.livingWith('--type=extensionHost');
  }

  /** Ends the server and everything it started; removes its data when they were temporary. */
  async stop(): Promise<void> {
    await this.tree.stop();
    if (this.ownData) await rm(this.data, { recursive: true, force: true, maxRetries: 3 });
  }

  private args(): string[] {
    const { program, port, token, folder, trust, automation, language } = this.options;
    return [
      path.join(program, 'out/server-main.js'),
      '--host=127.0.0.1',
      `--port=${port ?? 0}`,
      ...(token === undefined ? ['--without-connection-token'] : ['--connection-token', token]),
      ...(folder === undefined ? [] : ['--default-folder', folder]),
      ...(language === undefined ? [] : [`--locale=${language}`]),
      ...(trust === true ? [] : ['--disable-workspace-trust']),
      ...(automation === true ? ['--enable-smoke-test-driver'] : []),
      ...commonArgs(this.data),
    ];
  }

  private async listening(): Promise<void> {
    const { child } = this.tree;
    const deadline = Date.now() + 60_000;
    while (Date.now() < deadline) {
      const port = /Extension host agent listening on (\d+)/.exec(this.output)?.[1];
      if (port !== undefined) {
        this.boundPort = Number(port);
        return;
      }
      if (child.exitCode !== null || child.signalCode !== null) break;
      await delay(20);
    }
    await this.stop();
    throw new Error(`VS Code's server did not start:\n${this.output}`);
  }
}

function commonArgs(data: string): string[] {
  return [
    '--accept-server-license-terms',
    '--telemetry-level=off',
    `--server-data-dir=${data}`,
    `--extensions-dir=${path.join(data, 'extensions')}`,
  ];
}

/** This process's environment without what would tie a VS Code to another one that started us. */
function cleanEnvironment(more: ServerOptions['env'] = {}): NodeJS.ProcessEnv {
  const env = Object.entries({ ...process.env, ...more }).filter(
    ([name, value]) =>
      value !== undefined && !/^(VSCODE_|ELECTRON_|NODE_OPTIONS$|NODE_CHANNEL_)/.test(name),
  );
  return Object.fromEntries(env);
}

const homeFolder = (data: string): string => path.join(data, 'home');
const userSettings = (data: string): string => path.join(data, 'data/User/settings.json');
const machineSettings = (data: string): string => path.join(data, 'data/Machine/settings.json');

/** Merges settings into a file, so that what VS Code itself or an extension wrote there stays. */
async function writeSettings(file: string, settings: object): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true });
  const text = await readFile(file, 'utf8').catch(() => '{}');
  const all = { ...(JSON.parse(text) as object), ...settings };
  // In one step: VS Code must never read half a file.
  await writeFile(`${file}.new`, JSON.stringify(all, null, 2));
  await rename(`${file}.new`, file);
}

async function install(program: string, data: string, file: string): Promise<void> {
  const { code, output } = await capture(
    process.execPath,
    [
      path.join(program, 'out/server-main.js'),
      `--install-extension=${file}`,
      '--force',
      ...commonArgs(data),
    ],
    { env: cleanEnvironment() },
  );
  if (code !== 0 || !output.includes('was successfully installed')) {
    throw new Error(`${file} could not be installed in VS Code:\n${output}`);
  }
}
