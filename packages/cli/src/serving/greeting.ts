import { resolve } from 'node:path';

interface Started {
  readonly url: string;
  /** The owner's token, if it was made at this start. */
  readonly secret: string | undefined;
  /** Signs one browser in. */
  readonly link: string | undefined;
  readonly dataDir: string;
}

/** What somebody needs to begin, printed once the server listens. */
export function greeting({ url, secret, link, dataDir }: Started): string {
  const lines = [`Millrace serves at ${url}`];
  if (link !== undefined)
    lines.push(
      '',
      `  Open       ${link}`,
      '             signs one browser in, within ten minutes; millrace console prints another',
      `  Data       ${resolve(dataDir)}`,
      `  Send       POST ${url}/v1/datasets/<dataset>/ingest; the console has the commands`,
      '  Stop       Ctrl-C: nothing that was acknowledged is lost',
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
