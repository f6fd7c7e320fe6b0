import { useEffect, useRef } from 'react';
import type { useBoardParams } from '../dashboard-params.js';
import { withNew } from '../document/edits.js';
import { kindOf } from '../elements/element-table.js';
import type { Draft } from './use-draft.js';

/** Adds the query in the address as an element, once, and removes it from the address. */
export function useAdded(
  { added: { text, as, language }, forgetAdded }: ReturnType<typeof useBoardParams>,
  draft: Draft,
  onAdded: (id: string) => void,
): void {
  const taken = useRef('');
  useEffect(() => {
    if (text === '' || taken.current === text) return;
    taken.current = text;
    const type = kindOf(as)?.asks === true ? as : 'Table';
    const { document, id } = withNew(draft.document, type, { query: { [language]: text } });
    draft.change(() => document);
    onAdded(id);
    forgetAdded();
  });
}
