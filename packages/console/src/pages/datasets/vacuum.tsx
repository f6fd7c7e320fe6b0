import { api } from '../../data/api.js';
import { refreshCatalog } from '../../data/catalog.js';
import { Button } from '../../widgets/inputs/button.js';
import { errorText } from '../../widgets/states.js';
import { notify } from '../../widgets/overlays/toast.js';

/** Removes fields without values. No data is lost. */
export function Vacuum({ dataset }: { readonly dataset: string }) {
  const vacuum = async (): Promise<void> => {
    try {
      const { fields } = await api.call('vacuumDataset', { params: { id: dataset } });
      notify({ text: fields.length === 0 ? 'No unused fields' : `Removed ${fields.join(', ')}` });
      await refreshCatalog();
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
