import { useEffect, useState } from 'react';
import { signIn } from '../data/api.js';
import { refreshCatalogue } from '../data/catalogue.js';
import { errorText } from '../widgets/states.js';

/**
 * The code of a one-time link, taken out of the address at once: it must not stay in the history.
 */
const code = /^#code=(.+)$/.exec(globalThis.location?.hash ?? '')?.[1];
if (code !== undefined) history.replaceState(null, '', location.pathname + location.search);

interface OneTimeCode {
  readonly state: 'exchanging' | 'over';
  readonly problem?: string;
}

/** Signs in with the code of the link through which the page was opened, if there is one. */
export function useOneTimeCode(): OneTimeCode {
  const [state, setState] = useState<OneTimeCode>({ state: code === undefined ? 'over' : 'exchanging' });
  useEffect(() => {
    if (code === undefined) return;
    exchanged ??= signIn(decodeURIComponent(code)).then(
      async () => {
        await refreshCatalogue();
        return { state: 'over' as const };
      },
      (error: unknown) => ({ state: 'over' as const, problem: errorText(error) }),
    );
    void exchanged.then(setState);
  }, []);
  return state;
}

/** Once, however often the component is made. */
let exchanged: Promise<OneTimeCode> | undefined;
