import { resolve } from 'node:path';

interface StartupInfo {
  readonly url: string;
  /** The owner's token, if created at this start. */
  readonly secret: string | undefined;
  /** Sign-in link for one browser. */
  readonly link: string | undefined;
  readonly dataDir: string;
  /** Environment of the process. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Banner printed when the server listens. */
export function startupBanner({ url, secret, link, dataDir, env }: StartupInfo): string {
  if (link === undefined && secret === undefined) return `Millrace is listening on ${url}\n`;
  const lines = ['', `Millrace is listening on ${url}`, ''];
  if (link !== undefined) lines.push(`  Open   ${link}`, '         signs one browser in, within ten minutes');
  lines.push(`  Data   ${resolve(dataDir)}`);
  if (secret !== undefined) lines.push(`  Shell  export MILLRACE_URL=${url} MILLRACE_TOKEN=${secret}`);
  // npm and npx find the command in the directory; a shell does not.
  const command = env['npm_command'] === undefined ? 'millrace' : 'npx millrace';
  lines.push(`  Send   ${command} ingest logs --create -f events.ndjson`, '  Stop   Ctrl-C', '', '');
  return lines.join('\n');
}
