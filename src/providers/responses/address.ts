import { apiAddress, hostOf } from '../http/address.ts';

/** Where Responses are. */
export const responsesAddress = (baseUrl: string): string =>
  apiAddress(baseUrl, {
    call: /\/responses$/,
    version: /\.azure\.com$/.test(hostOf(baseUrl)) ? '/openai/v1' : '/v1',
  });
