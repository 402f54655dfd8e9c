/** The one table of what programs say when the system, or the sandbox, refuses something. */
const REFUSED =
  /read-only file system|\bEROFS\b|operation not permitted|\bEPERM\b|permission denied|\bEACCES\b|blocked by network allowlist|blocked-by-sandbox-runtime|could not resolve|name resolution|\bEAI_AGAIN\b|\bENOTFOUND\b|\bECONNREFUSED\b|network is unreachable|\bENETUNREACH\b|device or resource busy/iu;

/** Characters at the end of an output that are looked at. */
const END = 8000;

/** The model's note on a failure that looks like the sandbox's; Linux reports no violations. */
export function sandboxNote(
  exitCode: number | undefined,
  output: string,
  hosts: readonly string[],
): string | undefined {
  if (exitCode === 0 || !REFUSED.test(output.slice(-END))) return undefined;
  return `It ran in the sandbox, which may be why it failed: there a command writes only in the workspace and $TMPDIR, sees no credentials, and ${describeReach(hosts)}. Go another way within that; only if the command needs more, give run_command "unsandboxed" with the reason, and the person decides.`;
}

/** The model's note on a failure in the read-only sandbox, where a missing file is often a hidden one. */
export function readOnlyNote(
  exitCode: number | undefined,
  hosts: readonly string[],
): string | undefined {
  if (exitCode === 0) return undefined;
  return `It ran in the read-only sandbox, which may be why it failed: there a command writes only in $TMPDIR, does not see .git, secrets, ignored files and most of the home folder, and ${describeReach(hosts)}. If it needs more, call run_command again with "writes": true; the user may have to approve it.`;
}

function describeReach(hosts: readonly string[]): string {
  return hosts.length === 0 ? 'reaches no host' : `reaches only ${hosts.join(', ')}`;
}
