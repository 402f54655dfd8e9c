import type { HostMemory } from '../../core/permissions/allowed-hosts.ts';
import type { Web } from '../../core/ports/web.ts';

export interface WebParts {
  readonly web: Web;
  readonly hosts: HostMemory;
}
