import { apiAddress, hostOf } from '../http/address.ts';

/** Where Responses are. */
export const responsesAddress = (baseUrl: string): string =>
  apiAddress(baseUrl, {
    call: /\/responses$/,
    version: hostOf(baseUrl).endsWith('.azure.com') ? '/openai/v1' : '/v1',
  });
