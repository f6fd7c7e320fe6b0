import { useState } from 'react';
import { useCommands } from '../../data/commands.js';
import { rangeCommands } from '../../data/time/range-commands.js';
import type { Range } from '../../data/time/ranges.js';
import { Button } from '../../widgets/inputs/button.js';
import { Menu } from '../../widgets/overlays/menu.js';
import { BarSpace } from '../../widgets/page.js';
import nav from '../../widgets/page-nav.module.css';
import { TimeField } from '../../widgets/inputs/time-field.js';
import { type SpanPlace, takeZone } from './use-span-scope.js';

const pages = ['Traces', 'Services'] as const;
type SpanPage = (typeof pages)[number];

/** Bar of both pages: tabs, dataset and range. */
export function PlaceBar({
  place: { places, dataset, zone },
  page,
  range,
  onOther,
  onDataset,
  onRange,
  onZone,
}: {
  readonly place: SpanPlace;
  readonly page: SpanPage;
  readonly range: Range;
  readonly onOther: () => void;
  readonly onDataset: (dataset: string) => void;
  readonly onRange: (range: Range) => void;
  readonly onZone: () => void;
}) {
  const [open, setOpen] = useState(false);
  const other = page === 'Traces' ? 'Services' : 'Traces';
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
      <nav className={nav.nav} aria-label="Spans">
        {pages.map((each) => (
          <button
            key={each}
            type="button"
            className={nav.link}
            aria-current={each === page ? 'page' : undefined}
            onClick={each === page ? undefined : onOther}
          >
            {each}
          </button>
        ))}
      </nav>
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
