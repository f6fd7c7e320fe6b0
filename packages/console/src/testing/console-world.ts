import type { BrowserContext, Page, Request } from 'playwright-core';
import { endWithProcess } from '../../../../tests/support/end-with-process.js';
import {
  request,
  type ServerProcess,
  startServer,
  temporaryDirectory,
} from '../../../../tests/support/server-process.js';
import { sampleTraffic } from '@millrace/sample';
import { sharedBrowser } from './chromium.js';

/** A real server with events in it, and the built console in front of it. */
interface ConsoleWorld {
  readonly url: string;
  readonly server: ServerProcess;
  /** Sends a request to the server itself, as the owner. */
  readonly request: typeof request extends (server: never, ...rest: infer Rest) => infer Answer
    ? (...rest: Rest) => Answer
    : never;
}

/** How many events dataset `shop` has, over the hour before `shopEnd`. */
const shopEvents = 5000;
/**
 * The time of the last event of `shop`: a whole minute, so that bars of charts are the same in
 * every run.
 */
export const shopEnd = Math.floor(Date.now() / 60_000) * 60_000;

let world: Promise<ConsoleWorld> | undefined;

/**
 * The one server of this process, with the dataset `shop`. Test files that change something make a
 * dataset of their own. It ends with the process.
 */
export function consoleWorld(): Promise<ConsoleWorld> {
  world ??= start();
  return world;
}

async function start(): Promise<ConsoleWorld> {
  const directory = temporaryDirectory();
  const server = await startServer(directory, {
    MILLRACE_LOG_LEVEL: 'warn',
    // Receivers of notifications are on this machine.
    MILLRACE_NOTIFY_PRIVATE_ADDRESSES: 'true',
  });
  endWithProcess(server);
  const send: ConsoleWorld['request'] = (path, init) => request(server, path, init);
  await fill(send, 'shop', sampleTraffic({ count: shopEvents, end: shopEnd, milliseconds: 3_600_000, seed: 7 }));
  return { url: server.url, server, request: send };
}

/** Makes a dataset with these events, also where a test that is tried again had made it. */
export async function fill(send: ConsoleWorld['request'], dataset: string, events: readonly unknown[]): Promise<void> {
  const make = () => send('/v2/datasets', { body: JSON.stringify({ name: dataset }) });
  let made = await make();
  if (made.status === 409) {
    await send(`/v2/datasets/${dataset}`, { method: 'DELETE' });
    made = await make();
  }
  if (made.status !== 200) throw new Error(`no dataset ${dataset}: ${JSON.stringify(made.body)}`);
  if (events.length === 0) return;
  const sent = await send(`/v1/datasets/${dataset}/ingest`, { body: JSON.stringify(events) });
  if (sent.status !== 200) throw new Error(`no events in ${dataset}: ${JSON.stringify(sent.body)}`);
}

interface PageOptions {
  readonly theme?: 'dark' | 'light';
  readonly width?: number;
  readonly height?: number;
  /** Without a session: at the door. */
  readonly signedOut?: boolean;
  /** Signed in with this one instead of the owner's. */
  readonly token?: string;
  /** Of another server than the shared one, for tests that stop it. */
  readonly server?: Pick<ServerProcess, 'url' | 'token'>;
}

/**
 * What went wrong in a page without anybody seeing it: exceptions, refused resources, messages of
 * the console of the browser.
 */
export const complaintsOf = new WeakMap<Page, string[]>();

/** The requests that a page has begun, and those of them that have no answer yet. */
const requestsOf = new WeakMap<Page, { readonly begun: Set<Request>; readonly running: Set<Request> }>();

/**
 * A page at a path below `/console/`, signed in as the owner. Pages of the owner share a context,
 * so that they find the console in the cache of the browser; what a page keeps in the browser goes
 * with it (`closePage`).
 */
export async function openPage(path: string, options: PageOptions = {}): Promise<Page> {
  const { server = (await consoleWorld()).server, token = options.server?.token } = options;
  const isOwners = options.signedOut !== true && token === undefined;
  const context = await (isOwners ? ownersContext() : newContext(options));
  if (token !== undefined) await enter(context, server.url, token);
  const page = await context.newPage();
  if (isOwners) {
    const { theme, width, height } = { ...usual, ...options };
    await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
    await page.setViewportSize({ width, height });
  }
  watch(page);
  await page.goto(`${server.url}/console/${path}`);
  return page;
}

function watch(page: Page): void {
  page.setDefaultTimeout(15_000);
  const complaints: string[] = [];
  complaintsOf.set(page, complaints);
  const [begun, running] = [new Set<Request>(), new Set<Request>()];
  requestsOf.set(page, { begun, running });
  page.on('request', (request) => {
    begun.add(request);
    running.add(request);
  });
  for (const end of ['requestfinished', 'requestfailed'] as const)
    page.on(end as 'requestfinished', (request) => running.delete(request));
  page.on('pageerror', (error) => complaints.push(`exception: ${error.message}`));
  page.on('console', (message) => {
    // A refusal that the page shows is logged by the browser too.
    if (message.type() === 'error' && !/Failed to load resource/.test(message.text())) complaints.push(message.text());
  });
}

const usual = { theme: 'dark', width: 1440, height: 900 } as const;

async function newContext(options: PageOptions): Promise<BrowserContext> {
  const { theme, width, height } = { ...usual, ...options };
  const browser = await sharedBrowser();
  return browser.newContext({ viewport: { width, height }, colorScheme: theme, reducedMotion: 'reduce' });
}

async function enter(context: BrowserContext, url: string, token: string): Promise<void> {
  const answer = await context.request.post(`${url}/console/api/session`, {
    // As a page of the console would send it.
    headers: {
      authorization: `Bearer ${token}`,
      'x-millrace-console': '1',
      'sec-fetch-site': 'same-origin',
    },
  });
  if (!answer.ok()) throw new Error(`no session: ${answer.status()} ${await answer.text()}`);
}

let owners: Promise<BrowserContext> | undefined;

function ownersContext(): Promise<BrowserContext> {
  owners ??= newContext({}).then(async (context) => {
    const { server } = await consoleWorld();
    await enter(context, server.url, server.token);
    // As long as this page is open, the process of the pages stays, with what it has compiled.
    await (await context.newPage()).goto(`${server.url}/console/icon.svg`);
    return context;
  });
  return owners;
}

/** Opens another path without loading the page anew, as a link does. */
export const follow = (page: Page, path: string): Promise<void> =>
  page.evaluate((to) => {
    history.pushState({}, '', `/console/${to}`);
    dispatchEvent(new PopStateEvent('popstate'));
  }, path);

/** How often the requests of a page are counted until they are quiet, in milliseconds. */
const QUIET = 100;

/** Waits until nothing is asked any more: what comes with an answer may ask again. */
export async function quiet(page: Page): Promise<void> {
  const { begun, running } = requestsOf.get(page)!;
  for (let before = -1; before !== begun.size || running.size > 0;) {
    before = begun.size;
    await page.waitForTimeout(QUIET);
  }
}

/** Closes a page, and what it kept in the browser: with its context, if that is its own. */
export async function closePage(page: Page): Promise<void> {
  const context = page.context();
  if (context !== (await owners)) return context.close();
  await forget(page);
  await page.close();
}

/** Empties what a page kept in the browser. */
export const forget = (page: Page): Promise<void> =>
  page.evaluate(() => {
    localStorage.clear();
    sessionStorage.clear();
  });
