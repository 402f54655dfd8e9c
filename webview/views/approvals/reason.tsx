import type { ComponentChildren } from 'preact';
import type { ApprovalView } from '../../../src/protocol/view.ts';
import { usePanel } from '../../panel.ts';

/** A setting of Belay's, or a file of rules with its whole path, as a reason names it; folders may have spaces. */
const PLACE =
  /(belay\.permissions\.(?:rules|workspaceRules)|(?<!\S)(?:\/|[A-Za-z]:[\\/])[^\n:“”]{0,4000}?\/\.belay\/permissions\.json)/u;

/** Joins why a call requires approval and the folder when it is not the workspace's root; empty when there is neither. */
export const joinReason = ({ reason, where }: ApprovalView): string =>
  [reason, where].filter((words) => words !== '').join(' ');

/** Why it is asked; the place where that can be put right is a link. */
export function Reason({ words }: { readonly words: string }): ComponentChildren {
  const panel = usePanel();
  const open = (place: string): void => {
    if (place.startsWith('belay.')) panel.host.do('openSettings', { query: `@id:${place}` });
    else panel.host.do('openFile', { path: place });
  };
  return words.split(PLACE).map((piece, index) =>
    index % 2 === 0 ? (
      piece
    ) : (
      <button key={index} type="button" class="link" onClick={() => open(piece)}>
        {piece}
      </button>
    ),
  );
}
