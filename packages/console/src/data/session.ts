import { createStore, useStore } from './store.js';

/**
 * Whether somebody is signed in. `lost` is a session that ended while the page was open: what is on
 * the screen stays, under a sheet that asks to sign in again.
 */
type SessionState = 'unknown' | 'in' | 'out' | 'lost';

const store = createStore<SessionState>('unknown');

export const useSession = (): SessionState => useStore(store);

export const signedIn = (): void => store.set('in');
export const signedOut = (): void => store.set('out');
/** The server no longer knows the session. */
export const sessionRefused = (): void => store.set(store.get() === 'in' || store.get() === 'lost' ? 'lost' : 'out');
