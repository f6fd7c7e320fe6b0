import { resolve } from 'node:path';

interface StartupInfo {
  readonly url: string;
  /** The owner's token, if created at this start. */
  readonly secret: string | undefined;
  /** Sign-in link for one browser. */
  readonly link: string | undefined;
  readonly dataDir: string;
}

/** Banner printed when the server listens. */
export function startupBanner({ url, secret, link, dataDir }: StartupInfo): string {
  if (link === undefined && secret === undefined) return `Millrace is listening on ${url}\n`;
  const lines = ['', `Millrace is listening on ${url}`, ''];
  if (link !== undefined) lines.push(`  Open   ${link}`, '         signs one browser in, within ten minutes');
  lines.push(`  Data   ${resolve(dataDir)}`);
  if (secret !== undefined) lines.push(`  Shell  export MILLRACE_URL=${url} MILLRACE_TOKEN=${secret}`);
  lines.push('  Send   millrace dataset create logs; millrace ingest logs -f events.ndjson', '  Stop   Ctrl-C', '', '');
  return lines.join('\n');
}
