import { apiAddress } from '../http/address.ts';

/** Where Chat Completions are. */
export const chatAddress = (baseUrl: string): string =>
  apiAddress(baseUrl, { call: /\/chat\/completions$/, version: '/v1' });
