import { openEvents, readSettings, type RunningServer, startServer } from '@millrace/server';
import { pino } from 'pino';

/**
 * Runs the server until SIGTERM or SIGINT.
 * @returns the exit code: 0 after a clean stop, 1 when it could not start, 2 for settings that make no sense
 */
export async function serve(args: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  const read = readSettings(env, args);
  if (!read.ok) {
    for (const error of read.errors) process.stderr.write(`millrace: ${error}\n`);
    return 2;
  }
  const { settings } = read;
  const logger = pino({ level: settings.logLevel, base: null }, pino.destination(2));
  let secret: string | undefined;
  let server: RunningServer;
  try {
    server = await startServer({ settings, logger, openEvents, showToken: (shown) => (secret = shown) });
  } catch (error) {
    process.stderr.write(`millrace: ${error instanceof Error ? error.message : String(error)}\n`);
    return 1;
  }
  process.stdout.write(greeting(server.url, secret));
  const signal = await stopSignal();
  logger.info({ signal }, 'stopping: running requests finish first');
  await server.stop();
  return 0;
}

/** What a person needs to begin, once the server listens; the token appears here only, and only at the first start. */
function greeting(url: string, secret: string | undefined): string {
  const lines = [`Millrace serves at ${url}`];
  if (secret === undefined) return `${lines[0]}\n`;
  lines.push(
    '',
    `Your token, shown this once: ${secret}`,
    '',
    'Try it:',
    '',
    `  export MILLRACE_URL=${url} MILLRACE_TOKEN=${secret}`,
    `  curl -s $MILLRACE_URL/v2/datasets -H "Authorization: Bearer $MILLRACE_TOKEN" -H 'Content-Type: application/json' -d '{"name":"logs"}'`,
    `  curl -s $MILLRACE_URL/v1/datasets/logs/ingest -H "Authorization: Bearer $MILLRACE_TOKEN" -d '[{"status":200,"path":"/"},{"status":500,"path":"/cart"}]'`,
    `  curl -s "$MILLRACE_URL/v1/datasets/_apl?format=tabular" -H "Authorization: Bearer $MILLRACE_TOKEN" -H 'Content-Type: application/json' -d '{"apl":"logs | summarize count() by status"}'`,
    '',
  );
  return `${lines.join('\n')}\n`;
}

function stopSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => resolve(signal));
  });
}
