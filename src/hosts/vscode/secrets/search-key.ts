import type { SearchService } from '../../../domain/settings/web-settings.ts';

/** The name in VS Code's secret storage of the key of a service that searches the web. */
export const searchKeyName = (service: SearchService): string => `belay.webSearch.${service}`;
