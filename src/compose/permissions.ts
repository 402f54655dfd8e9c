import type { Children } from '../core/agents/children.ts';
import { type ToolPins, withEgressGuard } from '../core/permissions/network/egress-guard.ts';
import { PathGuard } from '../core/permissions/path-guard.ts';
import { Permissions } from '../core/permissions/permissions.ts';
import { DeniedPaths, searchWithout } from '../core/permissions/rules/denied-paths.ts';
import {
  type ApprovalMemory,
  RememberedApprovals,
} from '../core/permissions/rules/remembered-approvals.ts';
import { RuleBook } from '../core/permissions/rules/rule-book.ts';
import type { SecretBook } from '../core/secrets/secret-book.ts';
import type { SessionRegistry } from '../core/session/session-registry.ts';
import type { ModelNames } from '../providers/instance.ts';
import { type EgressGuard, composeEgress } from './egress.ts';
import type { EngineHost } from './engine-host.ts';

/** The judge of every call, and a host in which denied paths are not found either. */
export interface Guarded {
  readonly permissions: Permissions;
  readonly guard: PathGuard;
  readonly egress: EgressGuard;
  readonly host: EngineHost;
}

/** Composes the judge: the host's level, the session's mode, the rules, the guards, and around all the egress guard. */
export function composePermissions(
  given: EngineHost,
  registry: SessionRegistry,
  memory: {
    readonly pins: ToolPins;
    readonly project: ApprovalMemory;
    readonly secrets: SecretBook;
    readonly names: Pick<ModelNames, 'instances'>;
    /** The origin of a stranger's text that a session has taken in. */
    readonly stranger: (sessionId: string) => Promise<string | undefined>;
    /** Belay changed this file, and nobody has decided about that yet. */
    readonly unreviewed?: (path: string) => boolean;
    readonly children: Pick<Children, 'mode' | 'root'>;
  },
): Guarded {
  const { settings, hash } = given;
  const { files } = given.disk;
  const { roots } = given.workspace;
  const { readOnlySandbox } = given.commands;
  const { level, home, writeSetting, unattended = false } = given.person;
  const atHome = home === undefined ? {} : { home };
  const rules = new RuleBook({
    files,
    userRules: () => settings('permissions.rules'),
    workspaceRules: () => settings('permissions.workspaceRules'),
    mayChange: () => level() === 'owner',
    project: new RememberedApprovals({ files, hash, roots }, memory.project),
    ...(writeSetting === undefined
      ? {}
      : { writeUserRules: async (all) => writeSetting('permissions.rules', all) }),
  });
  const ignored = new DeniedPaths({
    others: given.disk.ignored,
    rules: async () => (await rules.list(undefined, roots())).rules,
    roots,
    ...atHome,
  });
  const search = searchWithout(given.disk.search, ignored);
  const host = { ...given, disk: { ...given.disk, ignored, search } };
  const guard = new PathGuard({ files, ownFolders: host.disk.ownFolders, ignored });
  const lists = { always: () => rules.hosts('allow'), never: () => rules.hosts('deny') };
  const egress = composeEgress(host, lists, memory);
  const judge = {
    guard,
    files,
    platform: given.commands.platform,
    ...(given.commands.searchPath && { searchPath: given.commands.searchPath }),
    ...atHome,
    ...(given.tools.git === undefined ? {} : { repositories: given.tools.git }),
  };
  const permissions = new Permissions({
    guard,
    rules,
    hosts: egress.hosts,
    level,
    mode: (sessionId) => memory.children.mode(sessionId, (id) => registry.optionsOf(id).mode),
    root: (sessionId) => memory.children.root(sessionId),
    judgeLine: async (line, folders) => {
      const { judgeCommand } = await import('../core/permissions/command/judge-command.ts');
      return judgeCommand(judge, line, folders);
    },
    ...(readOnlySandbox === undefined
      ? {}
      : {
          sandbox: async (question) => {
            const { decideBySandbox } = await import('../core/permissions/sandbox-decision.ts');
            return decideBySandbox({ sandbox: readOnlySandbox, ignored }, question);
          },
        }),
    unattended,
    ...(memory.unreviewed === undefined ? {} : { unreviewed: memory.unreviewed }),
    hash,
    ...atHome,
    around: (decide) =>
      withEgressGuard(decide, {
        hosts: (sessionId) => egress.hosts.allowed(sessionId),
        secrets: egress.secrets,
        pins: egress.pins,
        stranger: memory.stranger,
        unattended,
      }),
  });
  registry.onOptions(() => permissions.modeChanged());
  return { permissions, guard, egress, host };
}
