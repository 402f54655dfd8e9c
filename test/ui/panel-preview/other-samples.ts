import type { ToolSample } from './tool-samples.ts';

/** Calls of tools that neither edit, run nor ask language servers. */
export const OTHERS: readonly ToolSample[] = [
  {
    name: 'todo',
    input: {
      items: [
        { text: 'Reproduce it with a test', status: 'done' },
        { text: 'Stop at the end of the input', status: 'active' },
        { text: 'Run the suite', status: 'open' },
      ],
    },
    text: '1 of 3 done',
    display: { kind: 'todo', done: 1, total: 3 },
    problem: 'The person changed the list meanwhile; nothing was overwritten.',
  },
  {
    name: 'ask_human',
    input: { question: 'Which parser is to stay?', choices: ['The new one', 'Both'] },
    text: 'Both, until the release',
    display: {
      kind: 'answer',
      answers: [
        {
          question: 'Which parser is to stay?',
          choices: ['The new one', 'Both'],
          answer: 'Both, until the release',
        },
      ],
    },
    took: 65_000,
    problem: 'Nobody is there to answer.',
  },
  {
    name: 'fetch_url',
    input: { url: 'https://example.com/docs/grammar/lists.html' },
    text: '# Lists\nA list is …',
    display: {
      kind: 'page_read',
      url: 'https://example.com/docs/grammar/lists.html',
      status: 200,
      mediaType: 'text/html',
      characters: 18_230,
    },
    took: 900,
    problem: 'example.com answered with status 404. Nothing was read.',
  },
  {
    name: 'read_result',
    input: { result_id: 'r-3f8a', offset: 40_000 },
    text: '…',
    display: { kind: 'page', resultId: 'r-3f8a', offset: 40_000, length: 40_000, total: 312_400 },
    problem: 'There is no result r-3f8a. Run the command again.',
  },
  {
    name: 'read_skill',
    input: { name: 'release', file: 'checks.md' },
    text: 'Tag it, then push.',
    display: { kind: 'skill', characters: 18 },
    problem: 'There is no skill "release" here. Skills: review.',
  },
  {
    name: 'remember',
    input: { text: 'The integration tests need Postgres on port 5433.', scope: 'workspace' },
    text: 'Remembered as w12.',
    display: {
      kind: 'memory',
      scope: 'workspace',
      notes: [{ id: 'w12', text: 'The integration tests need Postgres on port 5433.' }],
    },
    problem: 'There are 5000 notes already, which is the most.',
  },
  {
    name: 'recall',
    input: { query: 'postgres port' },
    text: '- [w12] The integration tests need Postgres on port 5433.',
    display: {
      kind: 'memories',
      notes: [
        { id: 'w12', text: 'The integration tests need Postgres on port 5433.' },
        { id: 'p3', text: 'Containers run with podman on the laptop.' },
      ],
    },
    problem: 'query needs at least 1 letter.',
  },
  {
    name: 'forget',
    input: { id: 'p3' },
    text: 'Forgotten: Containers run with podman on the laptop.',
    display: {
      kind: 'memory',
      scope: 'person',
      notes: [{ id: 'p3', text: 'Containers run with podman on the laptop.' }],
    },
    problem: 'There is nothing remembered as p3. recall says the ids.',
  },
  {
    name: 'find_tool',
    input: { query: 'create issue' },
    text: 'github_create_issue: Creates an issue.\nArguments (JSON Schema): {}',
    problem: 'query is words of the tool.',
  },
  {
    name: 'use_tool',
    input: { tool: 'rename_symbol' },
    text: 'rename_symbol: Renames a symbol everywhere.\nArguments (JSON Schema): {}',
    problem: 'tool must be one of git, rename_symbol.',
  },
  {
    name: 'mcp__github__create_issue',
    input: { title: 'The list parser returns the last element twice', labels: ['bug'] },
    text: '{"number": 812}',
    took: 1800,
    progress: { message: 'Creating the issue', fraction: 0.6 },
    problem: 'GitHub: the token may not create issues in this repository.',
  },
  {
    name: 'ext__sample_tools__count_words',
    input: { text: 'How many words are these?' },
    text: '5',
    problem: 'The extension Sample Tools ended with an error: no text.',
  },
];
