import { type Command } from '../../../data/commands.js';
import { rangeCommands } from '../../../data/time/range-commands.js';
import { setPreferences, currentPreferences } from '../../../data/preferences.js';
import { SELECT_ALL } from '../../../editor/select-all.js';
import { copyText } from '../../../widgets/copy-text.js';
import { pinnedLink, relativeLink } from './links.js';
import { type QueryStateAccess, type View, views } from '../query-state.js';
import type { SheetName } from '../drawers/query-drawers.js';
import type { Result } from '../use-result.js';
import type { RowPointer } from '../result/use-row-pointer.js';

interface Around {
  readonly access: QueryStateAccess;
  readonly result: Result;
  readonly pointer: RowPointer;
  readonly run: () => void;
  readonly filterOpen: (how: 'include' | 'exclude') => void;
  readonly compareOpen: () => void;
  readonly diff: () => void;
  readonly openTrace: () => void;
  readonly openSheet: (sheet: SheetName) => void;
  readonly openTime: () => void;
  readonly find: () => void;
  readonly createMonitor: () => void;
  readonly addToDashboard: () => void;
  /** Whether the find field is open: its keys then have their usual meaning. */
  readonly finding: boolean;
  readonly toggleFields: () => void;
}

/** Keyboard shortcuts and palette commands of the page. */
export function queryCommands({
  access,
  result,
  pointer,
  run,
  filterOpen,
  compareOpen,
  diff,
  openTrace,
  openSheet,
  openTime,
  find,
  createMonitor,
  addToDashboard,
  finding,
  toggleFields,
}: Around): readonly Command[] {
  const { state, ask, change } = access;
  const group = 'Query';
  const command = (
    id: string,
    title: string,
    keys: readonly string[],
    run: () => void,
    more: Partial<Command> = {},
  ): Command => ({
    id: `query.${id}`,
    title,
    group,
    keys,
    run,
    ...more,
  });
  const rows = { onlyKeys: true, group: 'Rows' };
  return [
    command('run', 'Run the query', ['mod+Enter'], run),
    command(
      'stop',
      'Cancel the query or close the row',
      ['Escape'],
      () => (result.running ? result.stop() : pointer.close()),
      { onlyKeys: true, whileTyping: true },
    ),
    command('editor', 'Go to the editor', ['/'], () => {
      const editor = document.querySelector<HTMLElement>('.cm-content, textarea');
      editor?.focus();
      // Typing replaces the query.
      editor?.dispatchEvent(new CustomEvent(SELECT_ALL));
    }),
    command('time', 'Change the range or the time zone', ['T'], openTime),
    ...(finding ? [] : [command('find', 'Find in the loaded rows', ['mod+F'], find)]),
    command('save', 'Save the query', ['mod+S'], () => openSheet('save')),
    command('saved', 'Saved queries', [], () => openSheet('saved')),
    command('history', 'Query history', ['mod+H'], () => openSheet('history')),
    command('export', 'Export', [], () => openSheet('export')),
    command(
      'pinned',
      'Copy a pinned link',
      ['y'],
      () => void copyText(pinnedLink(state, result), 'Pinned link copied'),
    ),
    command('relative', 'Copy a relative link', ['Y'], () => void copyText(relativeLink(), 'Link copied')),
    command('monitor', 'Create a monitor', ['M'], createMonitor),
    command('dashboard', 'Add the query to a dashboard', ['B'], addToDashboard),
    ...rangeCommands(group, state, ask),
    command('wrap', 'Wrap lines', ['w'], () => change({ wrap: !state.wrap })),
    command('fields', 'Show or hide the fields', ['['], toggleFields),
    command('bars', 'Show or hide the histogram', ['h'], () =>
      setPreferences({ showHistogram: !currentPreferences().showHistogram }),
    ),
    ...views
      .slice(1)
      .map((view, index) =>
        command(`view.${view}`, `View: ${view}`, [`v ${index + 1}`], () => change({ v: view as View })),
      ),
    command('next', 'Next row', ['j'], () => pointer.move(1), rows),
    command('before', 'Previous row', ['k'], () => pointer.move(-1), rows),
    command(
      'open',
      'Open or close the row',
      ['Enter', ']'],
      () => pointer.active !== undefined && pointer.grid.onOpen(pointer.active),
      rows,
    ),
    command(
      'context',
      'Show surrounding events',
      ['c'],
      () => {
        const row = pointer.target();
        if (row === undefined) return;
        change({ tab: 'context', row: result.source.cursor(row) ?? String(row) });
      },
      rows,
    ),
    command(
      'select',
      'Select the row',
      ['Space'],
      () => pointer.active !== undefined && pointer.grid.onSelect(pointer.active),
      rows,
    ),
    command('include', 'Include the value of the first column', ['i'], () => filterOpen('include'), rows),
    command('exclude', 'Exclude the value of the first column', ['o'], () => filterOpen('exclude'), rows),
    command('compare', 'Compare the value of the first column with the rest', ['x'], compareOpen, rows),
    command('diff', 'Compare the two selected rows', ['d'], diff, rows),
    command('trace', 'Open trace', ['t'], openTrace, rows),
  ];
}
