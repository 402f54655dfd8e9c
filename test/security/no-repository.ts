import type { RepositoryInspector } from '../../src/core/ports/commands/repository-inspector.ts';

/** A repository without files that has git run nothing, for what is judged about commands alone. */
export const noRepository: RepositoryInspector = {
  hazards: async () => [],
  files: async () => [],
  filesOf: async () => undefined,
  topOf: async () => undefined,
  kindOf: async () => undefined,
};
