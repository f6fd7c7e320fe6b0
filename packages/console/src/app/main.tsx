import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { queryClient } from '../data/query-client.js';
import { CannotShow } from '../widgets/load-error.js';
import { router } from './router.js';

/** Error boundaries of pages handle these; expected errors are not logged. */
function onCaughtError(error: unknown): void {
  if (!(error instanceof CannotShow)) reportError(error);
}

createRoot(document.querySelector('#console')!, { onCaughtError }).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
);
