import { Select } from '../../widgets/inputs/select.js';

const DAY_MILLISECONDS = 86_400_000;

const expiries = ['never', '1', '7', '30', '90', '365'] as const;
export type Expiry = (typeof expiries)[number];

/** Expiry of a token created now; undefined for never. */
export const expiryDate = (expiry: Expiry, now = Date.now()): string | undefined =>
  expiry === 'never' ? undefined : new Date(now + Number(expiry) * DAY_MILLISECONDS).toISOString();

export const ExpirySelect = ({
  value,
  onChange,
}: {
  readonly value: Expiry;
  readonly onChange: (value: Expiry) => void;
}) => (
  <Select
    label="Expires"
    value={value}
    onChange={onChange}
    choices={expiries.map((id) => ({
      id,
      title: id === 'never' ? 'Never' : id === '1' ? 'In 1 day' : `In ${id} days`,
    }))}
  />
);
