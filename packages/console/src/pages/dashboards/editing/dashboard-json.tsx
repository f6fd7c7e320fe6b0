import { type BoardDocument, membersOf } from '../document/document.js';
import { JsonField } from './json-field.js';
import type { Draft } from './use-draft.js';

/** The whole document, as exported. */
export const BoardJson = ({ draft, onDone }: { readonly draft: Draft; readonly onDone: () => void }) => (
  <JsonField
    label="Document"
    value={draft.document}
    lines={28}
    problemOf={problemOf}
    onChange={(value) => {
      draft.change(() => value as BoardDocument);
      onDone();
    }}
  />
);

/** Checks what the page needs to show it; the server validates the rest. */
function problemOf(value: unknown): string | undefined {
  const { name, charts, layout } = membersOf(value);
  if (typeof name !== 'string' || name === '') return 'A name is required.';
  if (!Array.isArray(charts) || !Array.isArray(layout)) return 'charts and layout must be arrays.';
  const ids = charts.map((chart: unknown) => membersOf(chart)['id']);
  if (
    charts.some((chart: unknown) => typeof membersOf(chart)['type'] !== 'string') ||
    ids.some((id) => typeof id !== 'string')
  )
    return 'Every chart must have an id and a type.';
  const twice = ids.find((id, index) => ids.indexOf(id) !== index);
  return twice === undefined ? undefined : `Duplicate chart id ${String(twice)}.`;
}
