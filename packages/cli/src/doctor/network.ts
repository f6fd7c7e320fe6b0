import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { connect } from 'node:net';
import { isServedAt, listenProblem } from '../serving/listen-problem.js';
import { messageOf } from '../system-errors.js';
import { type Check, type Finding, ok, problem, warning } from './check.js';

const timeoutMilliseconds = 5000;

/** @throws Error if nothing accepts a connection there in time */
async function requireConnection(host: string, port: number): Promise<void> {
  const socket = connect({ host, port });
  try {
    await once(socket, 'connect', { signal: AbortSignal.timeout(timeoutMilliseconds) });
  } catch (error) {
    const isLate = error instanceof Error && error.name === 'AbortError';
    throw isLate ? new Error(`no connection within ${timeoutMilliseconds / 1000} s`, { cause: error }) : error;
  } finally {
    socket.destroy();
  }
}

async function reach(name: string, host: string, port: number, remedy: string): Promise<Finding> {
  try {
    await lookup(host);
    await requireConnection(host, port);
    return ok(`${name} accepts connections on ${host}:${port}`);
  } catch (error) {
    return problem(`${host}:${port}: ${messageOf(error)}`, remedy);
  }
}

export const port: Check = {
  title: 'port',
  find: async ({ host, port }) => {
    const error = await listenProblem(host, port);
    if (error === undefined) return ok(port === 0 ? 'a free one' : `${host}:${port} is free`);
    if (!(error instanceof Error && 'code' in error && error.code === 'EADDRINUSE'))
      return problem(`${host}:${port}: ${messageOf(error)}`, 'choose another with --host and --port');
    return (await isServedAt(host, port))
      ? warning(`a Millrace server runs on ${host}:${port}`, 'stop it before you start another, or use --port')
      : problem(`${host}:${port} is in use by another program`, 'stop it, or choose another with --port');
  },
};

export const consoleAddress: Check = {
  title: 'console URL',
  find: async (settings) => {
    if (settings.consoleUrl === undefined) return undefined;
    const { consoleAddressProblem } = await import('@millrace/server');
    const found = await consoleAddressProblem(settings);
    return found === undefined
      ? ok(`${settings.consoleUrl} leads to a console`)
      : warning(found, 'correct --console-url or the proxy; links in messages lead there once the server runs');
  },
};

export const smtp: Check = {
  title: 'mail server',
  find: async ({ smtpHost, smtpPort }) =>
    smtpHost === undefined
      ? undefined
      : reach('SMTP', smtpHost, smtpPort, 'correct --smtp-host and --smtp-port, or allow the connection'),
};

/** The hosts of a PostgreSQL URL, separated by commas. */
const hostsIn = (url: string): readonly string[] => (/^\w+:\/\/(?:[^/]*@)?([^/?]*)/.exec(url)?.[1] ?? '').split(',');

export const postgres: Check = {
  title: 'PostgreSQL',
  find: async ({ databaseUrl }) => {
    if (databaseUrl === undefined) return undefined;
    const findings = await Promise.all(
      hostsIn(databaseUrl).map((host) => {
        const { hostname, port } = new URL(`postgres://${host}`);
        return reach('PostgreSQL', hostname, Number(port || 5432), 'correct --database-url, or start the database');
      }),
    );
    // One host is enough.
    return findings.find(({ state }) => state === 'ok') ?? findings[0];
  },
};

export const clickhouse: Check = {
  title: 'ClickHouse',
  find: async ({ clickhouseUrl }) => {
    if (clickhouseUrl === undefined) return undefined;
    const addresses = clickhouseUrl.split(/[,;]/).map((address) => new URL(address.trim()));
    const findings = await Promise.all(
      addresses.map(({ hostname, port, protocol }) =>
        reach(
          'ClickHouse',
          hostname,
          Number(port || (protocol === 'https:' ? 443 : 80)),
          'correct --clickhouse-url, or start the server',
        ),
      ),
    );
    return findings.find(({ state }) => state !== 'ok') ?? ok(findings.map(({ text }) => text).join('; '));
  },
};
