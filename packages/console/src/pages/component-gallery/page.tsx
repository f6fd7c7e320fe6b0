import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { choiceParam, textParam } from '../../data/url-params.js';
import { useUrlState } from '../../data/use-url-state.js';
import { Button, IconButton } from '../../widgets/inputs/button.js';
import { Chip } from '../../widgets/chip.js';
import { CopyButton } from '../../widgets/copy-button.js';
import { DataTable } from '../../widgets/data-table.js';
import { Dialog, Drawer } from '../../widgets/overlays/dialog.js';
import { Menu } from '../../widgets/overlays/menu.js';
import { BarSpace, Page } from '../../widgets/page.js';
import { Select } from '../../widgets/inputs/select.js';
import { EmptyState, ErrorState, LoadingNotice } from '../../widgets/states.js';
import { Tabs } from '../../widgets/tabs.js';
import { TextField } from '../../widgets/inputs/text-field.js';
import { notify } from '../../widgets/overlays/toast.js';
import styles from './specimen.module.css';

const few = [
  { name: 'logs', events: 120_000 },
  { name: 'traces', events: 7 },
];
/** More rows than a table shows at once. */
const many = [
  ...few,
  ...Array.from({ length: 300 }, (_, index) => ({ name: `service-${index}`, events: 1000 + index })),
];

const flows = ['idle', 'running', 'partial', 'failed', 'live', 'paused'] as const;
const params = { flow: choiceParam(flows, 'idle'), sort: textParam('name'), tab: textParam('table') };
const colors = ['text1', 'text2', 'text3', 'accent', 'red', 'amber', 'green', 'blue', 'violet'];

export function SpecimenPage() {
  const [{ flow, sort, tab }, change] = useUrlState(params);
  const [open, setOpen] = useState<'dialog' | 'sheet'>();
  const [text, setText] = useState('now-1h');
  return (
    <Page
      title="Widgets"
      flow={flow}
      bar={
        <>
          <BarSpace />
          <Select
            label="Flow line"
            bare
            value={flow}
            choices={flows.map((id) => ({ id, title: id }))}
            onChange={(next) => change({ flow: next })}
          />
          <Button onPress={() => notify({ text: 'Saved', action: { title: 'Undo', run: () => {} } })}>Notify</Button>
        </>
      }
    >
      <div className={styles.specimen}>
        <p className={styles.line}>
          <Button kind="primary">Run</Button>
          <Button>Plain</Button>
          <Button kind="quiet">Quiet</Button>
          <Button kind="danger">Delete</Button>
          <Button disabled>Disabled</Button>
          {/* A permission that does not exist, so every user lacks it. */}
          <Button needs={{ org: 'billing', action: 'create' }}>Barred</Button>
          <IconButton label="Delete">
            <Trash2 />
          </IconButton>
          <CopyButton text="a text" words />
          <Menu
            label="More"
            button={<Button>More</Button>}
            groups={[
              { title: 'Copy', entries: [{ id: 'apl', title: 'APL', keys: 'mod+C', run: () => {} }] },
              { entries: [{ id: 'delete', title: 'Delete', danger: true, run: () => {}, barred: 'No right' }] },
            ]}
          />
          <Button onPress={() => setOpen('dialog')}>Dialog</Button>
          <Button onPress={() => setOpen('sheet')}>Sheet</Button>
        </p>
        <p className={styles.line}>
          <Chip>plain</Chip>
          <Chip tone="good">good</Chip>
          <Chip tone="warn">warn</Chip>
          <Chip tone="bad">bad</Chip>
          <Chip tone="info" onRemove={() => {}}>
            info
          </Chip>
          <Chip tone="accent">accent</Chip>
        </p>
        <div className={styles.line}>
          <TextField label="Range" value={text} onChange={setText} description="Relative or exact" />
          <TextField label="Name" value="a b" onChange={() => {}} problem="A name has no blanks" />
        </div>
        <p className={styles.line}>
          {colors.map((name) => (
            <span key={name} style={{ color: `var(--${name})` }}>
              {name} 0123456789
            </span>
          ))}
        </p>
        <div className={styles.line}>
          {Array.from({ length: 8 }, (_, index) => (
            <span key={index} className={styles.swatch} style={{ background: `var(--series-${index + 1})` }} />
          ))}
          {Array.from({ length: 9 }, (_, index) => (
            <span key={index} className={styles.swatch} style={{ background: `var(--heat-${index + 1})` }} />
          ))}
        </div>
        <Tabs
          label="States"
          open={tab}
          onOpen={(next) => change({ tab: next })}
          tabs={[
            ...Object.entries({ Table: few, 'Long table': many }).map(([title, items]) => ({
              id: title === 'Table' ? 'table' : 'long',
              title,
              content: (
                <DataTable
                  label="Datasets"
                  items={items}
                  idOf={({ name }) => name}
                  columns={[
                    { id: 'name', title: 'Name', cell: ({ name }) => name, by: ({ name }) => name },
                    {
                      id: 'events',
                      title: 'Events',
                      cell: ({ events }) => events.toLocaleString(),
                      by: ({ events }) => events,
                      align: 'end',
                    },
                  ]}
                  sort={sort}
                  onSort={(next) => change({ sort: next })}
                />
              ),
            })),
            {
              id: 'empty',
              title: 'Empty',
              content: (
                <EmptyState title="No events in this range" actions={<Button>Jump to the newest</Button>}>
                  The newest event is of yesterday, 14:02.
                </EmptyState>
              ),
            },
            {
              id: 'error',
              title: 'Error',
              content: (
                <ErrorState title="The query failed" error={new Error('line 1: no such field')} onRetry={() => {}} />
              ),
            },
            { id: 'loading', title: 'Loading', content: <LoadingNotice /> },
          ]}
        />
      </div>
      <Dialog
        title="Delete logs?"
        open={open === 'dialog'}
        onClose={() => setOpen(undefined)}
        actions={<Button kind="danger">Delete</Button>}
      >
        It has 120,000 events.
      </Dialog>
      <Drawer title="Details" open={open === 'sheet'} onClose={() => setOpen(undefined)}>
        Beside the page.
      </Drawer>
    </Page>
  );
}
