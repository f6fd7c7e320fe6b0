/** The page's policy lets only this name make the addresses of workers. */
interface TrustedTypes {
  createPolicy(name: string, rules: { createScriptURL(url: string): string }): { createScriptURL(url: string): URL };
}

const trustedTypes = (globalThis as { readonly trustedTypes?: TrustedTypes }).trustedTypes;
/** Only addresses that the build wrote are given to it. */
const policy = trustedTypes?.createPolicy('millrace-worker', { createScriptURL: (url) => url });

const addressOf = (url: string): URL => policy?.createScriptURL(url) ?? new URL(url, location.href);

/** Starts a worker of the build: `import url from './x.worker.ts?worker&url'`. */
export const startWorker = (url: string): Worker => new Worker(addressOf(url), { type: 'module' });

/** Starts one that all tabs of the browser share, or joins it; undefined in a browser without. */
export const startSharedWorker = (url: string): SharedWorker | undefined =>
  'SharedWorker' in globalThis ? new SharedWorker(addressOf(url), { type: 'module' }) : undefined;
