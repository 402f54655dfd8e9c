import { PathGuard } from '../../src/core/permissions/path-guard.ts';
import { NodeFileSystem } from '../../src/hosts/node/files/file-system.ts';
import { NodeIgnoredPaths } from '../../src/hosts/node/search/ignore/belay-ignore.ts';
import { ChangedFiles } from '../../src/tools/language/changed-files.ts';
import type { LanguageKit } from '../../src/tools/language/language-kit.ts';
import { FakeLanguage } from './fake-language.ts';

/** What the language tools need, over the fake server and the real path guard. */
export function languageKit(folder: string): LanguageKit {
  const files = new NodeFileSystem();
  const guard = new PathGuard({ files, ownFolders: [], ignored: new NodeIgnoredPaths() });
  return {
    servers: new FakeLanguage(folder),
    judge: (touch, roots) => guard.judge(touch, roots),
    changed: new ChangedFiles(),
  };
}
