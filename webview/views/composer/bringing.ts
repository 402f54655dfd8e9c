import type { RefObject } from 'preact';
import type { Panel } from '../../panel.ts';
import type { Mentioning } from './mentioning.ts';

/** Lines of a pasted text that are looked at as paths. */
const MOST_PATHS = 20;
/** Characters of a path. */
const LONGEST_PATH = 1000;

export interface Bringing {
  readonly drop: (data: DataTransfer | null) => void;
  readonly paste: (event: ClipboardEvent) => void;
}

/** Files, paths and code that are dropped or pasted into the input. */
export function bringing(
  panel: Panel,
  input: RefObject<HTMLTextAreaElement | null>,
  mentions: Pick<Mentioning, 'mention'>,
  addFiles: (files: readonly File[]) => Promise<void>,
): Bringing {
  const locate = async (
    files: readonly string[],
    code: string | null,
  ): Promise<Parameters<Mentioning['mention']>[0]> => {
    const answer = await panel.host.attempt('locateFiles', { files: [...files], code });
    return 'value' in answer ? answer.value.mentions : [];
  };
  const dropped = async (given: DroppedData): Promise<void> => {
    const found = given.uris.length === 0 ? [] : await locate(given.uris, null);
    if (found.length > 0) mentions.mention(found);
    else if (given.files.length > 0) await addFiles(given.files);
    else if (given.text !== '') panel.input.insert.value = { text: given.text };
  };
  const pasted = async (text: string, from: number): Promise<void> => {
    const lines = text.split('\n').map((line) => line.trim());
    const paths = lines.filter((line) => line !== '');
    const arePaths = paths.length > 0 && paths.length <= MOST_PATHS && paths.every(looksLikePath);
    const isCode = text.trim().includes('\n');
    if (!arePaths && !isCode) return;
    const found = await locate(arePaths ? paths : [], isCode ? text : null);
    // A text of which only some lines are paths is a text.
    const isAll = found.length > 0 && (!arePaths || isCode || found.length === paths.length);
    const to = from + text.length;
    if (isAll && input.current?.value.slice(from, to) === text)
      mentions.mention(found, { from, to });
  };
  return {
    // Its data is gone when the event is over.
    drop: (data) => void dropped(dataOf(data)),
    paste: (event) => {
      const files = [...(event.clipboardData?.files ?? [])];
      if (files.length > 0) {
        event.preventDefault();
        void addFiles(files);
        return;
      }
      const text = (event.clipboardData?.getData('text/plain') ?? '').replaceAll('\r\n', '\n');
      const area = input.current;
      if (text === '' || area === null) return;
      const from = area.selectionStart;
      // The text is pasted as ever; where it is a place in the workspace, a mention takes its place.
      setTimeout(() => void pasted(text, from));
    },
  };
}

interface DroppedData {
  readonly uris: readonly string[];
  readonly files: readonly File[];
  readonly text: string;
}

/** The explorer and editor tabs of VS Code give lists of addresses; a webview gets them while Shift is held. */
function dataOf(data: DataTransfer | null): DroppedData {
  const list =
    data?.getData('application/vnd.code.uri-list') || data?.getData('text/uri-list') || '';
  const uris = list
    .split(/\r?\n/u)
    .filter((line) => line !== '' && !line.startsWith('#'))
    .slice(0, MOST_PATHS);
  return { uris, files: [...(data?.files ?? [])], text: data?.getData('text/plain') ?? '' };
}

function looksLikePath(line: string): boolean {
  if (line.length > LONGEST_PATH || /^https?:/iu.test(line)) return false;
  return (
    /^[^\s]*[\\/][^\n]*$/u.test(line) || /^[\w .@-]+\.\w{1,10}(?::\d+(?:[-:]\d+)?)?$/u.test(line)
  );
}
