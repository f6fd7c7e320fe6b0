import type { Logger } from 'pino';
import { auditDataset, isReservedName } from '@millrace/metadata/dataset-names';
import type { Metadata } from '@millrace/metadata/metadata';

/** Warns of datasets that had their names before these were reserved. */
export function warnOfReservedNames({ datasets }: Pick<Metadata, 'datasets'>, logger: Pick<Logger, 'warn'>): void {
  for (const { name } of datasets.list())
    if (name === 'axiom-audit')
      logger.warn(
        { dataset: name },
        "queries of 'axiom-audit' read the audit log and no longer the dataset of this name; send events to a dataset of another name",
      );
    else if (name !== auditDataset && isReservedName(name))
      logger.warn(
        { dataset: name },
        'the name of a dataset is now reserved; it keeps working, but copy its events to a dataset with another name',
      );
}
