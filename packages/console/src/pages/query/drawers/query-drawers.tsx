import { lazy, Suspense } from 'react';
import { Drawer } from '../../../widgets/overlays/dialog.js';
import { SaveForm } from './save-form.js';
import { LoadingNotice } from '../../../widgets/states.js';
import type { QueryStateAccess } from '../query-state.js';
import type { Result } from '../use-result.js';

export type SheetName = 'save' | 'saved' | 'history' | 'export';

export interface SheetProps {
  readonly access: QueryStateAccess;
  readonly result: Result;
  readonly text: string;
  readonly onClose: () => void;
  /** Runs a query. */
  readonly onText: (text: string) => void;
}

const titles: Readonly<Record<SheetName, string>> = {
  save: 'Save the query',
  saved: 'Saved queries',
  history: 'History',
  export: 'Export',
};

/**
 * Rarely used, so lazy chunks; except for those with an initial text field, where characters typed
 * during loading would be lost.
 */
const contents = {
  save: SaveForm,
  saved: lazy(() => import('./saved-queries.js').then(({ SavedList }) => ({ default: SavedList }))),
  history: lazy(() => import('./history.js').then(({ History }) => ({ default: History }))),
  export: lazy(() => import('./export.js').then(({ Export }) => ({ default: Export }))),
};

export function QuerySheets({ open, ...props }: SheetProps & { readonly open: SheetName | undefined }) {
  if (open === undefined) return null;
  const Content = contents[open];
  return (
    <Drawer title={titles[open]} open onClose={props.onClose}>
      <Suspense fallback={<LoadingNotice />}>
        <Content {...props} />
      </Suspense>
    </Drawer>
  );
}
