import { Dialog, Sheet } from '../../../widgets/overlays/dialog.js';
import { Button } from '../../../widgets/inputs/button.js';
import { AddElement } from './add-element.js';
import styles from '../board.module.css';
import { BoardJson } from './board-json.js';
import { BoardSettings } from './board-settings.js';
import { nameOf } from '../document/document.js';
import { kindOf } from '../elements/element-table.js';
import { ElementEditor } from './element-editor.js';
import type { Asking } from '../questions.js';
import type { BoardRecord } from '../document/records.js';
import { SaveDialog } from './save-dialog.js';
import type { Draft } from './use-draft.js';

/** What stands over a board. */
export type BoardSheet =
  | { readonly kind: 'add' }
  | { readonly kind: 'element'; readonly id: string }
  | { readonly kind: 'settings' }
  | { readonly kind: 'json' }
  | { readonly kind: 'save' }
  | { readonly kind: 'leave' };

export function BoardSheets({
  sheet,
  onSheet,
  draft,
  asking,
  zone,
  record,
  onSaved,
}: {
  readonly sheet: BoardSheet;
  readonly onSheet: (sheet: BoardSheet | undefined) => void;
  readonly draft: Draft;
  readonly asking: Asking;
  readonly zone: string;
  readonly record: BoardRecord;
  readonly onSaved: (record: Pick<BoardRecord, 'version' | 'document'>) => void;
}) {
  const close = (): void => onSheet(undefined);
  switch (sheet.kind) {
    case 'add':
      return (
        <Dialog open title="Add an element" onClose={close}>
          <AddElement draft={draft} onAdded={(id) => onSheet({ kind: 'element', id })} />
        </Dialog>
      );
    case 'element': {
      const chart = draft.document.charts.find(({ id }) => id === sheet.id);
      if (chart === undefined) return null;
      return (
        <Sheet open wide title={nameOf(chart) || (kindOf(chart.type)?.title ?? chart.type)} onClose={close}>
          <ElementEditor key={chart.id} chart={chart} draft={draft} asking={asking} zone={zone} onDone={close} />
        </Sheet>
      );
    }
    case 'settings':
      return (
        <Sheet open title="Settings of the dashboard" onClose={close}>
          <BoardSettings draft={draft} onDone={close} asking={asking} />
        </Sheet>
      );
    case 'json':
      return (
        <Sheet open wide title="The dashboard as JSON" onClose={close}>
          <BoardJson draft={draft} onDone={close} />
        </Sheet>
      );
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
              <Button onPress={close}>Go on editing</Button>
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
          <p className={styles.row}>The dashboard becomes what it was when it was last saved.</p>
        </Dialog>
      );
  }
}
