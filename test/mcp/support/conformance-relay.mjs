// What the conformance suite starts for each scenario. It has the test's own process run the client: a program that
// loads the client anew for each of the scenarios would take most of the time.
import { request } from 'node:http';

const { CONFORMANCE_TEST, MCP_CONFORMANCE_SCENARIO, MCP_CONFORMANCE_CONTEXT } = process.env;
const protocol = process.env['MCP_CONFORMANCE_PROTOCOL_VERSION'];
const sent = request(CONFORMANCE_TEST ?? '', { method: 'POST' }, (response) => {
  process.exitCode = response.statusCode === 200 ? 0 : 1;
  response.pipe(process.stderr);
});
sent.end(
  JSON.stringify({
    url: process.argv.at(-1),
    protocol,
    scenario: MCP_CONFORMANCE_SCENARIO,
    context: JSON.parse(MCP_CONFORMANCE_CONTEXT ?? '{}'),
  }),
);
