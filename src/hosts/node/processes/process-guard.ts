import { type ChildProcess, spawn } from 'node:child_process';
import { Socket } from 'node:net';
import type { Disposable } from '../../../domain/lifetime/disposable.ts';

/** POSIX: reads `+GROUP` and `-GROUP`; when its input ends with us, kills those still named. */
const SCRIPT = `
trap '' HUP INT TERM
groups=' '
while IFS= read -r line; do
  case $line in
    +*) groups="$groups\${line#+} " ;;
    -*) group=\${line#-}; groups="\${groups%% $group *} \${groups#* $group }" ;;
  esac
done
for group in $groups; do kill -KILL "-$group"; done 2>/dev/null
`;

/** Ends commands with us: a small process in its own session that waits for our end. */
export class ProcessGuard {
  #guard: ChildProcess | undefined;

  watch(leader: number): Disposable {
    if (process.platform === 'win32') return { dispose: () => undefined };
    const guard = this.#started();
    guard.stdin?.write(`+${leader}\n`);
    let over = false;
    return {
      dispose: () => {
        if (over) return;
        over = true;
        if (this.#guard === guard) guard.stdin?.write(`-${leader}\n`);
      },
    };
  }

  /** Lets the guard go; groups still watched are killed. */
  dispose(): void {
    this.#guard?.stdin?.end();
    this.#guard = undefined;
  }

  #started(): ChildProcess {
    if (this.#guard !== undefined) return this.#guard;
    const guard = spawn('/bin/sh', ['-c', SCRIPT], {
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
      env: {},
      cwd: '/',
    });
    // It must not hold our process; a guard that dies is replaced at the next command.
    guard.unref();
    if (guard.stdin instanceof Socket) guard.stdin.unref();
    const gone = (): void => {
      if (this.#guard === guard) this.#guard = undefined;
    };
    guard.on('error', gone);
    guard.on('exit', gone);
    guard.stdin?.on('error', gone);
    this.#guard = guard;
    return guard;
  }
}
