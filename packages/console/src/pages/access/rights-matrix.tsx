import { Checkbox } from '../../widgets/inputs/checkbox.js';
import styles from './access.module.css';
import { datasetResources, orgResources, type Rights, toggleInOrg, toggleOnDatasets } from './resources.js';

const actions = ['create', 'read', 'update', 'delete'] as const;

/** Checkboxes of all permissions, for these datasets and the organization. */
export const RightsMatrix = ({
  rights,
  datasets,
  of = datasets.includes('*') ? 'all datasets' : datasets.join(', '),
  onChange,
}: {
  readonly rights: Rights;
  /** Datasets of the first half: names, or `*`. */
  readonly datasets: readonly string[];
  /** Display name of the datasets. */
  readonly of?: string;
  readonly onChange: (rights: Rights) => void;
}) => (
  <div className={styles.matrices}>
    <Matrix
      title={`On ${of}`}
      resources={datasetResources}
      has={(resource, action) =>
        datasets.length > 0 &&
        datasets.every((name) => isIncluded(rights.datasetCapabilities[name]?.[resource], action))
      }
      onToggle={(resource, action, on) => onChange(toggleOnDatasets(rights, datasets, resource, action, on))}
    />
    <Matrix
      title="Organization"
      resources={orgResources}
      has={(resource, action) => isIncluded(rights.orgCapabilities[resource], action)}
      onToggle={(resource, action, on) => onChange(toggleInOrg(rights, resource, action, on))}
    />
  </div>
);

const isIncluded = (given: readonly string[] | undefined, action: string): boolean => given?.includes(action) === true;

function Matrix<Name extends string>({
  title,
  resources,
  has,
  onToggle,
}: {
  readonly title: string;
  readonly resources: readonly { readonly id: Name; readonly title: string; readonly actions: readonly string[] }[];
  readonly has: (resource: Name, action: string) => boolean;
  readonly onToggle: (resource: Name, action: string, on: boolean) => void;
}) {
  return (
    <table className={styles.matrix}>
      <caption>{title}</caption>
      <thead>
        <tr>
          <th scope="col">Permission</th>
          {actions.map((action) => (
            <th key={action} scope="col">
              {action}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {resources.map(({ id, title: name, actions: possible }) => (
          <tr key={id}>
            <th scope="row">{name}</th>
            {actions.map((action) => (
              <td key={action}>
                {possible.includes(action) && (
                  <Checkbox
                    label={`${name}: ${action}`}
                    checked={has(id, action)}
                    onChange={(on) => onToggle(id, action, on)}
                  />
                )}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
