import { resolve } from 'node:path';

interface Started {
  readonly url: string;
  /** The owner's token, if created at this start. */
  readonly secret: string | undefined;
  /** Sign-in link for one browser. */
  readonly link: string | undefined;
  readonly dataDir: string;
}

/** Banner printed when the server listens. */
export function startupBanner({ url, secret, link, dataDir }: Started): string {
  const lines = [`Millrace is listening on ${url}`];
  if (link !== undefined)
    lines.push(
      '',
      `  Open       ${link}`,
      '             one-time sign-in link, valid for 10 minutes; run millrace console for another',
      `  Data       ${resolve(dataDir)}`,
      `  Send       POST ${url}/v1/datasets/<dataset>/ingest; the console has the commands`,
      '  Stop       Ctrl-C',
    );
  if (secret !== undefined)
    lines.push(
      '',
      'Try it:',
      '',
      `  export MILLRACE_URL=${url} MILLRACE_TOKEN=${secret}`,
      `  curl -s $MILLRACE_URL/v2/datasets -H "Authorization: Bearer $MILLRACE_TOKEN" -H 'Content-Type: application/json' -d '{"name":"logs"}'`,
      `  curl -s $MILLRACE_URL/v1/datasets/logs/ingest -H "Authorization: Bearer $MILLRACE_TOKEN" -d '[{"status":200,"path":"/"},{"status":500,"path":"/cart"}]'`,
      `  curl -s "$MILLRACE_URL/v1/datasets/_apl?format=tabular" -H "Authorization: Bearer $MILLRACE_TOKEN" -H 'Content-Type: application/json' -d '{"apl":"logs | summarize count() by status"}'`,
    );
  if (lines.length > 1) lines.push('');
  return `${lines.join('\n')}\n`;
}
