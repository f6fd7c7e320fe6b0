import { createStore, useStore } from './store.js';

/**
 * Session state. `lost`: the session ended while the page was open; its content stays under a
 * sign-in dialog.
 */
type SessionState = 'unknown' | 'in' | 'out' | 'lost';

/**
 * Kept in the browser while it is signed out. Pages cannot see the cookie of a session: without
 * this entry they ask the server, which rejects the request.
 */
const entry = 'millrace.signed-out';

const store = createStore<SessionState>(isKnownOut() ? 'out' : 'unknown');

export const useSession = (): SessionState => useStore(store);

function isKnownOut(): boolean {
  try {
    return localStorage.getItem(entry) !== null;
  } catch {
    return false;
  }
}

function set(state: SessionState): void {
  store.set(state);
  keepOut(state !== 'in');
}

function keepOut(isOut: boolean): void {
  try {
    if (isOut) localStorage.setItem(entry, '1');
    else localStorage.removeItem(entry);
  } catch {
    // A browser without storage asks the server.
  }
}

// Another tab signed in.
globalThis.window?.addEventListener('storage', ({ key, newValue }) => {
  if (key === entry && newValue === null && store.get() === 'out') store.set('unknown');
});

export const signedIn = (): void => set('in');
export const signedOut = (): void => {
  hasSignedOut = true;
  set('out');
};
/** The browser leaves for a sign-in provider, which may return with a session. */
export const leavesToSignIn = (): void => keepOut(false);
/** Whether the user signed out on this page. */
export const wasSignedOut = (): boolean => hasSignedOut;
let hasSignedOut = false;
/** The server no longer knows the session. */
export const sessionRefused = (): void => set(store.get() === 'in' || store.get() === 'lost' ? 'lost' : 'out');
