import { useEffect, useState } from 'react';
import { signIn } from '../data/api.js';
import { refreshCatalog } from '../data/catalog.js';
import { signedIn } from '../data/session.js';
import { errorText } from '../widgets/states.js';

/** Sign-in code of the link, removed from the address at once to keep it out of the history. */
const code = /^#code=(.+)$/.exec(globalThis.location?.hash ?? '')?.[1];
if (code !== undefined) history.replaceState(null, '', location.pathname + location.search);

interface OneTimeCode {
  readonly state: 'exchanging' | 'over';
  readonly problem?: string;
}

/** Signs in with the code of a one-time link, if the page was opened through one. */
export function useOneTimeCode(): OneTimeCode {
  const [state, setState] = useState<OneTimeCode>({ state: code === undefined ? 'over' : 'exchanging' });
  useEffect(() => {
    if (code === undefined) return;
    codeExchange ??= signIn(decodeURIComponent(code)).then(
      async () => {
        signedIn();
        await refreshCatalog();
        return { state: 'over' as const };
      },
      (error: unknown) => ({ state: 'over' as const, problem: errorText(error) }),
    );
    void codeExchange.then(setState);
  }, []);
  return state;
}

/** Runs once, even if the component mounts again. */
let codeExchange: Promise<OneTimeCode> | undefined;
