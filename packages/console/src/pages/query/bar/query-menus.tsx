import { Share2 } from 'lucide-react';
import { serverUrl } from '../../../data/address/console-path.js';
import { setPreferences, usePreferences } from '../../../data/preferences.js';
import { askLanguage } from '../../../editor/language.js';
import { IconButton } from '../../../widgets/inputs/button.js';
import { copyText } from '../../../widgets/copy-text.js';
import { Menu } from '../../../widgets/overlays/menu.js';
import { MoreMenu } from '../../../widgets/overlays/more-menu.js';
import { commandFor, type CopyAs } from '../result/copy-as.js';
import { pinnedLink, relativeLink } from './links.js';
import type { FieldsPanel } from '../fields/use-fields-panel.js';
import type { QueryStateAccess, ShownView } from '../query-state.js';
import type { SheetName } from '../drawers/query-drawers.js';
import { useAddToDashboard } from '../use-add-to-dashboard.js';
import { useCreateMonitor } from '../use-create-monitor.js';
import type { Result } from '../use-result.js';

const copies: readonly { readonly id: CopyAs; readonly title: string }[] = [
  { id: 'curl', title: 'As curl' },
  { id: 'millrace', title: 'As millrace query' },
  { id: 'axiom-js', title: 'As @axiomhq/js' },
];

/** Links to the current view, and the query for other tools. */
export function ShareMenu({
  access: { state },
  result,
  textNow,
  view,
}: {
  readonly access: QueryStateAccess;
  readonly result: Result;
  /** Text of the editor: not a property, since typing would render the menu. */
  readonly textNow: () => string;
  readonly view: ShownView;
}) {
  const createMonitor = useCreateMonitor(state, textNow);
  const addToDashboard = useAddToDashboard(textNow, view, result.answer);
  return (
    <Menu
      label="Share"
      button={
        <IconButton label="Share">
          <Share2 />
        </IconButton>
      }
      groups={[
        {
          title: 'Copy a link',
          entries: [
            {
              id: 'pinned',
              title: 'Pinned: fixed time range and data',
              keys: 'y',
              run: () => void copyText(pinnedLink(state, result), 'Pinned link copied'),
              barred: result.answer === undefined ? 'run a query first' : undefined,
            },
            {
              id: 'relative',
              title: 'Relative: re-runs with the current time',
              keys: 'Y',
              run: () => void copyText(relativeLink(), 'Link copied'),
            },
          ],
        },
        {
          title: 'Monitor',
          entries: [
            { id: 'monitor', title: 'Create a monitor…', keys: 'M', run: createMonitor },
            { id: 'dashboard', title: 'Add to a dashboard…', keys: 'B', run: addToDashboard },
          ],
        },
        {
          title: 'Copy the query',
          entries: [
            { id: 'apl', title: 'As APL', run: () => void copyText(textNow(), 'Query copied') },
            ...copies.map(({ id, title }) => ({
              id,
              title,
              run: () => void copyText(commandFor(id, { ...state, q: textNow() }, serverUrl), 'Copied'),
            })),
          ],
        },
      ]}
    />
  );
}

export function QueryMenu({
  access: { state, change, ask },
  result,
  fields,
  onSheet,
}: {
  readonly access: QueryStateAccess;
  readonly result: Result;
  readonly fields: FieldsPanel;
  readonly onSheet: (sheet: SheetName) => void;
}) {
  const { showHistogram } = usePreferences();
  const nothing = result.answer === undefined ? 'run a query first' : undefined;
  return (
    <MoreMenu
      groups={[
        {
          entries: [
            { id: 'save', title: 'Save…', keys: 'mod+S', run: () => onSheet('save') },
            { id: 'saved', title: 'Saved queries', run: () => onSheet('saved') },
            { id: 'history', title: 'History', keys: 'mod+H', run: () => onSheet('history') },
            { id: 'export', title: 'Export…', run: () => onSheet('export'), barred: nothing },
          ],
        },
        {
          entries: [
            {
              id: 'format',
              title: 'Format the query',
              run: () => void askLanguage('format', state.q).then((next) => next !== undefined && ask({ q: next })),
            },
            {
              id: 'wrap',
              title: state.wrap ? 'Single-line rows' : 'Wrap lines',
              keys: 'w',
              run: () => change({ wrap: !state.wrap }),
            },
            {
              id: 'fields',
              title: fields.isOpen ? 'Hide the fields' : 'Show the fields',
              keys: '[',
              run: fields.toggle,
            },
            {
              id: 'bars',
              title: showHistogram ? 'Hide the histogram' : 'Show the histogram',
              keys: 'h',
              run: () => setPreferences({ showHistogram: !showHistogram }),
            },
          ],
        },
      ]}
    />
  );
}
