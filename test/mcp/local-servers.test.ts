import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  Harness,
  contextOf,
  everything,
  filesystem,
  recordingContext,
  textOf,
} from './support/harness.ts';

describe('MCP: real local servers', () => {
  describe('server-everything', () => {
    const harness = new Harness();

    before(() => {
      harness.configure({ everything: { command: process.execPath, args: [everything] } });
    });
    after(async () => {
      await harness.hub.dispose();
      assert.deepEqual(harness.processes(), []);
    });

    it('E8: offers the tools of a configured server, named after server and tool', async () => {
      const tools = await harness.hub.tools();
      const names = tools.map((tool) => tool.name);
      assert.ok(names.includes('mcp__everything__echo'));
      assert.deepEqual(names, names.toSorted());
      for (const tool of tools) {
        assert.equal(tool.module, 'everything');
        assert.equal(tool.permission, 'execute');
        assert.equal(tool.inputSchema['type'], 'object');
        assert.notEqual(tool.description, '');
      }
    });

    it('E8: passes the schema on as the server wrote it', async () => {
      const { inputSchema } = await harness.tool('echo');
      assert.deepEqual(inputSchema['required'], ['message']);
      assert.deepEqual(Object.keys(inputSchema['properties'] ?? {}), ['message']);
    });

    it('takes only the claim to be read-only as a reason to repeat a call', async () => {
      assert.equal((await harness.tool('echo')).sideEffects, false);
      assert.equal((await harness.tool('gzip-file-as-resource')).sideEffects, true);
    });

    it('calls a tool and gives its text', async () => {
      assert.equal(textOf(await harness.call('echo', { message: 'grüße' })), 'Echo: grüße');
    });

    it('gives images as bytes with a media type', async () => {
      const { content } = await harness.call('get-tiny-image');
      const image = content.find((part) => part.type === 'binary');
      assert.equal(image?.mediaType, 'image/png');
      assert.equal(Buffer.from(image.data, 'base64').subarray(1, 4).toString('latin1'), 'PNG');
    });

    it('does not repeat structured content that the text already says', async () => {
      const output = await harness.call('get-structured-content', { location: 'New York' });
      assert.equal(output.content.length, 1);
      assert.equal(typeof JSON.parse(textOf(output)), 'object');
    });

    it('names resources without fetching them', async () => {
      const links = textOf(await harness.call('get-resource-links', { count: 2 }));
      assert.match(links, /\[Resource “.*”: demo:\/\/resource/);
      const embedded = await harness.call('get-resource-reference', {
        resourceType: 'Text',
        resourceId: 1,
      });
      assert.match(
        textOf(embedded),
        /\[Resource demo:\/\/resource\/dynamic\/text\/1\]\nResource 1/,
      );
    });

    it('E10: gives what the server says against the arguments as a failed result', async () => {
      const output = await harness.call('echo', {});
      assert.equal(output.isError, true);
      assert.match(textOf(output), /message/);
    });

    it('reports progress with a fraction', async () => {
      const { context, events } = recordingContext();
      await harness.call('trigger-long-running-operation', { duration: 0.6, steps: 3 }, context);
      const progress = events.filter((event) => event.type === 'tool.progress');
      assert.ok(progress.length >= 2);
      for (const [index, { callId, fraction }] of progress.entries()) {
        assert.equal(callId, 'call-1');
        assert.equal(fraction, (index + 1) / 3);
      }
    });

    it('gives the server a built-up environment, not ours', async () => {
      process.env['BELAY_TEST_SECRET'] = 'do not tell';
      const own = new Harness();
      own.configure({
        everything: {
          command: process.execPath,
          args: [everything],
          env: { GIVEN: '${env:BELAY_TEST_SECRET}' },
        },
      });
      try {
        const seen = JSON.parse(textOf(await own.call('get-env'))) as Record<string, string>;
        assert.equal(seen['BELAY_TEST_SECRET'], undefined);
        assert.equal(seen['GIVEN'], 'do not tell');
        assert.equal(seen['PATH'], process.env['PATH']);
      } finally {
        delete process.env['BELAY_TEST_SECRET'];
        await own.hub.dispose();
      }
    });

    it('ends a call when its signal fires, and the server serves the next one', async () => {
      const stop = new AbortController();
      const tool = await harness.tool('trigger-long-running-operation');
      const call = tool.run({ duration: 60, steps: 2 }, contextOf({ signal: stop.signal }));
      stop.abort();
      await assert.rejects(call, { name: 'AbortError' });
      assert.equal(textOf(await harness.call('echo', { message: 'on' })), 'Echo: on');
    });

    it('says what the server is and which revision it speaks', async () => {
      await harness.hub.tools();
      const [view] = harness.hub.servers();
      assert.equal(view?.state, 'ready');
      assert.equal(view.server?.name, 'mcp-servers/everything');
      assert.equal(view.revision, '2025-11-25');
      assert.match(harness.log('everything'), /stderr: Starting default \(STDIO\) server/);
    });
  });

  describe('server-filesystem', () => {
    // Folders that a client tells of count instead of the ones in its arguments.
    const harness = new Harness({ support: { roots: () => [] } });
    let folder: string;

    before(async () => {
      folder = await mkdtemp(path.join(tmpdir(), 'belay-mcp-'));
      harness.configure({ files: { command: process.execPath, args: [filesystem, folder] } });
    });
    after(async () => {
      await harness.hub.dispose();
      await rm(folder, { recursive: true });
    });

    it('E8: reads and writes through its tools', async () => {
      await writeFile(path.join(folder, 'a.txt'), 'one line\n');
      const read = await harness.call('read_text_file', { path: path.join(folder, 'a.txt') });
      assert.equal(textOf(read), 'one line\n');
      await harness.call('write_file', { path: path.join(folder, 'b.txt'), content: 'two' });
      assert.equal(await readFile(path.join(folder, 'b.txt'), 'utf8'), 'two');
    });

    it('E10: a refusal of the server is a failed result', async () => {
      const output = await harness.call('read_text_file', { path: '/etc/hostname' });
      assert.equal(output.isError, true);
      assert.match(textOf(output), /denied/i);
    });
  });
});
