import { readTags, shownTag } from '@millrace/mpl';
import { type Labels, labelsOf, metricName } from '@millrace/promql';

/** The labels of a stored series: its tags as text, and the name of its metric. */
export const labelsOfStored = ({ tags, metric }: { readonly tags: string; readonly metric: string }): Labels =>
  labelsOf([...[...readTags(tags)].map(([name, tag]) => [name, shownTag(tag)] as const), [metricName, metric]]);
