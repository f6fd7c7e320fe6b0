import { Outlet } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useState } from 'react';
import { Unreachable } from '../data/api.js';
import { useCatalogQuery } from '../data/catalog.js';
import { listenForKeys, useCommands } from '../data/commands.js';
import { fullPage } from '../widgets/full-page.js';
import { useSession } from '../data/session.js';
import { useStore } from '../data/store.js';
import { LoadingNotice } from '../widgets/states.js';
import { Notices } from '../widgets/overlays/toast.js';
import { useAppearance } from './appearance.js';
import { usePageCommands } from './page-commands.js';
import { Sidebar } from './sidebar.js';
import styles from './shell.module.css';
import { SignInPage, SignInSheet } from './sign-in.js';
import { useOneTimeCode } from './one-time-code.js';

/** Not a part of the first load. */
const loadPalette = () => import('./palette.js').then(({ Palette }) => ({ default: Palette }));
const LoadedPalette = lazy(loadPalette);
const KeysSheet = lazy(() => import('./shortcuts-drawer.js').then(({ KeysSheet: sheet }) => ({ default: sheet })));

/** Frame of every page: sidebar, palette, keyboard shortcuts and sign-in. */
export function Shell() {
  useAppearance();
  const code = useOneTimeCode();
  if (code.state === 'exchanging') return <LoadingNotice lines={3} />;
  return <Door problem={code.problem} />;
}

/** Shows pages to signed-in users. */
function Door({ problem }: { readonly problem: string | undefined }) {
  const session = useSession();
  const { error } = useCatalogQuery();
  if (session === 'out') return <SignInPage problem={problem} />;
  return <Inside lost={session === 'lost'} unreachable={error instanceof Unreachable} />;
}

function Inside({ lost, unreachable }: { readonly lost: boolean; readonly unreachable: boolean }) {
  const [palette, setPalette] = useState(false);
  const [keys, setKeys] = useState(false);
  const isFull = useStore(fullPage);
  usePageCommands();
  useCommands([
    {
      id: 'palette',
      title: 'Search and commands',
      group: 'Global',
      keys: ['mod+K'],
      run: () => setPalette(true),
      onlyKeys: true,
    },
    { id: 'keys', title: 'Show keyboard shortcuts', group: 'Global', keys: ['?'], run: () => setKeys(true) },
  ]);
  useEffect(() => listenForKeys(window), []);
  // After the first page is shown, so that it opens at once.
  useEffect(() => void loadPalette(), []);
  return (
    <div className={styles.shell}>
      <a className={styles.skip} href="#main" onClick={toMain}>
        Skip to main content
      </a>
      {!isFull && <Sidebar onPalette={() => setPalette(true)} onKeys={() => setKeys(true)} />}
      <div className={styles.page} id="main">
        {unreachable && (
          <p className={styles.away} role="status">
            Connection to the server lost. Retrying…
          </p>
        )}
        <Outlet />
      </div>
      {palette && (
        <Suspense>
          <LoadedPalette onClose={() => setPalette(false)} />
        </Suspense>
      )}
      {keys && (
        <Suspense>
          <KeysSheet onClose={() => setKeys(false)} />
        </Suspense>
      )}
      {lost && <SignInSheet />}
      <Notices />
    </div>
  );
}

function toMain(event: { preventDefault(): void }): void {
  event.preventDefault();
  document.querySelector<HTMLElement>('main')?.focus();
}
