import { createStore, useStore } from './store.js';

/**
 * Session state. `lost`: the session ended while the page was open; its content stays under a
 * sign-in dialog.
 */
type SessionState = 'unknown' | 'in' | 'out' | 'lost';

const store = createStore<SessionState>('unknown');

export const useSession = (): SessionState => useStore(store);

export const signedIn = (): void => store.set('in');
export const signedOut = (): void => {
  left = true;
  store.set('out');
};
/** Whether the user signed out on this page. */
export const wasSignedOut = (): boolean => left;
let left = false;
/** The server no longer knows the session. */
export const sessionRefused = (): void => store.set(store.get() === 'in' || store.get() === 'lost' ? 'lost' : 'out');
