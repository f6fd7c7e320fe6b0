import { useState, type FormEvent } from 'react';
import { signIn } from '../data/api.js';
import { refreshCatalogue } from '../data/catalogue.js';
import { queryClient } from '../data/query-client.js';
import { signedIn } from '../data/session.js';
import { Button } from '../widgets/inputs/button.js';
import { Dialog } from '../widgets/overlays/dialog.js';
import { errorText } from '../widgets/states.js';
import { TextField } from '../widgets/inputs/text-field.js';
import styles from './sign-in.module.css';

/** The door: a token is exchanged for a session, and is not kept. */
export const SignInPage = ({ problem }: { readonly problem: string | undefined }) => (
  <main className={styles.page}>
    <title>Sign in · Millrace</title>
    <div className={styles.door}>
      <h1 className={styles.name}>
        <Mark /> Millrace
      </h1>
      <SignInForm problem={problem} />
      <p className={styles.help}>
        Without a token at hand, run <code>millrace console</code> beside the server: it prints a link that signs you in
        once.
      </p>
    </div>
  </main>
);

/** The same over a page whose session ended. What is on the page stays. */
export const SignInSheet = () => (
  <Dialog title="Sign in again" open firm onClose={() => {}}>
    <p className={styles.lost}>The session is over. Everything on this page stays as it is.</p>
    <SignInForm problem={undefined} />
  </Dialog>
);

function SignInForm({ problem: before }: { readonly problem: string | undefined }) {
  const [token, setToken] = useState('');
  const [problem, setProblem] = useState(before);
  const [busy, setBusy] = useState(false);
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (token.trim() === '' || busy) return;
    setBusy(true);
    try {
      await signIn(token);
      setToken('');
      signedIn();
      await refreshCatalogue();
      // What failed while nobody was signed in is asked again; what is there stays.
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
      <Button type="submit" kind="primary" disabled={busy}>
        {busy ? 'Signing in…' : 'Sign in'}
      </Button>
    </form>
  );
}

/** The mark: water that is led off and comes back. */
export const Mark = () => (
  <svg viewBox="0 0 32 32" width="1em" height="1em" aria-hidden className={styles.mark}>
    <path d="M5 11h12c3 0 3 4 6 4h4M5 17h7c3 0 3 4 6 4h9M5 23h3" />
  </svg>
);
