import { fieldText } from '../../../data/apl-text.js';
import { searchToApl } from '../../../editor/search-syntax.js';
import { type Shape, TranslationError } from '../../../editor/translate/translation-error.js';
import { membersOf, type Members, textMember } from '../document/document.js';
import { listOf } from './documents.js';

/** Queries of an Elasticsearch data source: Lucene text, metrics and buckets. */

const name = (field: string | undefined): string => fieldText((field ?? '').replace(/\.keyword$/, ''));

/** Aggregates by the type of a metric. */
const metrics: Readonly<Record<string, (field: string, metric: Members) => string>> = {
  count: () => 'count()',
  avg: (field) => `avg(${field})`,
  sum: (field) => `sum(${field})`,
  min: (field) => `min(${field})`,
  max: (field) => `max(${field})`,
  cardinality: (field) => `dcount(${field})`,
  percentiles: (field, metric) => {
    const wanted = membersOf(metric['settings'])['percents'];
    const percents = Array.isArray(wanted) && wanted.length > 0 ? wanted.map(Number) : [50, 95, 99];
    return percents.map((each) => `p${each} = percentile(${field}, ${each})`).join(', ');
  },
};

const EVENTS = new Set(['logs', 'raw_data', 'raw_document']);

/** @throws TranslationError */
export function elasticQuery(target: Members, dataset: string, shape: Shape): string {
  const text = textMember(target, 'query') ?? '';
  if (/\$\w|\$\{/.test(text)) throw new TranslationError(text);
  const source = searchToApl(text === '*' ? '' : text, dataset);
  const wanted = listOf(target['metrics']).filter((metric) => metric['hide'] !== true);
  if (wanted.some(({ type }) => EVENTS.has(String(type)))) return source;
  const aggregates = wanted.map((metric) => {
    const type = String(metric['type']);
    if (!Object.hasOwn(metrics, type)) throw new TranslationError(`the metric ${type}`);
    return metrics[type]!(name(textMember(metric, 'field')), metric);
  });
  const buckets = listOf(target['bucketAggs']);
  const other = buckets.find(({ type }) => type !== 'terms' && type !== 'date_histogram');
  if (other !== undefined) throw new TranslationError(`the bucket ${String(other['type'])}`);
  const isOverTime = shape === 'times' && buckets.some(({ type }) => type === 'date_histogram');
  const terms = buckets.filter(({ type }) => type === 'terms');
  const by = [...(isOverTime ? ['bin_auto(_time)'] : []), ...terms.map((each) => name(textMember(each, 'field')))];
  const summary = `summarize ${(aggregates.length > 0 ? aggregates : ['count()']).join(', ')}`;
  const max = Number(textMember(membersOf(terms[0]?.['settings']), 'size') ?? 10) || 10;
  const isTop = !isOverTime && terms.length > 0 && (aggregates[0] ?? 'count()') === 'count()';
  return [
    source,
    `${summary}${by.length > 0 ? ` by ${by.join(', ')}` : ''}`,
    ...(isTop ? [`top ${max} by count_`] : []),
  ].join('\n| ');
}
