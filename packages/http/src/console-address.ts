/** Address of the console as browsers see it. */

/** Address of the console without a slash at the end, from the address of server or console. */
export const consoleBase = (url: string): string =>
  url.replace(/\/+$/, '').replace(/([^/])(\/console)?$/, '$1/console');

/**
 * Path before `/console` that a proxy removes, such as `/logs`; empty for none. Only the address in
 * the settings has one, so requests to other hosts, such as directly to the server, have none.
 * @param host with the port unless it is the protocol's default
 */
export function pathPrefix(host: string, consoleUrl: string | undefined): string {
  if (consoleUrl === undefined) return '';
  const { host: publicHost, pathname } = new URL(consoleBase(consoleUrl));
  return host.toLowerCase() === publicHost ? pathname.slice(0, -'/console'.length) : '';
}
