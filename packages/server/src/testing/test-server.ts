import { randomUUID } from 'node:crypto';
import type { FastifyInstance, InjectOptions } from 'fastify';
import { pino } from 'pino';
import { type Capabilities, noCapabilities } from '@millrace/api/schemas/capabilities';
import { Alerts } from '@millrace/alerts/alerts';
import { buildApp } from '@millrace/http/app';
import type { AuditEvent } from '@millrace/http/recording/audit';
import { RefusedIngest } from '@millrace/http/recording/rejected-ingest';
import { httpError } from '@millrace/api/errors';
import type { Clock } from '@millrace/metadata/clock';
import { type Metadata, openMetadata } from '@millrace/metadata/metadata';
import type { Quota } from '@millrace/metadata/quota';
import { Metrics } from '@millrace/http/metrics';
import { singleNode } from '@millrace/metadata/nodes/single-node';
import type { Deps } from '../routes/deps.js';
import type { Method, Route } from '@millrace/http/route';
import { allRoutes } from '../startup/route-families.js';
import { defaultSettings, type Settings } from '@millrace/http/settings/settings';
import { SourceRunner } from '@millrace/sources/managed/source-runner';
import { realSender } from '@millrace/alerts/outbox/real-sender';
import { nullSource } from '@millrace/alerts/testing/null-source';
import { checkDocumented } from '@millrace/http/testing/check-documented';
import { onlyOrg } from '../orgs/people.js';
import { SignIn } from '../sign-in/sign-in.js';
import { noSignIn, type SignInConfig } from '../sign-in/sign-in-file.js';
import { MemoryData } from '@millrace/metadata/testing/memory-data';
import { openTestMetadata } from '@millrace/metadata/testing/metadata-stores';

interface WorldOptions {
  readonly settings?: Partial<Settings>;
  /** Routes in addition to the route table. */
  readonly routes?: (deps: Deps) => readonly Route[];
  /** Console files, in addition to an empty page or replacing it. */
  readonly site?: Readonly<Record<string, string | undefined>>;
  /** Milliseconds since the epoch at the start. */
  readonly now?: number;
  /** Providers, proxies and rules for workloads. */
  readonly signIn?: Partial<SignInConfig>;
  /** Path of the metadata; in memory if left out. */
  readonly file?: string;
  /** Opens the metadata. */
  readonly open?: (clock: Clock, quota: Quota) => Promise<Metadata>;
}

export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | number | string[] | undefined>>;
  readonly text: string;
  /** The parsed body; undefined if it is empty. */
  readonly body: unknown;
}

/**
 * A server without a socket and without an engine, with a known owner token. Throws on undocumented
 * responses.
 */
export interface TestServer {
  readonly app: FastifyInstance;
  readonly metadata: Metadata;
  readonly data: MemoryData;
  readonly deps: Deps;
  readonly routes: readonly Route[];
  /** Personal token of the owner. */
  readonly owner: string;
  readonly audits: AuditEvent[];
  readonly logLines: string[];
  /** Time passes. */
  advance(milliseconds: number): void;
  now(): number;
  /** Sends a request as the owner, or with another token, or (null) without one. */
  send(
    method: Method | 'HEAD',
    url: string,
    body?: unknown,
    token?: string | null,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Reply>;
  inject(options: InjectOptions): Promise<Reply>;
  /** Secret of a new API token. */
  token(capabilities: Partial<Capabilities>, expires?: string): Promise<string>;
  close(): Promise<void>;
}

const emptySite: Readonly<Record<string, string | undefined>> = {
  'index.html': '<!doctype html><meta property="csp-nonce" nonce="__CSP_NONCE__">',
};

export async function createTestServer(options: WorldOptions = {}): Promise<TestServer> {
  let now = options.now ?? Date.UTC(2026, 10, 20, 10);
  const clock = () => now;
  const settings = defaultSettings(options.settings);
  const quota = { records: settings.maxResources, bytes: settings.maxResourceBytes };
  const { file, open = file === undefined ? openTestMetadata : openMetadata.bind(undefined, file) } = options;
  const metadata = await open(clock, quota);
  const data = new MemoryData();
  const metrics = new Metrics();
  const check = async (apl: string): Promise<void> => {
    if (apl.includes('nonsense')) throw httpError('invalid-query', { problem: 'line 1, column 1: unknown operator' });
  };
  const alerts = await Alerts.open({
    metadata,
    settings,
    clock,
    metrics,
    logger: pino({ level: 'silent' }),
    source: nullSource,
    sender: realSender(settings),
    checkQuery: ({ aplQuery }) => check(aplQuery),
    translate: () => undefined,
  });
  const sources = new SourceRunner({
    metadata,
    settings,
    metrics,
    clock,
    logger: pino({ level: 'silent' }),
    // Sources are stored and not run.
    node: { isLeader: () => false },
    sinkOf: () => () => Promise.reject(new Error('sources do not run here')),
  });
  const site = { ...emptySite, ...options.site };
  const deps: Deps = {
    metadata,
    data,
    metrics,
    clock,
    settings,
    node: singleNode('0.0.0'),
    refused: new RefusedIngest(clock),
    alerts,
    sources,
    signIn: new SignIn({ ...noSignIn, ...options.signIn }, { settings, metadata, clock, every: onlyOrg(metadata) }),
    every: onlyOrg(metadata),
    site: { read: async (path) => (site[path] === undefined ? undefined : Buffer.from(site[path])) },
    checks: { view: ({ aplQuery }) => check(aplQuery), expression: ({ expression }) => check(expression) },
  };
  const routes = allRoutes(options.routes?.(deps) ?? [], deps);
  const audits: AuditEvent[] = [];
  const logLines: string[] = [];
  const app = buildApp({
    settings,
    metadata,
    routes,
    logger: pino({ level: 'debug' }, { write: (line: string) => void logLines.push(line) }),
    metrics,
    clock,
    audit: (event) => void audits.push(event),
    refused: deps.refused,
  });
  await app.ready();
  const owner = `xapt-${randomUUID()}`;
  await metadata.tokens.setOwnerToken((await metadata.users.owner()).id, owner);

  const inject = async (request: InjectOptions): Promise<Reply> => {
    const { statusCode, headers, payload } = await app.inject(request);
    const mediaType = String(headers['content-type']);
    const body: unknown = mediaType.startsWith('application/json') && payload !== '' ? JSON.parse(payload) : undefined;
    const { method = 'GET', url } = request;
    checkDocumented(routes, { method, url: String(url), status: statusCode, mediaType, body });
    return { status: statusCode, headers, text: payload, body };
  };
  return {
    app,
    metadata,
    data,
    deps,
    routes,
    owner,
    audits,
    logLines,
    advance: (milliseconds) => void (now += milliseconds),
    now: clock,
    inject,
    send: (method, url, body, token = owner, headers = {}) =>
      inject({
        method,
        url,
        headers: {
          ...(token === null ? {} : { authorization: `Bearer ${token}` }),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined ? {} : { payload: typeof body === 'string' ? body : JSON.stringify(body) }),
      }),
    token: async (capabilities, expires) => {
      const { secret } = await metadata.tokens.create({
        kind: 'api',
        name: 'test',
        userId: (await metadata.users.owner()).id,
        capabilities: { ...noCapabilities, ...capabilities },
        expires,
      });
      return secret;
    },
    close: async () => {
      await app.close();
      metrics.close();
      await metadata.close();
    },
  };
}
