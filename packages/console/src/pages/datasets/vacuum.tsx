import { api } from '../../data/api.js';
import { refreshCatalogue } from '../../data/catalogue.js';
import { Button } from '../../widgets/inputs/button.js';
import { errorText } from '../../widgets/states.js';
import { notify } from '../../widgets/overlays/toast.js';

/** Removes fields that no event has. It takes nothing away that anybody could read. */
export function Vacuum({ dataset }: { readonly dataset: string }) {
  const vacuum = async (): Promise<void> => {
    try {
      const { fields } = await api.call('vacuumDataset', { params: { id: dataset } });
      notify({ text: fields.length === 0 ? 'Every field is in some event' : `Removed ${fields.join(', ')}` });
      await refreshCatalogue();
    } catch (error) {
      notify({ text: errorText(error), kind: 'problem' });
    }
  };
  return (
    <Button needs={{ dataset, can: 'vacuum', action: 'update' }} onPress={() => void vacuum()}>
      Vacuum
    </Button>
  );
}
