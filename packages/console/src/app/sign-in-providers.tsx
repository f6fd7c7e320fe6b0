import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { api, proxySignIn } from '../data/api.js';
import { pathPrefix } from '../data/address/console-path.js';
import { refreshCatalog } from '../data/catalog.js';
import { queryClient } from '../data/query-client.js';
import { leavesToSignIn, signedIn, wasSignedOut } from '../data/session.js';
import { Button } from '../widgets/inputs/button.js';
import styles from './sign-in.module.css';
import { signInProblem } from './sign-in-problem.js';

/** The sign-in methods of the server; undefined until they are known. */
export function useSignInMethods() {
  const { data } = useQuery({
    queryKey: ['sign-in-methods'],
    queryFn: () => api.call('listSignInMethods'),
    retry: false,
  });
  return data;
}

/** Opens the provider; the server returns to this page. */
function open(path: string): void {
  const to = location.pathname.slice(pathPrefix.length) + location.search;
  leavesToSignIn();
  location.assign(`${pathPrefix}${path}?to=${encodeURIComponent(to)}`);
}

/** Buttons of the sign-in providers. */
export function SignInProviders() {
  const methods = useSignInMethods();
  const auto =
    methods?.providers.length === 1 && methods.providers[0]!.autoStart ? methods.providers[0]!.path : undefined;
  const proxy = methods?.proxy;
  useEffect(() => {
    // After a sign-out or a failure it would only begin again.
    if (signInProblem !== undefined || wasSignedOut()) return;
    if (proxy !== undefined) void enterByProxy();
    else if (auto !== undefined) open(auto);
  }, [auto, proxy]);
  if (methods === undefined || (methods.providers.length === 0 && proxy === undefined)) return null;
  return (
    <div className={styles.form}>
      {proxy !== undefined && (
        <Button kind="primary" onPress={() => void enterByProxy()}>
          {`Continue with ${proxy}`}
        </Button>
      )}
      {methods.providers.map(({ id, name, path }) => (
        <Button key={id} kind="primary" onPress={() => open(path)}>
          {name}
        </Button>
      ))}
    </div>
  );
}

/** Best effort: without it, the form for a token remains. */
async function enterByProxy(): Promise<void> {
  try {
    await proxySignIn();
  } catch {
    return;
  }
  signedIn();
  await refreshCatalog();
  await queryClient.refetchQueries({ predicate: ({ state }) => state.status === 'error', type: 'active' });
}
