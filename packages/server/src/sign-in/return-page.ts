/** Maximum length of an address to return to; the cookie has to fit it. */
const longest = 1500;

/**
 * The page of the console to open after a sign-in. Anything else, such as an address of another
 * host, becomes the start page.
 */
export function returnPage(to: string | undefined): string {
  const start = '/console/';
  if (to === undefined || to.length > longest || !to.startsWith(start)) return start;
  // Neither another host nor a control character, in any spelling that browsers accept.
  if (!/^[\w\-.~%!$&'()*+,;=:@/?]*$/.test(to) || to.split('?')[0]!.includes('//')) return start;
  const { pathname, origin } = new URL(to, 'http://console.invalid');
  const inner = decodePath(pathname);
  if (origin !== 'http://console.invalid' || inner === undefined || !inner.startsWith(start)) return start;
  if (inner.includes('//') || /[\\\p{Cc}]/u.test(inner)) return start;
  return /^\/console\/api(\/|$)/.test(inner) ? start : to;
}

function decodePath(path: string): string | undefined {
  try {
    return decodeURIComponent(path);
  } catch {
    return undefined;
  }
}
