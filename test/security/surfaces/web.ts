import { inEnglish, type Told } from '../../../src/domain/text/told.ts';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import { judgeRequest } from '../../../src/core/permissions/network/request-guard.ts';
import type { Json, JsonObject } from '../../../src/domain/data/json.ts';
import { checkAnswer, newAuthorization } from '../../../src/mcp/auth/authorization.ts';
import { CallbackListener } from '../../../src/mcp/auth/callback-listener.ts';
import type { CredentialStorage } from '../../../src/mcp/auth/credential-book.ts';
import { CredentialBook } from '../../../src/mcp/auth/credential-book.ts';
import { resourceProblem, serverProblem } from '../../../src/mcp/auth/metadata.ts';
import { openable } from '../../../src/mcp/auth/openable.ts';
import { readInstallLink } from '../../../src/mcp/clients/install-link.ts';
import { TestEngine } from '../../support/engine/test-engine.ts';
import { inOrder, say } from '../../support/model-server/turn.ts';
import { root } from '../../rig/processes.ts';
import { list, mildest } from '../case-input.ts';
import { runSession } from '../attacked-session.ts';
import type { Answer, Surfaces } from '../surface.ts';
import { textOf } from './text.ts';

/** Requests, local listeners and sign-ins: rules 6 and 10. */
export const webSurfaces: Surfaces = {
  /**
   * The call is made for real. The person lets the host of the case's own listener be contacted, as a
   * page they asked for would be, and nothing else.
   */
  fetch: async ({ input }, fixture) => {
    const url = textOf(input['url']);
    const okay = `127.0.0.1:${fixture.okPort}`;
    const allowedHosts = list(input['allowed'] ?? input['allowedHosts']);
    const { last, questions } = await runSession(fixture, {
      calls: [{ name: 'fetch_url', input: { url } }],
      allowedHosts,
      person: ({ title, detail }) => ({
        allowed: title.startsWith('Let the model') || hostIn(detail) === okay,
      }),
    });
    const judged = judgeRequest(url, { always: allowedHosts, never: [], session: new Set() });
    if (judged.verdict === 'refuse') return { decision: 'refuse', note: inEnglish(judged.reason) };
    // A place that a redirect names is asked about when the model asks for it.
    const asked =
      questions.some(({ title }) => !title.startsWith('Let the model')) ||
      last.note?.includes('a place that nobody was asked about') === true;
    // Whether it then arrived is not the guard's doing.
    const decision = judged.verdict === 'allow' ? 'allow' : last.decision;
    return { decision: asked ? 'ask' : decision, note: last.note ?? '' };
  },

  listen: async () => {
    await using test = await TestEngine.open({ script: inOrder(say('hello')) });
    const listener = await CallbackListener.open();
    try {
      await test.run('hi');
      const open = listening();
      const wide = open.filter((address) => !/^(?:127\.|::1$)/u.test(address));
      const calls = sources().filter(
        ({ text }) => /\.listen\(/u.test(text) && !/host: '127\.0\.0\.1'/u.test(text),
      );
      const sockets = calls.filter(({ text }) =>
        /createServer\(|WebSocketServer|createSocket/u.test(text),
      );
      return wide.length === 0 && sockets.length === 0
        ? { decision: 'inert', note: open.join() }
        : { decision: 'allow', note: [...wide, ...sockets.map(({ file }) => file)].join() };
    } finally {
      await listener.dispose();
    }
  },

  'local-http': async ({ input }) => {
    const {
      host,
      origin,
      path: asked = '/',
      method,
      ...others
    } = objectOf(input['request'] ?? input);
    const listener = await CallbackListener.open();
    try {
      const own = new URL(listener.redirectUri);
      const headers: Record<string, string> = {
        ...(typeof host === 'string' ? { host } : { host: own.host }),
        ...(typeof origin === 'string' ? { origin } : {}),
        ...(objectOf(others['headers']) as Record<string, string>),
      };
      // Without the secret path, and, as if it had leaked, with it.
      const paths = [
        textOf(asked),
        ...(headers['host'] === own.host && headers['origin'] === undefined
          ? []
          : [`${own.pathname}?code=c`]),
      ];
      const answers: Answer[] = [];
      for (const one of paths) {
        const status = await statusOf(own, one, textOf(method ?? 'GET'), headers);
        answers.push({ decision: status === 403 ? 'refuse' : 'allow', note: `${one}: ${status}` });
      }
      return mildest(answers);
    } finally {
      await listener.dispose();
    }
  },

  /** An address of Belay's own scheme: only install links are read, and what they say is shown before anything is done. */
  uri: async ({ input }) => {
    const handlers = sources().filter(({ text }) => text.includes('registerUriHandler'));
    const files = handlers.map(({ file }) => file).join();
    if (!/^hosts[\\/]vscode[\\/]startup[\\/]native-doors\.ts$/u.test(files))
      return { decision: 'allow', note: `another handler: ${files}` };
    const { pathname, search } = new URL(textOf(input['uri']).replaceAll('{ext}', 'belay.belay'));
    const query = decodeURIComponent(search.slice(1));
    if (pathname === '/prompt')
      return { decision: 'ask', note: 'a text comes into the input, and is not sent' };
    const read = readInstallLink({ path: decodeURIComponent(pathname), query });
    return 'problem' in read
      ? { decision: 'refuse', note: inEnglish(read.problem) }
      : { decision: 'ask', note: `shown whole, not to add it is chosen: ${JSON.stringify(read)}` };
  },

  'oauth-open': async ({ input }) => {
    const address = textOf(
      input['authorization_endpoint'] ??
        input['url'] ??
        input['verification_uri'] ??
        Object.values(input)[0],
    );
    const found = openable(address);
    return 'problem' in found
      ? { decision: 'refuse', note: inEnglish(found.problem) }
      : {
          decision: 'ask',
          note: `opened through vscode.env.openExternal after a question: ${found.url.href}`,
        };
  },

  'oauth-callback': async ({ input }) => {
    const issuer = textOf(
      input['issuer'] ?? input['expectedIss'] ?? input['expectedIssuer'] ?? 'https://as.example',
    );
    const pending = {
      ...newAuthorization(issuer, input['issSupported'] !== false),
      state: textOf(input['expectedState'] ?? input['sentState'] ?? 'good'),
    };
    const parameters = new URLSearchParams();
    for (const name of ['code', 'state', 'iss', 'error', 'error_description']) {
      const value = input[name];
      for (const one of Array.isArray(value) ? (value as readonly Json[]) : [value])
        if (one !== undefined && one !== null) parameters.append(name, textOf(one));
    }
    const checked = checkAnswer(parameters, pending);
    return 'problem' in checked
      ? { decision: 'refuse', note: inEnglish(checked.problem) }
      : { decision: 'allow', note: 'the code was taken' };
  },

  'oauth-metadata': async ({ input }) => {
    const server = textOf(input['server'] ?? input['serverUrl'] ?? 'https://mcp.example/mcp');
    const issuer = textOf(
      input['expectedIssuer'] ?? input['authorizationServer'] ?? 'https://as.example',
    );
    const aboutServer = [
      'issuer',
      'authorization_endpoint',
      'token_endpoint',
      'registration_endpoint',
      'jwks_uri',
      'code_challenge_methods_supported',
    ];
    const problems: (Told | undefined)[] = [];
    if ('resource' in input || 'authorization_servers' in input)
      problems.push(resourceProblem(server, { resource: server, ...input }));
    if (aboutServer.some((name) => name in input)) {
      const usual = {
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        code_challenge_methods_supported: ['S256'],
      };
      problems.push(serverProblem(issuer, { ...usual, ...input }));
    }
    const problem = problems.find((one) => one !== undefined);
    if (problems.length === 0) return { decision: 'refuse', note: 'nothing in it is metadata' };
    return problem === undefined
      ? { decision: 'allow', note: 'the metadata is used' }
      : { decision: 'refuse', note: inEnglish(problem) };
  },

  'oauth-migration': async ({ input }) => {
    const kept = new Map<string, string>();
    const storage: CredentialStorage = {
      get: async (key) => kept.get(key),
      store: async (key, value) => void kept.set(key, value),
      delete: async (key) => void kept.delete(key),
    };
    const [first, second] = [input['first'], input['second']].map((one) => textOf(one));
    const book = new CredentialBook(storage, 'hash');
    await book.keep(first ?? '', {
      client: { client_id: 'client-of-first' },
      tokens: { access_token: 'tokens-of-first', token_type: 'Bearer' },
    });
    const offered = JSON.stringify(await book.of(second ?? ''));
    await book.movedTo(second ?? '');
    const left = JSON.stringify([...kept.values()]);
    return offered.includes('of-first') || left.includes('of-first')
      ? { decision: 'allow', note: `${offered} ${left}` }
      : {
          decision: 'refuse',
          note: 'nothing of the first is offered to the second, and nothing of it is left',
        };
  },
};

/** The host in a question about a request. */
function hostIn(detail: string): string | undefined {
  return /A request goes to the host (?<host>\S+?)\.(?:\s|$)/u.exec(detail)?.groups?.['host'];
}

/** Addresses that this process listens on, as the system tells; the runner's own are among them. */
function listening(): string[] {
  if (process.platform !== 'linux') return [];
  const own = new Set(
    readdirSync('/proc/self/fd').flatMap((descriptor) => {
      try {
        return /^socket:\[(\d+)\]$/u.exec(readlinkSync(`/proc/self/fd/${descriptor}`))?.[1] ?? [];
      } catch {
        return [];
      }
    }),
  );
  return ['tcp', 'tcp6'].flatMap((kind) =>
    readFileSync(`/proc/self/net/${kind}`, 'utf8')
      .split('\n')
      .slice(1)
      .flatMap((line) => {
        const [, local = '', , state, , , , , , inode = ''] = line.trim().split(/\s+/u);
        return state === '0A' && own.has(inode) ? [addressOf(local.split(':')[0] ?? '')] : [];
      }),
  );
}

/** `0100007F` is 127.0.0.1: the words are in the machine's own order. */
function addressOf(hex: string): string {
  const bytes = hex.match(/../gu) ?? [];
  if (bytes.length === 4)
    return bytes
      .toReversed()
      .map((byte) => Number.parseInt(byte, 16))
      .join('.');
  return /^0{24}01000000$/u.test(hex) ? '::1' : `::${hex}`;
}

/** The product's own sources. */
function sources(): { readonly file: string; readonly text: string }[] {
  const folder = path.join(root, 'src');
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => ({ file, text: readFileSync(path.join(folder, file), 'utf8') }));
}

async function statusOf(
  own: URL,
  asked: string,
  method: string,
  headers: Record<string, string>,
): Promise<number> {
  return new Promise((resolve, reject) => {
    const request = http.request(
      { host: own.hostname, port: own.port, path: asked, method, headers },
      (response) => {
        response.resume();
        resolve(response.statusCode ?? 0);
      },
    );
    request.on('error', reject).end();
  });
}

function objectOf(value: Json | undefined): JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as JsonObject)
    : {};
}
