import { type BoardDocument, membersOf } from '../document/document.js';
import { JsonField } from './json-field.js';
import type { Draft } from './use-draft.js';

/** The whole document, as exports have it. */
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

/** What would keep the page from showing it; the server checks the rest. */
function problemOf(value: unknown): string | undefined {
  const { name, charts, layout } = membersOf(value);
  if (typeof name !== 'string' || name === '') return 'It needs a name.';
  if (!Array.isArray(charts) || !Array.isArray(layout)) return 'charts and layout have to be lists.';
  const ids = charts.map((chart: unknown) => membersOf(chart)['id']);
  if (
    charts.some((chart: unknown) => typeof membersOf(chart)['type'] !== 'string') ||
    ids.some((id) => typeof id !== 'string')
  )
    return 'Each chart needs an id and a type.';
  const twice = ids.find((id, index) => ids.indexOf(id) !== index);
  return twice === undefined ? undefined : `Two charts have the id ${String(twice)}.`;
}
