// A scripted Messages API on a port of its own, for benches and tests of the panel:
//   node test/support/model-server/main.ts --script FILE [--port P] [--inspect-port P] [--no-record] [--lenient]
// FILE is a module whose default export is a `Script`, or a JSON file with a list of turns.
// Prints one line with its URL when it listens. `--inspect-port P` serves what was received, as JSON, on another port.
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { startModelServer } from './server.ts';
import { inOrder } from './turn.ts';
import type { Script, Turn } from './turn.ts';

const { values } = parseArgs({
  options: {
    script: { type: 'string' },
    port: { type: 'string', default: '0' },
    'inspect-port': { type: 'string' },
    'no-record': { type: 'boolean', default: false },
    lenient: { type: 'boolean', default: false },
  },
});
if (values.script === undefined) throw new Error('--script FILE is needed');

const server = await startModelServer({
  script: await scriptFrom(path.resolve(values.script)),
  port: Number(values.port),
  record: !values['no-record'],
  strict: !values.lenient,
});
if (values['inspect-port'] !== undefined) {
  createServer((_request, response) => {
    response.setHeader('content-type', 'application/json');
    response.end(
      JSON.stringify(
        server.all.map(({ path: at, body, usage, status }) => ({ path: at, body, usage, status })),
      ),
    );
  }).listen(Number(values['inspect-port']), '127.0.0.1');
}
console.log(`model server: ${server.url}`);

async function scriptFrom(file: string): Promise<Script> {
  if (file.endsWith('.json'))
    return inOrder(...(JSON.parse(await readFile(file, 'utf8')) as Turn[]));
  const { default: script } = (await import(pathToFileURL(file).href)) as { default: Script };
  return script;
}
