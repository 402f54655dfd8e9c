import type { HostMemory } from '../../core/permissions/network/allowed-hosts.ts';
import type { SearchService } from '../../domain/settings/web-settings.ts';
import type { Web } from '../../core/ports/web.ts';

export interface WebParts {
  readonly web: Web;
  readonly hosts: HostMemory;
  /** Absent: this host searches nothing. */
  readonly search?: SearchParts | undefined;
}

/** Where the person lets the web be searched. */
export interface SearchParts {
  /** As the settings say. */
  readonly service: () => SearchService;
  /** Of a SearXNG server; empty: none. */
  readonly url: () => string;
  /** `undefined`: there is none. */
  readonly key: (service: SearchService) => Promise<string | undefined>;
  /** The address of a service that has one of its own; for tests. Absent: the public one. */
  readonly origin?: ((service: SearchService) => string | undefined) | undefined;
}
