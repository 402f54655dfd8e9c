import type { HostMemory } from '../../core/permissions/allowed-hosts.ts';
import type { Web } from '../../core/ports/web.ts';

/** What the tool needs beside the others' parts. */
export interface WebParts {
  readonly web: Web;
  readonly hosts: HostMemory;
}
