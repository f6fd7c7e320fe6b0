import { useEffect } from 'react';
import { createStore } from '../data/store.js';

/** Whether the page has the window to itself, without the sidebar: on a TV. */
export const fullPage = createStore(false);

/** While mounted and wanted, the page has the window to itself. */
export function useFullPage(wanted: boolean): void {
  useEffect(() => {
    fullPage.set(wanted);
    return () => fullPage.set(false);
  }, [wanted]);
}
