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
  const reach = hosts.length === 0 ? 'reaches no host' : `reaches only ${hosts.join(', ')}`;
  return `It ran in the sandbox, which may be why it failed: there a command writes only in the workspace and the temp folder, sees no credentials, and ${reach}. Go another way within that; only if the command needs more, give run_command "unsandboxed" with the reason, and the person decides.`;
}
