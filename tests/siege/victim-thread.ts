import { parentPort, workerData } from 'node:worker_threads';
import { victims } from './attack.js';
import type { FromVictim, ToVictim } from './victim.js';

/**
 * Sends one event and one small query every 100 ms, whether or not earlier ones were answered. A
 * separate thread, so that the attacker's CPU use does not affect the measurements.
 */

const beat = 100;
/** Maximum requests without a response; above it, heartbeats are skipped. */
const maxOpen = 200;
/** Maximum queries without a response; fewer than `MILLRACE_MAX_CONCURRENT_QUERIES` allows. */
const maxAsking = 8;

const { token } = workerData as { readonly token: string };
let url = (workerData as { readonly url: string }).url;
const port = parentPort!;
const post = (message: FromVictim): void => port.postMessage(message);

type Kind = 'events' | 'questions';
let milliseconds: Record<Kind, number[]> = { events: [], questions: [] };
let troubles = new Map<string, number>();
const acknowledgedNumbers: number[] = [];
const openSince = new Set<{ readonly kind: Kind; readonly began: number }>();
let sentCount = 0;
let activeRequests = 0;

async function request(kind: Kind, path: string, body: string): Promise<boolean> {
  const open = { kind, began: performance.now() };
  openSince.add(open);
  try {
    const answer = await fetch(url + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body,
    });
    await answer.arrayBuffer();
    if (answer.ok) return true;
    trouble(`answer ${answer.status}`);
  } catch {
    trouble('no answer');
  } finally {
    openSince.delete(open);
    milliseconds[kind].push(performance.now() - open.began);
  }
  return false;
}

const trouble = (what: string): void => void troubles.set(what, (troubles.get(what) ?? 0) + 1);

async function ingest(): Promise<void> {
  const n = sentCount++;
  if (await request('events', `/v1/datasets/${victims}/ingest`, JSON.stringify([{ n }]))) acknowledgedNumbers.push(n);
}

async function ask(): Promise<void> {
  // One more could be rejected because of the token's limit, on a busy machine.
  if (activeRequests >= maxAsking) return;
  activeRequests++;
  await request(
    'questions',
    '/v1/datasets/_apl?format=tabular',
    JSON.stringify({ apl: `${victims} | summarize count()` }),
  );
  activeRequests--;
}

const timer = setInterval(() => {
  if (openSince.size >= maxOpen) return;
  void ingest();
  void ask();
}, beat);

port.on('message', (message: ToVictim) => {
  switch (message.is) {
    case 'server':
      url = message.url;
      return;
    case 'report': {
      // Pending requests have waited at least this long.
      const now = performance.now();
      for (const { kind, began } of openSince) milliseconds[kind].push(now - began);
      post({ is: 'report', ...milliseconds, troubles });
      milliseconds = { events: [], questions: [] };
      troubles = new Map();
      return;
    }
    case 'stop':
      clearInterval(timer);
      void (async () => {
        while (openSince.size > 0) await new Promise((resolve) => setTimeout(resolve, 10));
        post({ is: 'stopped', acknowledged: acknowledgedNumbers });
        port.close();
      })();
      return;
  }
});
