/**
 * Where the console and the server are, as the browser sees them. A proxy may serve them below a
 * path, such as `/logs/console/`.
 */

/** The icon lies at the root of the console; the scripts of a worker are below it. */
function rootPath(): string {
  if (globalThis.document !== undefined) {
    const icon = document.querySelector<HTMLLinkElement>('link[rel=icon]');
    return icon === null ? '/console/' : new URL('.', icon.href).pathname;
  }
  const { pathname = '/console/' } = (globalThis.location ?? {}) as Partial<Location>;
  const root = '/console/';
  return pathname.slice(0, pathname.lastIndexOf(root)) + root;
}

/** Path of the console, such as `/console/`. */
export const consolePath: string = rootPath();

/** Path before `/console/`; empty for none. */
export const pathPrefix: string = consolePath.slice(0, -'/console/'.length);

/** Address of the server, without a slash at the end. */
export const serverUrl: string = `${globalThis.location?.origin ?? 'http://localhost'}${pathPrefix}`;

/** Address of the console, with a slash at the end. */
export const consoleUrl: string = `${serverUrl}/console/`;
