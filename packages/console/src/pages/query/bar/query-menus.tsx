import { Ellipsis, Share2 } from 'lucide-react';
import { setTaste, useTaste } from '../../../data/taste.js';
import { askLanguage } from '../../../editor/language.js';
import { IconButton } from '../../../widgets/inputs/button.js';
import { copyText } from '../../../widgets/copy-text.js';
import { Menu } from '../../../widgets/overlays/menu.js';
import { commandFor, type CopyAs } from '../result/copy-as.js';
import { pinnedLink, relativeLink } from './links.js';
import type { QueryStateAccess, View } from '../query-state.js';
import type { SheetName } from '../sheets/query-sheets.js';
import { useAddToDashboard } from '../use-add-to-dashboard.js';
import { useCreateMonitor } from '../use-create-monitor.js';
import type { Result } from '../use-result.js';

const copies: readonly { readonly id: CopyAs; readonly title: string }[] = [
  { id: 'curl', title: 'As curl' },
  { id: 'millrace', title: 'As millrace query' },
  { id: 'axiom-js', title: 'As @axiomhq/js' },
];

/** Links to what is on the screen, and the query for other tools. */
export function ShareMenu({
  access: { state },
  result,
  text,
  view,
}: {
  readonly access: QueryStateAccess;
  readonly result: Result;
  readonly text: string;
  readonly view: Exclude<View, 'auto'>;
}) {
  const createMonitor = useCreateMonitor(state, text);
  const addToDashboard = useAddToDashboard(text, view, result.answer);
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
              title: 'Pinned: shows what I see',
              keys: 'y',
              run: () => void copyText(pinnedLink(state, result), 'Pinned link copied'),
              barred: result.answer === undefined ? 'nothing has been run' : undefined,
            },
            {
              id: 'relative',
              title: 'Relative: shows what is then',
              keys: 'Y',
              run: () => void copyText(relativeLink(), 'Link copied'),
            },
          ],
        },
        {
          title: 'Watch it',
          entries: [
            { id: 'monitor', title: 'Create a monitor…', keys: 'M', run: createMonitor },
            { id: 'dashboard', title: 'Add to a dashboard…', keys: 'B', run: addToDashboard },
          ],
        },
        {
          title: 'Copy the query',
          entries: [
            { id: 'apl', title: 'As APL', run: () => void copyText(text, 'Query copied') },
            ...copies.map(({ id, title }) => ({
              id,
              title,
              run: () => void copyText(commandFor(id, { ...state, q: text }, location.origin), 'Copied'),
            })),
          ],
        },
      ]}
    />
  );
}

export function MoreMenu({
  access: { state, change, ask },
  result,
  onSheet,
}: {
  readonly access: QueryStateAccess;
  readonly result: Result;
  readonly onSheet: (sheet: SheetName) => void;
}) {
  const { showFields, showHistogram } = useTaste();
  const nothing = result.answer === undefined ? 'nothing has been run' : undefined;
  return (
    <Menu
      label="More"
      button={
        <IconButton label="More">
          <Ellipsis />
        </IconButton>
      }
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
              title: state.wrap ? 'One line a row' : 'Wrap lines',
              keys: 'w',
              run: () => change({ wrap: !state.wrap }),
            },
            {
              id: 'fields',
              title: showFields ? 'Hide the fields' : 'Show the fields',
              keys: '[',
              run: () => setTaste({ showFields: !showFields }),
            },
            {
              id: 'bars',
              title: showHistogram ? 'Hide the histogram' : 'Show the histogram',
              keys: 'h',
              run: () => setTaste({ showHistogram: !showHistogram }),
            },
          ],
        },
      ]}
    />
  );
}
