import { randomBytes } from 'node:crypto';
import { bytes, type RouteResponse } from '@millrace/http/route';

/**
 * Pages that the server writes itself, without scripts: for browsers that are not signed in. They
 * follow the theme of the browser and fit phones.
 */

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Escapes text for HTML and attributes. */
export const escapeHtml = (text: string): string => text.replaceAll(/[&<>"']/g, (character) => entities[character]!);

interface PlainPage {
  readonly title: string;
  /** HTML. */
  readonly body: string;
  /** Rules beyond the common ones. */
  readonly style?: string;
  readonly status?: number;
}

/** The page may be shown in no other page, and loads nothing. */
export function plainPage({ title, body, style = '', status = 200 }: PlainPage): RouteResponse {
  const nonce = randomBytes(16).toString('base64url');
  const policy = `default-src 'none'; style-src 'nonce-${nonce}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`;
  const html = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>
<style nonce="${nonce}">${common}${style}</style>
<main>${body}</main>
</html>
`;
  return bytes(html, 'text/html; charset=utf-8', status, {
    'content-security-policy': policy,
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
  });
}

/** Colors are those of the console. */
const common = `
:root{--page:#f6f7f9;--card:#fff;--text:#17202b;--muted:#5b6776;--line:#dfe4ea;--accent:#1f6feb;--on-accent:#fff;--good:#1a7f4b;--bad:#c6362c;--warn:#9a6400}
@media(prefers-color-scheme:dark){:root{--page:#10151b;--card:#182029;--text:#e7ecf2;--muted:#98a5b5;--line:#2b3644;--accent:#6ba6ff;--on-accent:#0b1119;--good:#4fc58b;--bad:#ff7b72;--warn:#e0a53d}}
*{box-sizing:border-box}
body{margin:0;background:var(--page);color:var(--text);font:16px/1.5 system-ui,sans-serif;-webkit-text-size-adjust:100%}
main{max-width:44rem;margin:0 auto;padding:clamp(1.25rem,6vw,4rem) 1rem}
h1{font-size:1.5rem;line-height:1.25;margin:0 0 .25rem;overflow-wrap:anywhere}
p{margin:.5rem 0;overflow-wrap:anywhere}
a{color:var(--accent)}
.muted{color:var(--muted)}
.card{background:var(--card);border:1px solid var(--line);border-radius:12px;padding:1.25rem}
.card+.card{margin-top:1rem}
pre{font:14px/1.5 ui-monospace,monospace;white-space:pre-wrap;overflow-wrap:anywhere;margin:1rem 0;padding:.75rem 1rem;background:var(--page);border-radius:8px;max-height:16rem;overflow:auto}
label{display:block;font-size:.875rem;color:var(--muted);margin-top:1rem}
input{display:block;width:100%;font:inherit;color:inherit;background:var(--page);border:1px solid var(--line);border-radius:8px;padding:.5rem .75rem;margin-top:.25rem;min-height:44px}
button{font:inherit;font-weight:600;min-height:44px;padding:0 1.25rem;border-radius:8px;border:1px solid var(--line);background:var(--card);color:inherit;cursor:pointer}
button.primary{background:var(--accent);border-color:var(--accent);color:var(--on-accent)}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
`;
