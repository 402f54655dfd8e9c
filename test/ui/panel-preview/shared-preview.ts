import { Preview } from './preview.ts';

let preview: Promise<Preview> | undefined;

/** The preview for all test files of a process: bundled once, one browser. Each page is a profile of its own. */
export function sharedPreview(): Promise<Preview> {
  preview ??= Preview.start();
  return preview;
}

after('the preview ends', async () => {
  const started = await preview?.catch(() => undefined);
  await started?.[Symbol.asyncDispose]();
});
