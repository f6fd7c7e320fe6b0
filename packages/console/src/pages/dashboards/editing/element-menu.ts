import { consolePath } from '../../../data/address/console-path.js';
import { writeSearch } from '../../../data/search-text.js';
import { copyText } from '../../../widgets/copy-text.js';
import type { MenuGroup } from '../../../widgets/overlays/menu.js';
import type { BoardSheet } from './dashboard-drawers.js';
import type { useBoardParams } from '../dashboard-params.js';
import { type Chart, ownRange, queryOf } from '../document/document.js';
import { withDuplicate, removeElement } from '../document/edits.js';
import { kindOf } from '../elements/element-table.js';
import type { Draft } from './use-draft.js';
import type { KeyboardMove } from './use-drag.js';

/** Actions of an element. */
export function elementMenu({
  chart,
  edit,
  draft,
  params,
  moving,
  setSheet,
}: {
  readonly chart: Chart;
  readonly edit: boolean;
  readonly draft: Draft;
  readonly params: ReturnType<typeof useBoardParams>;
  readonly moving: KeyboardMove;
  readonly setSheet: (sheet: BoardSheet) => void;
}): readonly MenuGroup[] {
  const query = queryOf(chart);
  const asks = kindOf(chart.type)?.asks === true && 'apl' in query;
  const { from, to } = ownRange(chart) ?? params.asking.range;
  return [
    {
      entries: [
        ...(asks
          ? [
              {
                id: 'query',
                title: 'Open the query',
                run: () =>
                  void globalThis.open(
                    `${consolePath}query${writeSearch({ q: query.apl, from, to })}`,
                    '_blank',
                    'noopener',
                  ),
              },
              { id: 'copy', title: 'Copy the query', run: () => void copyText(query.apl, 'Query copied') },
            ]
          : []),
        {
          id: 'edit',
          title: 'Edit…',
          run: () => {
            params.setEdit(true);
            setSheet({ kind: 'element', id: chart.id });
          },
        },
      ],
    },
    ...(edit
      ? [
          {
            entries: [
              { id: 'move', title: 'Move with keyboard', keys: 'm', run: () => moving.start(chart.id) },
              {
                id: 'duplicate',
                title: 'Duplicate',
                run: () => draft.change((before) => withDuplicate(before, chart.id)),
              },
              {
                id: 'remove',
                title: 'Remove',
                danger: true,
                run: () => draft.change((before) => removeElement(before, chart.id)),
              },
            ],
          },
        ]
      : []),
  ];
}
