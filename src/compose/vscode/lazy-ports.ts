import { lazyMethods } from '../../domain/lifetime/lazy.ts';
import type { HostTools } from '../engine-host.ts';

/** Ports that only some calls of tools need, each loaded with the first of them. */
export function lazyPorts(): Required<
  Pick<HostTools, 'web' | 'git' | 'worktrees' | 'notebooks' | 'tasks'>
> {
  return {
    web: lazyMethods(async () => {
      const { NodeWeb } = await import('../../hosts/node/web/node-web.ts');
      return new NodeWeb();
    }),
    git: lazyMethods(async () => {
      const { NodeGit } = await import('../../hosts/node/git/git.ts');
      return new NodeGit();
    }),
    worktrees: lazyMethods(async () => {
      const { NodeGit } = await import('../../hosts/node/git/git.ts');
      const { NodeWorktrees } = await import('../../hosts/node/git/worktrees.ts');
      return new NodeWorktrees(new NodeGit());
    }),
    notebooks: lazyMethods(async () => {
      const { EditorNotebooks } = await import('../../hosts/vscode/notebooks/notebooks.ts');
      return new EditorNotebooks();
    }),
    tasks: lazyMethods(async () => {
      const { EditorTasks } = await import('../../hosts/vscode/tasks/editor-tasks.ts');
      return new EditorTasks();
    }),
  };
}
