/** Trusted Types policy: the only one allowed to create worker URLs. */
interface TrustedTypes {
  createPolicy(name: string, rules: { createScriptURL(url: string): string }): { createScriptURL(url: string): URL };
}

const trustedTypes = (globalThis as { readonly trustedTypes?: TrustedTypes }).trustedTypes;
/** Gets only URLs from the build. */
const policy = trustedTypes?.createPolicy('millrace-worker', { createScriptURL: (url) => url });

const addressOf = (url: string): URL => policy?.createScriptURL(url) ?? new URL(url, location.href);

/** Starts a worker of the build: `import url from './x.worker.ts?worker&url'`. */
export const startWorker = (url: string): Worker => new Worker(addressOf(url), { type: 'module' });

/** Starts or joins a worker shared by all tabs; undefined in browsers without shared workers. */
export const startSharedWorker = (url: string): SharedWorker | undefined =>
  'SharedWorker' in globalThis ? new SharedWorker(addressOf(url), { type: 'module' }) : undefined;
