import type { Content, FileReview } from './file-review.ts';

/** Describes the change of a binary file, such as "binary, 2.0 kB → 3.1 kB". Empty for texts, whose lines are shown. */
export function describeBinary({
  baseline,
  document,
}: Pick<FileReview, 'baseline' | 'document'>): string {
  if (baseline.kind !== 'binary' && document.kind !== 'binary') return '';
  const [was, is] = [formatSize(baseline), formatSize(document)];
  if (baseline.kind === 'absent' || document.kind === 'absent') return `binary, ${was || is}`;
  return was === ''
    ? `text → binary, ${is}`
    : is === ''
      ? `binary, ${was} → text`
      : `binary, ${was} → ${is}`;
}

function formatSize(content: Content): string {
  if (content.kind !== 'binary') return '';
  const { bytes } = content;
  if (bytes < 1024) return `${bytes} B`;
  const kilobytes = bytes / 1024;
  return kilobytes < 1024 ? `${kilobytes.toFixed(1)} kB` : `${(kilobytes / 1024).toFixed(1)} MB`;
}
