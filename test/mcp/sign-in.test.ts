import assert from 'node:assert/strict';
import type { McpPerson } from '../../src/mcp/requests/person.ts';
import { credentialMemory } from '../../src/mcp/auth/credential-book.ts';
import { GuardedServer } from './support/guarded-server.ts';
import { Harness, textOf, wicked } from './support/harness.ts';

/** A browser that goes where it is sent. */
async function browse(address: URL): Promise<boolean> {
  for (let next: string | null = address.href; next !== null;) {
    const response: Response = await fetch(next, { redirect: 'manual' });
    next = response.headers.get('location');
  }
  return true;
}

describe('MCP: signing in to a server', function () {
  this.timeout(30_000);
  let server: GuardedServer;
  let harness: Harness;
  let opened: string[];
  let willing: boolean;
  const credentials = credentialMemory();

  beforeEach(async () => {
    server = new GuardedServer();
    opened = [];
    willing = true;
    harness = fresh();
    const url = await server.listen();
    harness.configure({ guarded: { url }, other: wicked('good') });
  });
  afterEach(async () => {
    await harness.hub.dispose();
    await server.close();
  });

  function fresh(): Harness {
    const person: McpPerson = {
      fillForm: async () => ({ action: 'cancel' }),
      openPage: async () => ({ action: 'cancel' }),
      sample: async () => undefined,
      signIn: async (_server, url) => {
        opened.push(url.host);
        return willing && browse(url);
      },
    };
    return new Harness({ support: { person, credentials } });
  }

  it('no browser opens by itself; a restart by hand signs in, and the tokens are kept and renewed', async () => {
    await harness.hub.tools();
    assert.match(harness.reason('guarded'), /asks you to sign in\./u);
    assert.equal(harness.hub.servers().find(({ name }) => name === 'guarded')?.signIn, true);
    assert.deepEqual(opened, []);
    await harness.hub.restart('guarded');
    assert.equal(harness.state('guarded'), 'ready', harness.reason('guarded'));
    assert.equal(opened.length, 1);
    assert.match(textOf(await harness.call('open')), /it is open/u);
    // The token runs out: it is renewed within the call, and nobody is asked.
    server.token = 'second';
    assert.match(textOf(await harness.call('open')), /it is open/u);
    // Another window starts with what is kept.
    const definition = harness.hub.server('guarded')?.definition;
    assert.ok(definition?.target?.kind === 'http');
    const other = fresh();
    other.configure({ guarded: { url: definition.target.url } });
    await other.hub.tools();
    assert.equal(other.state('guarded'), 'ready', other.reason('guarded'));
    await other.hub.dispose();
    assert.equal(opened.length, 1);
    await harness.hub.signOut('guarded');
    server.token = 'third';
    await harness.hub.restart('guarded');
    assert.equal(opened.length, 2, 'after signing out the person is asked again');
  });

  it('a no of the person is a state in words, and other servers go on', async () => {
    willing = false;
    await harness.hub.tools();
    await harness.hub.restart('guarded');
    assert.match(harness.reason('guarded'), /You did not sign in/u);
    assert.equal(harness.state('other'), 'ready');
  });

  it('one that a reload of the window broke off says so, and is made anew', async () => {
    let browses = false;
    const sent = Promise.withResolvers<void>();
    const watched: typeof credentials = {
      ...credentials,
      store: async (key, value) => {
        await credentials.store(key, value);
        if (value.includes('"begun":true')) sent.resolve();
      },
    };
    const away = (): Harness =>
      new Harness({
        support: {
          credentials: watched,
          person: {
            fillForm: async () => ({ action: 'cancel' }),
            openPage: async () => ({ action: 'cancel' }),
            sample: async () => undefined,
            signIn: async (_server, url) => (browses ? browse(url) : true),
          },
        },
      });
    const definition = harness.hub.server('guarded')?.definition.target;
    assert.ok(definition?.kind === 'http');
    const before = away();
    before.configure({ guarded: { url: definition.url } });
    void before.hub.restart('guarded');
    await sent.promise;
    await before.hub.dispose();
    const later = away();
    later.configure({ guarded: { url: definition.url } });
    await later.hub.tools();
    assert.match(later.reason('guarded'), /was begun and did not end: .*Sign in again\./u);
    browses = true;
    await later.hub.restart('guarded');
    assert.equal(later.state('guarded'), 'ready', later.reason('guarded'));
    await later.hub.signOut('guarded');
    await later.hub.dispose();
    const last = away();
    last.configure({ guarded: { url: definition.url } });
    await last.hub.tools();
    assert.match(last.reason('guarded'), /asks you to sign in\./u);
    await last.hub.dispose();
  });

  for (const [fault, sentence] of [
    ['wrong iss', /it comes from "https:\/\/evil\.example"/u],
    ['other state', /does not belong to the sign-in that was begun here/u],
    ['token redirect', /The sign-in failed/u],
    ['metadata elsewhere', /token_endpoint that cannot be used/u],
  ] as const)
    it(`${fault}: nothing is sent there, the person reads why, and other servers go on`, async () => {
      server.fault = fault;
      await harness.hub.tools();
      await harness.hub.restart('guarded');
      assert.equal(harness.state('guarded'), 'failed');
      assert.match(harness.reason('guarded'), sentence);
      assert.ok(!server.seen.includes('POST /stolen'), server.seen.join());
      if (fault !== 'token redirect') assert.ok(!server.seen.includes('POST /token'));
      assert.equal(harness.state('other'), 'ready');
    });
});
