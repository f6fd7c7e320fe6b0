import { useEffect, useMemo, useState } from 'react';
import { setPreferences, usePreferences } from '../../../data/preferences.js';
import { useOneColumn } from '../../../widgets/use-narrow-screen.js';

/** List of fields: next to the results, or a drawer where there is no space for both. */
export interface FieldsPanel {
  readonly isDrawer: boolean;
  readonly isOpen: boolean;
  readonly toggle: () => void;
}

export function useFieldsPanel(): FieldsPanel {
  const { showFields } = usePreferences();
  const isDrawer = useOneColumn();
  // A drawer covers the results: it opens on request only.
  const [opened, setOpened] = useState(false);
  useEffect(() => {
    if (!isDrawer) setOpened(false);
  }, [isDrawer]);
  return useMemo(
    () => ({
      isDrawer,
      isOpen: isDrawer ? opened : showFields,
      toggle: () => (isDrawer ? setOpened(!opened) : setPreferences({ showFields: !showFields })),
    }),
    [isDrawer, opened, showFields],
  );
}
