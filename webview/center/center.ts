import { computed, signal, type Signal } from '@preact/signals';
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { CenterMessage, CenterPlace } from '../../src/protocol/center/messages.ts';
import type { CenterCalls, CenterRequest } from '../../src/protocol/center/requests.ts';
import {
  type CenterSection,
  type PrivacyView,
  type ServersView,
  type StorageView,
  type ToolsView,
} from '../../src/protocol/center/view.ts';
import type { CustomizationsView } from '../../src/protocol/center/customizations-view.ts';
import type { MemoryView } from '../../src/protocol/center/memory-view.ts';
import type { UsageView } from '../../src/protocol/center/usage-view.ts';
import type { RulesView } from '../../src/protocol/permission-view.ts';
import type { ProvidersView } from '../../src/protocol/provider-view.ts';
import { type HostPort, PendingRequests, sentenceOf } from '../host/pending-requests.ts';
import { searchWords } from './search.ts';

/** The content of each section; `null`: not read yet. */
interface Views {
  readonly mcp: Signal<ServersView | null>;
  readonly models: Signal<ProvidersView | null>;
  readonly tools: Signal<ToolsView | null>;
  readonly rules: Signal<RulesView | null>;
  readonly customizations: Signal<CustomizationsView | null>;
  readonly memory: Signal<MemoryView | null>;
  readonly usage: Signal<UsageView | null>;
  readonly privacy: Signal<PrivacyView | null>;
  readonly storage: Signal<StorageView | null>;
}

/** The request that reads a section. */
const READ = {
  mcp: 'readServers',
  models: 'readProviders',
  tools: 'readTools',
  rules: 'readRules',
  customizations: 'readCustomizations',
  memory: 'readMemory',
  usage: 'readUsage',
  privacy: 'readPrivacy',
  storage: 'readStorage',
} as const satisfies Readonly<Record<CenterSection, CenterRequest>>;

/** The page as it is found again after a reload. */
export interface KeptPage {
  readonly query: string;
  /** Names of servers whose details are shown. */
  readonly unfolded: readonly string[];
  /** Pixels. */
  readonly scroll: number;
}

/** The parts that components of the Control Center share. */
export class Center {
  readonly views: Views = {
    mcp: signal(null),
    models: signal(null),
    tools: signal(null),
    rules: signal(null),
    customizations: signal(null),
    memory: signal(null),
    usage: signal(null),
    privacy: signal(null),
    storage: signal(null),
  };
  readonly query = signal('');
  readonly words = computed(() => searchWords(this.query.value));
  readonly unfolded: Signal<ReadonlySet<string>> = signal(new Set<string>());
  /** Where the page is asked to go, until it is there. */
  readonly place: Signal<CenterPlace | null> = signal(null);
  /** Why what was asked for last was not done; empty: it was. */
  readonly refused = signal('');
  /** Words for a screen reader. */
  readonly announcement = signal('');
  readonly #requests: PendingRequests<CenterCalls>;
  readonly #reading = new Map<CenterSection, 'once' | 'again'>();

  constructor(host: HostPort) {
    this.#requests = new PendingRequests(host);
  }

  /** Reads a section; while it is being read, once more afterwards. */
  async read(section: CenterSection): Promise<void> {
    if (this.#reading.has(section)) {
      this.#reading.set(section, 'again');
      return;
    }
    for (let again = true; again; again = this.#reading.get(section) === 'again') {
      this.#reading.set(section, 'once');
      const view = await this.ask(READ[section], {});
      if (view !== undefined) (this.views[section] as Signal<unknown>).value = view;
    }
    this.#reading.delete(section);
  }

  /** Asks the host; a refusal is shown and gives `undefined`. */
  async ask<Name extends CenterRequest>(
    name: Name,
    params: CenterCalls[Name]['params'],
  ): Promise<CenterCalls[Name]['result'] | undefined> {
    try {
      return await this.#requests.request(name, params);
    } catch (error) {
      this.refused.value = sentenceOf(error);
      return undefined;
    }
  }

  /** Does something, and says that it is done; a refusal before it is forgotten. `false`: it was refused. */
  async do<Name extends CenterRequest>(
    name: Name,
    params: CenterCalls[Name]['params'],
    said = '',
  ): Promise<boolean> {
    this.refused.value = '';
    const done = (await this.ask(name, params)) !== undefined;
    if (done && said !== '') this.announcement.value = said;
    return done;
  }

  receive(message: CenterMessage): void {
    switch (message.type) {
      case 'reply':
      case 'refusal':
        this.#requests.settle(message);
        break;
      case 'stale':
        for (const section of message.sections) void this.read(section);
        break;
      case 'go':
        this.query.value = '';
        this.place.value = message.place;
        break;
      default:
        message satisfies never;
    }
  }

  unfold(server: string, open: boolean): void {
    const next = new Set(this.unfolded.peek());
    if (open) next.add(server);
    else next.delete(server);
    this.unfolded.value = next;
  }
}

export const CenterContext = createContext<Center | null>(null);

export function useCenter(): Center {
  const center = useContext(CenterContext);
  if (center === null) throw new Error('A component of the Control Center is used outside of it.');
  return center;
}
