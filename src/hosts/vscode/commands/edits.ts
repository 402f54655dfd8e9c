import path from 'node:path';
import * as vscode from 'vscode';
import { BelayError } from '../../../domain/failure.ts';
import type { Proposal } from '../review/review.ts';
import type { CommandHandlers } from './register.ts';
import type { CommandServices } from './services.ts';

/** Commands about what waits for a decision: proposed edits, and all the rest. */
export function editCommands(
  services: CommandServices,
): Pick<
  CommandHandlers,
  | 'belay.acceptEdit'
  | 'belay.rejectEdit'
  | 'belay.acceptAllEdits'
  | 'belay.rejectAllEdits'
  | 'belay.showPending'
> {
  const { review } = services;
  const decideOne = async (allowed: boolean, clicked: unknown): Promise<void> => {
    const proposal = await chooseProposal(services, allowed, clicked);
    if (proposal !== undefined) review.decide(proposal, allowed);
  };
  const decideAll = async (allowed: boolean): Promise<void> => {
    const proposals = [...review.proposals];
    const files = proposals.map((one) => path.basename(one.question.edit.path)).join(', ');
    const verb = allowed ? 'Accept' : 'Reject';
    const sure = await vscode.window.showWarningMessage(
      `${verb} ${proposals.length} proposed edits?`,
      { modal: true, detail: files },
      verb,
    );
    if (sure !== verb) return;
    // Only those that were named; one that was decided meanwhile is left alone.
    const waiting = new Set(review.proposals);
    for (const proposal of proposals) if (waiting.has(proposal)) review.decide(proposal, allowed);
  };
  return {
    'belay.acceptEdit': (clicked) => decideOne(true, clicked),
    'belay.rejectEdit': (clicked) => decideOne(false, clicked),
    'belay.acceptAllEdits': () => decideAll(true),
    'belay.rejectAllEdits': () => decideAll(false),
    'belay.showPending': () => showPending(services),
  };
}

/**
 * The proposal that is meant: the one in the editor, else the person chooses. An edit that is not in
 * view is shown, not decided: nobody accepts what they have not seen.
 */
async function chooseProposal(
  { review }: CommandServices,
  allowed: boolean,
  clicked: unknown,
): Promise<Proposal | undefined> {
  const active = review.active(clicked instanceof vscode.Uri ? clicked : undefined);
  if (active !== undefined) return active;
  const { proposals } = review;
  const [only] = proposals;
  if (only === undefined) {
    throw new BelayError({ code: 'not_found', message: 'No proposed edit waits for a decision.' });
  }
  const chosen =
    proposals.length === 1
      ? only
      : (
          await vscode.window.showQuickPick(
            proposals.map((proposal) => ({
              label: path.basename(proposal.question.edit.path),
              description: vscode.workspace.asRelativePath(proposal.question.edit.path),
              proposal,
            })),
            { title: `Belay: ${allowed ? 'Accept' : 'Reject'} Which Edit?` },
          )
        )?.proposal;
  if (chosen === undefined || !allowed) return chosen;
  await review.open(chosen.question.id, { preserveFocus: false });
  return undefined;
}

async function showPending(services: CommandServices): Promise<void> {
  const pending = services.desk.pending();
  const [only] = pending;
  if (only === undefined) {
    throw new BelayError({ code: 'not_found', message: 'Nothing waits for you.' });
  }
  if (pending.length === 1) {
    await services.show(only);
    return;
  }
  const chosen = await vscode.window.showQuickPick(
    pending.map((one) => ({
      label: one.kind === 'approval' ? one.question.title : one.question.question,
      description: services.sessions.find(one.question.sessionId)?.title ?? '',
      detail: one.kind === 'approval' ? one.question.detail.slice(0, 300) : '',
      pending: one,
    })),
    { title: 'Belay: What Waits for You' },
  );
  if (chosen !== undefined) await services.show(chosen.pending);
}
