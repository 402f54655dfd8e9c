const INPUT = /^(?:\/dev\/stdin|\/dev\/fd\/0|\/proc\/self\/fd\/0)$/u;
const OUTPUT = /^(?:\/dev\/std(?:out|err)|\/dev\/fd\/[12]|\/proc\/self\/fd\/[12])$/u;

/** Redirections after which a standard stream may be a file that was opened for something else. */
const REOPENS = /\d\s*<|<>|0\s*>|[<>]&(?!\s*[12-])/u;

/**
 * True when each standard stream of a command line is used only in its own direction. On Linux opening `/dev/stdout`
 * opens the file behind the stream again, so after `1<file` writing to it would write to a file that was judged as read.
 */
export function keepsStandardStreams(line: string): boolean {
  return !REOPENS.test(line.replaceAll('\\\n', ''));
}

/** True for the name of a standard stream that is read or written as it is meant to be. */
export function isStandardStream(path: string, access: 'read' | 'write'): boolean {
  return (access === 'read' ? INPUT : OUTPUT).test(path);
}
