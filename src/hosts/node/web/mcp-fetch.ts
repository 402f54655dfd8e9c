import { judgeServerAddress } from '../../../core/permissions/request-guard.ts';
import { pinnedFetch } from './pinned-fetch.ts';

/**
 * The `fetch` for MCP servers: the person or their yes named the host, so it may be in their network;
 * what hands out credentials is never contacted, whatever a name leads to.
 */
export function mcpFetch(): (input: string | URL, init?: RequestInit) => Promise<Response> {
  return pinnedFetch(judgeServerAddress);
}
