import { useCommands } from '../../data/commands.js';
import type { DashboardQueryRunner } from './query-runner.js';
import type { useBoardParams } from './dashboard-params.js';
import type { BoardSheet } from './editing/dashboard-drawers.js';
import type { Draft } from './editing/use-draft.js';

/** Keyboard shortcuts and palette commands of a dashboard. */
export function useBoardCommands({
  draft,
  params,
  runner,
  setSheet,
  fullScreen,
  print,
}: {
  readonly draft: Draft;
  readonly params: ReturnType<typeof useBoardParams>;
  readonly runner: DashboardQueryRunner;
  readonly setSheet: (sheet: BoardSheet) => void;
  readonly fullScreen: () => void;
  readonly print: () => void;
}): void {
  const group = 'Dashboard';
  const { edit, setEdit } = params;
  useCommands([
    { id: 'board.refresh', title: 'Refresh', group, keys: ['r'], run: () => runner.refresh('wanted') },
    { id: 'board.edit', title: edit ? 'Stop editing' : 'Edit', group, keys: ['e'], run: () => setEdit(!edit) },
    { id: 'board.full', title: 'Full screen', group, keys: ['F'], run: fullScreen },
    { id: 'board.print', title: 'Print, or save as PDF', group, run: print },
    ...(edit
      ? [
          { id: 'board.add', title: 'Add an element', group, keys: ['a'], run: () => setSheet({ kind: 'add' }) },
          { id: 'board.undo', title: 'Undo', group, keys: ['mod+Z'], yieldsToText: true, run: draft.undo },
          { id: 'board.redo', title: 'Redo', group, keys: ['mod+shift+Z'], yieldsToText: true, run: draft.redo },
          {
            id: 'board.save',
            title: 'Save…',
            group,
            keys: ['mod+S'],
            run: () => draft.isChanged && setSheet({ kind: 'save' }),
          },
        ]
      : []),
  ]);
}
