import type { Search } from '../../../data/search-text.js';
import { Dialog, Drawer } from '../../../widgets/overlays/dialog.js';
import { Button } from '../../../widgets/inputs/button.js';
import { AddElement } from './add-element.js';
import styles from '../dashboard.module.css';
import { BoardJson } from './dashboard-json.js';
import { BoardSettings } from './dashboard-settings.js';
import { shownName } from '../document/document.js';
import { kindOf } from '../elements/element-table.js';
import { ElementEditor } from './element-editor.js';
import type { DashboardState } from '../element-queries.js';
import type { BoardRecord } from '../document/records.js';
import { TvDialog } from '../tv/tv-dialog.js';
import { SaveDialog } from './save-dialog.js';
import type { Draft } from './use-draft.js';

/** Drawers and dialogs of a dashboard. */
export type BoardSheet =
  | { readonly kind: 'add' }
  | { readonly kind: 'element'; readonly id: string }
  | { readonly kind: 'settings' }
  | { readonly kind: 'json' }
  | { readonly kind: 'tv' }
  | { readonly kind: 'save' }
  | { readonly kind: 'leave' };

export function BoardSheets({
  sheet,
  onSheet,
  draft,
  asking,
  zone,
  range,
  record,
  onSaved,
}: {
  readonly sheet: BoardSheet;
  readonly onSheet: (sheet: BoardSheet | undefined) => void;
  readonly draft: Draft;
  readonly asking: DashboardState;
  readonly zone: string;
  /** Range and time zone in the address. */
  readonly range: Search;
  readonly record: BoardRecord;
  readonly onSaved: (record: Pick<BoardRecord, 'version' | 'document'>) => void;
}) {
  const close = (): void => onSheet(undefined);
  switch (sheet.kind) {
    case 'add':
      return (
        <Dialog open wide title="Add an element" onClose={close}>
          <AddElement draft={draft} onAdded={(id) => onSheet({ kind: 'element', id })} />
        </Dialog>
      );
    case 'element': {
      const chart = draft.document.charts.find(({ id }) => id === sheet.id);
      if (chart === undefined) return null;
      return (
        <Drawer open wide title={shownName(chart) || (kindOf(chart.type)?.title ?? chart.type)} onClose={close}>
          <ElementEditor key={chart.id} chart={chart} draft={draft} asking={asking} zone={zone} onDone={close} />
        </Drawer>
      );
    }
    case 'settings':
      return (
        <Drawer open title="Dashboard settings" onClose={close}>
          <BoardSettings draft={draft} onDone={close} asking={asking} />
        </Drawer>
      );
    case 'json':
      return (
        <Drawer open wide title="Dashboard JSON" onClose={close}>
          <BoardJson draft={draft} onDone={close} />
        </Drawer>
      );
    case 'tv':
      return <TvDialog uid={record.uid} range={range} onClose={close} />;
    case 'save':
      return (
        <SaveDialog
          draft={draft}
          record={record}
          onClose={close}
          onSaved={(saved) => {
            close();
            onSaved(saved);
          }}
        />
      );
    case 'leave':
      return (
        <Dialog
          open
          title="Discard the changes?"
          onClose={close}
          actions={
            <>
              <Button onPress={close}>Keep editing</Button>
              <Button
                kind="danger"
                onPress={() => {
                  close();
                  onSaved(record);
                }}
              >
                Discard
              </Button>
            </>
          }
        >
          <p className={styles.row}>Reverts to the last saved version.</p>
        </Dialog>
      );
  }
}
