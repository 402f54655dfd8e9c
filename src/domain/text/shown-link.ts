/** A link's real target where its text says another address, or has look-alike letters. */
export function realTarget(shown: string, address: string): string | undefined {
  if (!URL.canParse(address)) return undefined;
  const { hostname, host } = new URL(address);
  if (hostname.split('.').some((label) => label.startsWith('xn--'))) return host;
  const named = hostIn(shown);
  return named === undefined || isWithin(named, hostname) ? undefined : host;
}

/** Ends of names that are hosts far more often than files; `main.rs` and `run.sh` are files. */
const COMMON_ENDS =
  /\.(?:com|org|net|io|dev|app|edu|gov|mil|int|info|biz|co|ai|example|test|eu|uk|de|fr|nl|ch|at|it|es|jp|cn|in|br|au|ca|us|ru|se|no|fi|dk|cz)$/u;

/** Characters in which a link may name a host; nobody reads further. */
const LONGEST = 2000;

/** The host that a text names: written with a scheme, or as a name that is one. */
function hostIn(shown: string): string | undefined {
  // Invisible characters, and letters in wide or styled forms, do not make another name.
  const text = shown
    .slice(0, LONGEST)
    .normalize('NFKC')
    .replace(/[\p{Cf}\p{Cc}\s]+/gu, ' ')
    .trim();
  const found =
    /(?:https?:\/\/|www\.)[^\s/?#)\]]+/iu.exec(text)?.[0] ??
    /(?:^|[\s(<"'])((?:[\p{L}\p{N}-]+\.)+\p{L}{2,})(?=$|[\s/:?#)>"',])/u.exec(text)?.[1];
  if (found === undefined) return undefined;
  const address = /^https?:/iu.test(found) ? found : `https://${found}`;
  if (!URL.canParse(address)) return undefined;
  const { hostname } = new URL(address);
  return /^(?:https?:|www\.)/iu.test(found) || COMMON_ENDS.test(hostname) ? hostname : undefined;
}

/** The same host, or one below the other: `github.com` for `docs.github.com`, with or without `www`. */
function isWithin(named: string, real: string): boolean {
  const [left, right] = [named, real].map((host) =>
    host.replace(/^www\./u, '').replace(/\.$/u, ''),
  );
  return left === right || right?.endsWith(`.${left}`) === true;
}
