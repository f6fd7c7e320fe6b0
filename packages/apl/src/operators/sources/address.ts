/** The used part of the `URL` that browsers and Node share. */
interface ParsedAddress {
  readonly protocol: string;
  readonly username: string;
  readonly password: string;
  readonly host: string;
  readonly hostname: string;
  readonly port: string;
  readonly href: string;
}
declare const URL: { new (text: string): ParsedAddress; canParse(text: string): boolean };

/** An address that may be read, in its normal form, or why it may not. */
export type Address =
  | { readonly kind: 'allowed'; readonly href: string }
  | { readonly kind: 'refused'; readonly problem: string };

/**
 * Checks the address of a file. Fetch only the normal form that it returns: another parser of the
 * original text could find another host in it.
 * @param hosts `name` for every port, `name:port` for one; IPv6 addresses in brackets
 */
export function allowedAddress(text: string, hosts: readonly string[]): Address {
  // Ignoring white space and reading `\` as `/`, as browsers do, would only help attackers who
  // disguise an address.
  const url = /^https?:\/\/[^\s\\\p{Cc}]+$/iu.test(text) && URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || url.username !== '' || url.password !== '')
    return {
      kind: 'refused',
      problem: 'the address must begin with https:// or http:// and name a host, without user or password',
    };
  return hosts.some((host) => isAt(url, host))
    ? { kind: 'allowed', href: url.href.replace(/#.*$/, '') }
    : { kind: 'refused', problem: `this server does not read from ${url.host}; ask for it to be allowed` };
}

function isAt(url: ParsedAddress, host: string): boolean {
  // With the scheme of the address, so that a port that is its default counts as none on both
  // sides.
  const written = `${url.protocol}//${host}`;
  if (!URL.canParse(written)) return false;
  const allowed = new URL(written);
  return /:\d+$/.test(host) ? url.host === allowed.host : url.hostname === allowed.hostname;
}
