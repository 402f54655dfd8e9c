import { spawnSync } from 'node:child_process';
import { root } from './processes.ts';

/**
 * Test files that take long, because they open windows of VS Code, start programs or kill processes again and again. What
 * they show is shown at less length by others, too, so that each run takes a sixth of them.
 * The longest first: neighbours are in different turns.
 */
export const LONG: readonly string[] = [
  'test/ui/panel-preview/accessible.test.ts',
  'test/ui/mcp-servers.test.ts',
  'test/ui/reload.test.ts',
  'test/scenario/leaks.test.ts',
  'test/scenario/background-runs.test.ts',
  'test/scenario/background-crossings.test.ts',
  'test/scenario/background-refusals.test.ts',
  'test/chaos/background-faults.test.ts',
  'test/chaos/follow-ups.test.ts',
  'test/scenario/command-line.test.ts',
  'test/ui/startup.test.ts',
  'test/host/pending-documents.test.ts',
  'test/ui/mcp-conversation.test.ts',
  'test/ui/control-center.test.ts',
  'test/ui/pending-changes.test.ts',
  'test/ui/panel-preview/answers.test.ts',
  'test/ui/first-choice.test.ts',
  'test/ui/two-windows.test.ts',
  'test/security/argument-styles.test.ts',
  'test/ui/panel-preview/approval-gate.test.ts',
  'test/ui/panel-preview/panel.test.ts',
  'test/ui/errors.test.ts',
  'test/ui/panel-preview/review.test.ts',
  'test/ui/secrets.test.ts',
  'test/ui/trust.test.ts',
  'test/ui/model-providers.test.ts',
  'test/host/pending-commands.test.ts',
  'test/chaos/kill-and-resume.test.ts',
  'test/host/document-file-system.test.ts',
  'test/scenario/headless-faults.test.ts',
  'test/chaos/doom/every-operation.test.ts',
  'test/ui/panel-preview/focus.test.ts',
  'test/ui/people.test.ts',
  'test/ui/sub-agents.test.ts',
  'test/ui/answers.test.ts',
  'test/chaos/killed-restore.test.ts',
  'test/chaos/damaged-files.test.ts',
  'test/ui/session-tabs.test.ts',
  'test/unit/node-host/workspace-snapshots/restore-crash.test.ts',
  'test/contract/tool/tool.test.ts',
  'test/ui/panel-preview/follow.test.ts',
  'test/ui/restore-conversation.test.ts',
  'test/scenario/handoff.test.ts',
  'test/ui/german.test.ts',
  'test/scenario/remembered-approvals.test.ts',
  'test/chaos/data-folder-gone.test.ts',
  'test/ui/window-crashes.test.ts',
  'test/chaos/interrupted.test.ts',
  'test/scenario/background-changes.test.ts',
  'test/mcp/wicked-servers.test.ts',
  'test/scenario/tool-faults.test.ts',
  'test/mcp/conformance.test.ts',
  'test/chaos/store/own-files.test.ts',
  'test/chaos/own-files.test.ts',
  'test/unit/tools/git.test.ts',
  'test/mcp/hub.test.ts',
  'test/host/pending-comments.test.ts',
  'test/host/native-chat.test.ts',
  'test/host/terminal.test.ts',
  'test/scenario/acp.test.ts',
  'test/unit/tools/fetch-url.test.ts',
  'test/unit/store/two-windows.test.ts',
  'test/unit/limits/hostile-pages.test.ts',
  'test/unit/store/damage.test.ts',
  'test/scenario/large-command.test.ts',
  'test/chaos/clock.test.ts',
  'test/mcp/everything.test.ts',
  'test/chaos/disk-full.test.ts',
  'test/scenario/headless-files.test.ts',
];

/** Parts of them; each run takes one. */
export const TURNS = 6;

/** A turn, from 1 to 6, or `all`. */
export type Turn = number | 'all';

/**
 * Returns the turn of this run: `BELAY_TURN`, or that of the commit that is checked out. One commit always has the same
 * turn, and the next commit has the next one. Throws if `BELAY_TURN` is not a turn.
 */
export function chooseTurn(wanted = process.env['BELAY_TURN'] ?? '', folder = root): Turn {
  if (wanted === '') return 1 + (countCommits(folder) % TURNS);
  if (wanted === 'all') return 'all';
  const turn = Number(wanted);
  if (!Number.isInteger(turn) || turn < 1 || turn > TURNS)
    throw new Error(`BELAY_TURN is "${wanted}", not 1 to ${TURNS} or all.`);
  return turn;
}

/** Returns how many commits of the clone lead to the one that is checked out; 0 without git. */
function countCommits(folder: string): number {
  const words = ['rev-list', '--count', 'HEAD'];
  const { status, stdout } = spawnSync('git', words, { cwd: folder, encoding: 'utf8' });
  return status === 0 ? Number(stdout) : 0;
}

/** Files of this turn: those that are not long, and a sixth of those that are. */
export const ofTurn = (files: readonly string[], turn: Turn): readonly string[] =>
  turn === 'all'
    ? files
    : files.filter((file) => {
        const at = LONG.indexOf(file);
        return at === -1 || at % TURNS === turn - 1;
      });

/** How many files wait for another turn. */
export const left = (turn: Turn): number => LONG.length - ofTurn(LONG, turn).length;
