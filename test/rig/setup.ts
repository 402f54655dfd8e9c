// `npm run setup`: everything that tests and `npm start` need besides the dependencies.
import { ensureBrowser } from './browser.ts';
import { ensureVisualStudioCode } from './code-server.ts';

/** Gets VS Code and a browser where they are missing. Rejects with a sentence that says what to do. */
export async function setUp(): Promise<void> {
  const say = (line: string): void => console.log(line);
  await ensureVisualStudioCode(say);
  await ensureBrowser(say);
}

if (import.meta.main) await setUp();
