import * as l10n from '@vscode/l10n';
import type { ComponentChildren } from 'preact';
import type { FileLink } from '../../../src/domain/message.ts';
import type { ToolView } from '../../../src/protocol/view.ts';
import { makeVisible } from '../../../src/domain/text/honest-text.ts';
import { type LinkTarget, linkTarget } from '../../markdown/links.ts';
import { usePanel } from '../../panel.ts';
import { FileName } from './file-name.tsx';

/** The subject of a card: a link when it is a file, with the name kept and the folders shortened. */
export function FileSubject({
  tool,
}: {
  readonly tool: Pick<ToolView, 'subject' | 'file'>;
}): ComponentChildren {
  const panel = usePanel();
  const { subject, file } = tool;
  if (file === null) {
    return (
      <span class="subject" title={subject}>
        {subject}
      </span>
    );
  }
  const cut = Math.max(subject.lastIndexOf('/'), subject.lastIndexOf('\\')) + 1;
  const open = (event: Event): void => {
    event.stopPropagation();
    panel.markdown.open({ kind: 'file', ...file });
  };
  return (
    <a
      role="link"
      tabIndex={0}
      class="link subject is-file"
      title={l10n.t('Open {0}', subject)}
      onClick={open}
      onKeyDown={(event) => {
        if (event.key === 'Enter') open(event);
      }}
    >
      {cut > 0 && <span class="folder">{subject.slice(0, cut)}</span>}
      <FileName class="base" name={subject.slice(cut)} />
    </a>
  );
}

/** The target of a file's link; a server's result may name an address instead of a path. */
function targetFor(file: FileLink): NonNullable<LinkTarget> {
  const target = linkTarget(file.path);
  return target?.kind === 'web' ? target : { kind: 'file', ...file };
}

/** Files shown at once; the others are counted. */
const SHOWN = 20;

/** Files that a result names (A9). */
export function FileLinks({ files }: { readonly files: readonly FileLink[] }): ComponentChildren {
  const panel = usePanel();
  if (files.length === 0) return null;
  return (
    <div class="files">
      {files.slice(0, SHOWN).map((file) => (
        <button
          type="button"
          class="link"
          key={`${file.path}:${file.line ?? 0}`}
          onClick={() => panel.markdown.open(targetFor(file))}
        >
          {makeVisible(file.line === undefined ? file.path : `${file.path}:${file.line}`)}
        </button>
      ))}
      {files.length > SHOWN && (
        <span class="quiet">{l10n.t('and {0} more', files.length - SHOWN)}</span>
      )}
    </div>
  );
}
