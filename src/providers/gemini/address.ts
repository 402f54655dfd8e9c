import { apiAddress } from '../http/address.ts';

/** Where the Gemini API is. */
export const geminiAddress = (baseUrl: string): string =>
  apiAddress(baseUrl, { call: /\/models(?:\/[^/]*)?$/, version: '/v1beta' });

/** The header for the key. */
export const geminiKeyHeaders = (key: string): Record<string, string> => ({
  'x-goog-api-key': key,
});

/** The list of models, below the address. */
export const GEMINI_LIST = '/models?pageSize=1000';
