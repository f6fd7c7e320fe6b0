import { useState } from 'react';
import { useCommands } from '../../data/commands.js';
import { rangeCommands } from '../../data/time/range-commands.js';
import type { Range } from '../../data/time/ranges.js';
import { Button } from '../../widgets/inputs/button.js';
import { Menu } from '../../widgets/overlays/menu.js';
import { BarSpace } from '../../widgets/page.js';
import { TimeField } from '../../widgets/inputs/time-field.js';
import { type SpanPlace, takeZone } from './use-span-scope.js';

/** Bar of both pages: link to the other, dataset and range. */
export function PlaceBar({
  place: { places, dataset, zone },
  other,
  range,
  onOther,
  onDataset,
  onRange,
  onZone,
}: {
  readonly place: SpanPlace;
  /** Title of the other page. */
  readonly other: string;
  readonly range: Range;
  readonly onOther: () => void;
  readonly onDataset: (dataset: string) => void;
  readonly onRange: (range: Range) => void;
  readonly onZone: () => void;
}) {
  const [open, setOpen] = useState(false);
  useCommands([
    {
      id: 'spans.time',
      title: 'Change the range or the time zone',
      group: 'Traces',
      keys: ['T'],
      run: () => setOpen(true),
    },
    { id: 'spans.other', title: other, group: 'Traces', keys: ['s'], run: onOther },
    ...rangeCommands('Traces', range, onRange),
  ]);
  return (
    <>
      <Button small kind="quiet" onPress={onOther}>
        {other}
      </Button>
      {dataset !== undefined && (places.length > 1 || !places.includes(dataset)) && (
        <Menu
          label="Dataset of the spans"
          button={
            <Button small kind="quiet" hint="Dataset of the spans">
              in {dataset}
            </Button>
          }
          groups={[{ entries: places.map((name) => ({ id: name, title: name, run: () => onDataset(name) })) }]}
        />
      )}
      <BarSpace />
      <TimeField
        range={range}
        zone={zone}
        open={open}
        onOpen={setOpen}
        onRange={onRange}
        onZone={(next) => {
          takeZone(next);
          onZone();
        }}
      />
    </>
  );
}
