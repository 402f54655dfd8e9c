import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { FakeLanguage } from '../../support/fake-language.ts';
import { LANGUAGE_FILES, languageContract } from './language-contract.ts';

// The TypeScript server in a real VS Code passes the same contract: test/host/language.test.ts.
describe('contract of language servers: the fake', () => {
  let folder = '';

  languageContract(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'belay-language-'));
    for (const [name, text] of Object.entries(LANGUAGE_FILES))
      await writeFile(path.join(folder, name), text);
    return { language: new FakeLanguage(folder), folder };
  });

  after(async () => {
    await rm(folder, { recursive: true, force: true });
  });
});
