import { useState, type FormEvent } from 'react';
import { signIn } from '../data/api.js';
import { refreshCatalog } from '../data/catalog.js';
import { queryClient } from '../data/query-client.js';
import { signedIn } from '../data/session.js';
import { Button } from '../widgets/inputs/button.js';
import { Dialog } from '../widgets/overlays/dialog.js';
import { errorText } from '../widgets/states.js';
import { TextField } from '../widgets/inputs/text-field.js';
import { SignInProviders, useSignInMethods } from './sign-in-providers.js';
import { signInProblem } from './sign-in-problem.js';
import styles from './sign-in.module.css';

/** Sign-in form: exchanges a token for a session; the token is not stored. */
export const SignInPage = ({ problem }: { readonly problem: string | undefined }) => (
  <main className={styles.page}>
    <title>Sign in · Millrace</title>
    <div className={styles.door}>
      <h1 className={styles.name}>
        <Mark /> Millrace
      </h1>
      <SignInProviders />
      <SignInForm problem={problem ?? signInProblem} />
      <p className={styles.help}>
        No token? Run <code>millrace console</code> on the server host to get a one-time sign-in link.
      </p>
    </div>
  </main>
);

/** Sign-in dialog over a page whose session ended. The page keeps its state. */
export const SignInSheet = () => (
  <Dialog title="Sign in again" open firm onClose={() => {}}>
    <p className={styles.lost}>Your session expired. Your work on this page is preserved.</p>
    <div className={styles.again}>
      <SignInProviders />
      <SignInForm problem={undefined} />
    </div>
  </Dialog>
);

function SignInForm({ problem: before }: { readonly problem: string | undefined }) {
  const [token, setToken] = useState('');
  const [problem, setProblem] = useState(before);
  const [busy, setBusy] = useState(false);
  const hasProviders = (useSignInMethods()?.providers.length ?? 0) > 0;
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (token.trim() === '' || busy) return;
    setBusy(true);
    try {
      await signIn(token);
      setToken('');
      signedIn();
      await refreshCatalog();
      // Refetches failed queries; other data stays.
      await queryClient.refetchQueries({ predicate: ({ state }) => state.status === 'error', type: 'active' });
    } catch (error) {
      setProblem(errorText(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <form className={styles.form} onSubmit={(event) => void submit(event)}>
      <TextField
        label="Token"
        type="password"
        mono
        value={token}
        onChange={(value) => {
          setToken(value);
          setProblem(undefined);
        }}
        placeholder="xapt-… or xaat-…"
        autoComplete="current-password"
        problem={problem}
        autoFocus
      />
      <Button type="submit" kind={hasProviders ? 'plain' : 'primary'} disabled={busy}>
        {busy ? 'Signing in…' : hasProviders ? 'Sign in with a token' : 'Sign in'}
      </Button>
    </form>
  );
}

/** Logo: a channel that branches off and returns. */
export const Mark = () => (
  <svg viewBox="0 0 32 32" width="1em" height="1em" aria-hidden className={styles.mark}>
    <path d="M5 11h12c3 0 3 4 6 4h4M5 17h7c3 0 3 4 6 4h9M5 23h3" />
  </svg>
);
