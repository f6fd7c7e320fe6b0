import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import type { BrowserContext, Page, Request } from 'playwright-core';
import { expect } from 'vitest';
import { endWithProcess } from '../../../../tests/support/end-with-process.js';
import {
  request,
  type ServerProcess,
  startServer,
  temporaryDirectory,
} from '../../../../tests/support/server-process.js';
import { sampleTraffic } from '@millrace/sample-data';
import { sharedBrowser } from './chromium.js';
import { resetServer, type Send } from './reset-server.js';

/** A real server with events, serving the built console. */
interface ConsoleWorld {
  readonly url: string;
  readonly server: ServerProcess;
  readonly request: Send;
}

/** Events in dataset `shop`, over the hour before `shopEnd`. */
const shopEvents = 5000;
/** Time of the last event of `shop`: a whole minute, so that chart bars are equal in every run. */
export const shopEnd = Math.floor(Date.now() / 60_000) * 60_000;

let world: Promise<ConsoleWorld> | undefined;
/** The test file that uses it now. */
let user: string | undefined;

/**
 * Shared server of this process, with dataset `shop`. Each test file finds it without what other
 * files have made; within a file, tests that change data create their own datasets. Stops with the
 * process.
 */
export function openConsoleServer(): Promise<ConsoleWorld> {
  const file = expect.getState().testPath;
  if (world === undefined) world = start();
  else if (user !== file) world = world.then(resetWorld);
  user = file;
  return world;
}

async function resetWorld(one: ConsoleWorld): Promise<ConsoleWorld> {
  await resetServer(one.request);
  await fillShop(one.request);
  return one;
}

const fillShop = (send: Send): Promise<void> =>
  fill(send, 'shop', sampleTraffic({ count: shopEvents, end: shopEnd, milliseconds: 3_600_000, seed: 7 }));

/** Browser tests see the built console: an older build would prove nothing. */
function refuseStaleBuild(): void {
  const build = join(import.meta.dirname, '../../build.js');
  if (spawnSync(process.execPath, [build, '--check']).status !== 0)
    throw new Error('the console changed since its build; run npm run build -w packages/console');
}

async function start(): Promise<ConsoleWorld> {
  refuseStaleBuild();
  const directory = temporaryDirectory();
  const server = await startServer(directory, {
    MILLRACE_LOG_LEVEL: 'warn',
    // Notification receivers run on this machine.
    MILLRACE_NOTIFY_PRIVATE_ADDRESSES: 'true',
  });
  endWithProcess(server);
  const send: Send = (path, init) => request(server, path, init);
  await fillShop(send);
  return { url: server.url, server, request: send };
}

/** Creates a dataset with these events; idempotent for retried tests. */
export async function fill(send: Send, dataset: string, events: readonly unknown[]): Promise<void> {
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

/** How long a page may take. Four workers on two cores: what takes a second alone may take ten. */
const PAGE_MILLISECONDS = 25_000;

/** How long a page that is reused may take to leave its path. */
const LEAVING_MILLISECONDS = 5000;

interface PageLook {
  readonly theme?: 'dark' | 'light';
  readonly width?: number;
  readonly height?: number;
}

interface PageOptions extends PageLook {
  /** Without a session: at sign-in. */
  readonly signedOut?: boolean;
  /** Signed in with this token instead of the owner's. */
  readonly token?: string;
  /** Uses another server than the shared one, for tests that stop it. */
  readonly server?: Pick<ServerProcess, 'url' | 'token'>;
}

/** Invisible problems of a page: exceptions, blocked resources, browser console messages. */
export const complaintsOf = new WeakMap<Page, string[]>();

/** Requests of a page: all, and those pending. */
const requestsOf = new WeakMap<Page, { readonly begun: Set<Request>; readonly running: Set<Request> }>();

/**
 * Opens a page below `/console/`, signed in as the owner. Pages of the owner share a context and
 * thus the browser cache; `closePage` clears their storage.
 */
export async function openPage(path: string, options: PageOptions = {}): Promise<Page> {
  const { server = (await openConsoleServer()).server, token = options.server?.token } = options;
  const isOwners = options.signedOut !== true && token === undefined;
  const context = await (isOwners ? ownersContext() : newContext(options));
  if (token !== undefined && options.signedOut !== true) await enter(context, server.url, token);
  const page = await context.newPage();
  if (isOwners) await look(page, options);
  watch(page);
  await page.goto(`${server.url}/console/${path}`);
  return page;
}

function watch(page: Page): void {
  page.setDefaultTimeout(PAGE_MILLISECONDS);
  const complaints: string[] = [];
  complaintsOf.set(page, complaints);
  const [begun, running] = [new Set<Request>(), new Set<Request>()];
  requestsOf.set(page, { begun, running });
  page.on('request', (request) => {
    // The browser does not report the end of the script of a shared worker.
    if (request.url().includes('tail.worker')) return;
    begun.add(request);
    running.add(request);
  });
  for (const end of ['requestfinished', 'requestfailed'] as const)
    page.on(end as 'requestfinished', (request) => running.delete(request));
  page.on('pageerror', (error) => complaints.push(`exception: ${error.message}`));
  page.on('console', (message) => {
    // The browser also logs errors that the page shows.
    if (message.type() === 'error' && !/Failed to load resource/.test(message.text())) complaints.push(message.text());
  });
}

async function look(page: Page, { theme = 'dark', width = WIDE, height = HIGH }: PageLook): Promise<void> {
  await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
  await page.setViewportSize({ width, height });
}

const [WIDE, HIGH] = [1440, 900];

async function newContext({ theme = 'dark', width = WIDE, height = HIGH }: PageOptions): Promise<BrowserContext> {
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
    const { server } = await openConsoleServer();
    await enter(context, server.url, server.token);
    // An open page keeps the page process and its compiled code alive.
    await (await context.newPage()).goto(`${server.url}/console/icon.svg`);
    return context;
  });
  return owners;
}

