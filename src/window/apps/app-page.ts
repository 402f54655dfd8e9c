import * as l10n from '@vscode/l10n';
import { Buffer } from 'node:buffer';
import { fault } from '../../domain/failure.ts';
import { told } from '../../domain/text/told.ts';
import { isJsonObject } from '../../domain/data/json.ts';
import { type AppDomains, appDomains, appPolicy } from './app-policy.ts';

/** Characters of a page; larger ones are not shown. */
const LARGEST = 4_000_000;

/** The page of an app, as its server gave it. */
export interface AppPage {
  readonly html: string;
  readonly domains: AppDomains;
}

/** Reads what a server gave for a `ui://` address. Throws `BelayError` where it is no page that can be shown. */
export function readAppPage(server: string, contents: readonly unknown[]): AppPage {
  const found = contents.find((one) => isJsonObject(one)) ?? {};
  const { mimeType, text, blob, _meta } = found as Readonly<Record<string, unknown>>;
  const fails = (why: string): never => {
    throw fault('invalid', told`The app of the MCP server “${server}” cannot be shown: ${why}.`);
  };
  if (typeof mimeType !== 'string' || !/^text\/html\s*;\s*profile="?mcp-app"?$/iu.test(mimeType))
    return fails(l10n.t('it is not a page of the kind that apps are'));
  const size = typeof text === 'string' ? text.length : typeof blob === 'string' ? blob.length : 0;
  if (size === 0) return fails(l10n.t('it is empty'));
  if (size > LARGEST) return fails(l10n.t('it has more than {0} MB', LARGEST / 1_000_000));
  const html = typeof text === 'string' ? text : Buffer.from(String(blob), 'base64').toString();
  return { html, domains: appDomains(_meta) };
}

/** The document around an app: one frame without rights but to run its own scripts, and the script that carries messages. */
export function appDocument(
  domains: AppDomains,
  { script, source }: { readonly script: string; readonly source: string },
): string {
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${appPolicy(domains, source)}">
<style>
html, body { height: 100%; margin: 0; padding: 0; }
iframe { display: block; width: 100%; height: 100%; border: 0; }
p { padding: 1em; }
</style>
<title>App</title>
</head>
<body>
<p id="note" role="status" hidden></p>
<iframe id="app" title="App of an MCP server" sandbox="allow-scripts" allow="" referrerpolicy="no-referrer"></iframe>
<script src="${script}"></script>
</body>
</html>
`;
}
