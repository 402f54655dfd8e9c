/**
 * The program between the person's shell and the command, written for the Node that runs VS Code. A shell
 * tells only a number, in which a signal and an exit code look alike; this one waits for the command itself
 * and writes down exactly how it ended. It waits for `JOB.go` before the command may begin, so that the
 * process group is on record first, and gives the command its own small environment instead of the shell's, with the
 * marker by which its processes are found wherever they go.
 */
export const RUNNER = `
const { spawn } = require('node:child_process');
const fs = require('node:fs');
const job = process.env.BELAY_JOB;
const put = (name, text) => {
  fs.writeFileSync(job + name + '.new', text);
  fs.renameSync(job + name + '.new', job + name);
};
const { command, cwd, env, marker } = JSON.parse(fs.readFileSync(job + '.json', 'utf8'));
for (const signal of ['SIGINT', 'SIGTERM', 'SIGQUIT', 'SIGHUP']) process.on(signal, () => {});
put('.pid', String(process.pid));
const until = Date.now() + 30000;
const gate = setInterval(() => {
  if (Date.now() > until) process.exit(125);
  if (!fs.existsSync(job + '.go')) return;
  clearInterval(gate);
  const child = spawn('/bin/bash', ['-c', command], {
    cwd,
    env: { ...env, [marker.name]: marker.value + '.' + process.pid },
    stdio: 'inherit',
  });
  const end = (status) => {
    put('.end', JSON.stringify(status));
    process.exit(status.exitCode === undefined ? 128 : status.exitCode);
  };
  child.on('error', (error) => end({ exitCode: 126, problem: String(error.code) }));
  child.on('exit', (code, signal) => end(code === null ? { signal } : { exitCode: code }));
}, 10);
`;

/** The name under which the shell finds the runner. Its argument is only what the person sees. */
export const RUNNER_NAME = 'belay-run';

/** The file of that name. The variable makes Electron a Node; the command does not get it. */
export const RUNNER_COMMAND =
  '#!/bin/sh\nELECTRON_RUN_AS_NODE=1 exec "$BELAY_NODE" "$BELAY_RUNNER"\n';

/** Characters of a command in the line that the person sees. */
const SHOWN = 300;

/** The line that is put into the terminal. The command itself is not taken from it. */
export function shownLine(command: string): string {
  const flat = command.replaceAll(/[\s\p{Cc}]+/gu, ' ').trim();
  const short = flat.length > SHOWN ? `${flat.slice(0, SHOWN)}…` : flat;
  return `${RUNNER_NAME} '${short.replaceAll("'", '’')}'`;
}