/** Navigates without a page load, like a link. `quiet` no longer waits for the previous path. */
export async function follow(page: Page, path: string): Promise<void> {
  requestsOf.get(page)?.running.clear();
  await page.evaluate((to) => {
    history.pushState({}, '', `/console/${to}`);
    dispatchEvent(new PopStateEvent('popstate'));
  }, path);
}

/** Polling interval until a page is idle, in milliseconds. */
const QUIET = 100;

/** Waits until the page is idle, including follow-up requests. */
export async function quiet(page: Page): Promise<void> {
  const { begun, running } = requestsOf.get(page)!;
  const end = Date.now() + PAGE_MILLISECONDS;
  for (let before = -1; before !== begun.size || running.size > 0;) {
    if (Date.now() > end) {
      const urls = [...(running.size > 0 ? running : begun)].slice(-5).map((request) => request.url());
      throw new Error(`the page is not idle: ${running.size} requests are pending; ${urls.join(', ')}`);
    }
    before = begun.size;
    await page.waitForTimeout(QUIET);
  }
}

/** The page that the tests of a file reuse. */
let keptPage: { readonly page: Page; readonly file: string } | undefined;

/**
 * Like `openPage` as the owner, but the tests of a file share one page, which `closePage` leaves at
 * an unknown path: loading the console again costs a second of CPU. What a page remembers besides
 * its storage stays: datasets it has listed, results, preferences. A test that must not see them
 * uses `openPage`.
 */
export async function reusePage(path: string, options: PageLook = {}): Promise<Page> {
  const file = expect.getState().testPath ?? '';
  if (keptPage !== undefined && keptPage.file === file && !keptPage.page.isClosed()) {
    await look(keptPage.page, options);
    await follow(keptPage.page, path);
    return keptPage.page;
  }
  await keptPage?.page.close();
  const page = await openPage(path, options);
  keptPage = { page, file };
  return page;
}

/** An unknown path, so that content of the previous page cannot match. */
const NOWHERE = 'nowhere';

/** Prepares a page for the next test; false if it stays, such as with unsaved changes. */
async function isLeft(page: Page): Promise<boolean> {
  await page.unrouteAll();
  await follow(page, NOWHERE);
  try {
    await page.getByText('Page not found').waitFor({ timeout: LEAVING_MILLISECONDS });
  } catch {
    return false;
  }
  await forget(page);
  complaintsOf.get(page)!.length = 0;
  return true;
}

/** Closes a page and clears its storage, with its context if not shared. */
export async function closePage(page: Page): Promise<void> {
  if (page === keptPage?.page) {
    if (await isLeft(page)) return;
    keptPage = undefined;
  }
  const context = page.context();
  if (context !== (await owners)) return context.close();
  await forget(page);
  await page.close();
}

/** Clears the browser storage of a page. */
export const forget = (page: Page): Promise<void> =>
  page.evaluate(() => {
    localStorage.clear();
    sessionStorage.clear();
  });
