import { logQuery } from '../../../editor/translate/logql.js';
import { sqlQuery } from '../../../editor/translate/sql.js';
import { type Shape, TranslationError } from '../../../editor/translate/translation-error.js';
import { membersOf, type Members, textMember } from '../document/document.js';
import { listOf, type Panel } from './documents.js';
import { elasticQuery } from './elastic-queries.js';

/** The query of a panel in APL, or the original with the reason why it stays as it is. */
export type PanelQuery = { readonly apl: string } | { readonly original: string; readonly reason: string };

interface Language {
  readonly title: string;
  /** Part of the type of its data source. */
  readonly source: RegExp;
  /** @throws TranslationError */
  readonly translate?: (target: Members, dataset: string, shape: Shape) => string;
}

/** Languages by data source. Adding one is a line. */
const languages: readonly Language[] = [
  { title: 'APL', source: /axiom/, translate: (target) => (textMember(target, 'query') ?? textOf(target)).trim() },
  {
    title: 'LogQL',
    source: /loki|victorialogs-loki/,
    translate: (target, dataset, shape) => logQuery(textOf(target), dataset, { shape }),
  },
  { title: 'Elasticsearch', source: /elasticsearch|opensearch/, translate: elasticQuery },
  { title: 'PromQL', source: /prometheus|mimir|victoriametrics/ },
  { title: 'Flux', source: /influx/ },
  {
    title: 'SQL',
    source: /sql|postgres|clickhouse|bigquery|athena/,
    translate: (target, dataset) => sqlQuery(textOf(target), { dataset: () => dataset, fields: () => undefined }),
  },
];

const textOf = (target: Members): string =>
  ['expr', 'query', 'rawSql', 'rawQuery', 'target'].map((name) => textMember(target, name)).find(Boolean) ?? '';

const sourceOf = (members: Members): string => {
  const { datasource } = members;
  return (
    typeof datasource === 'string' ? datasource : (textMember(membersOf(datasource), 'type') ?? '')
  ).toLowerCase();
};

/** Without a known data source the text decides. */
function languageOf(target: Members, panel: Panel): Language | undefined {
  const source = [sourceOf(target), sourceOf(panel)].find((each) => each !== '' && !each.includes('mixed')) ?? '';
  const byName = languages.find((each) => each.source.test(source));
  if (byName !== undefined) return byName;
  if (Array.isArray(target['bucketAggs'])) return languages.find(({ title }) => title === 'Elasticsearch');
  const text = textOf(target);
  if (textMember(target, 'rawSql') !== undefined) return languages.find(({ title }) => title === 'SQL');
  const isLog = /(^|\()\s*\{[^}]*\}\s*(\||!|\[|$)/.test(text);
  return languages.find(({ title }) => title === (isLog ? 'LogQL' : 'PromQL'));
}

/** Of several queries the first that can be translated counts; the others are named. */
export function panelQuery(
  panel: Panel,
  dataset: string,
  shape: Shape,
): { readonly query: PanelQuery | undefined; readonly left: readonly string[] } {
  const targets = listOf(panel['targets']).filter((target) => target['hide'] !== true);
  const found = targets.map((target) => targetQuery(target, panel, dataset, shape));
  const chosen = found.find((each) => 'apl' in each) ?? found[0];
  return { query: chosen, left: found.flatMap((each, at) => (each === chosen ? [] : [originalText(targets[at]!)])) };
}

const originalText = (target: Members): string => textOf(target) || JSON.stringify(target);

function targetQuery(target: Members, panel: Panel, dataset: string, shape: Shape): PanelQuery {
  const language = languageOf(target, panel);
  const original = originalText(target);
  const title = language?.title ?? 'The language of the query';
  if (language?.translate === undefined) return { original, reason: `${title} is not translated` };
  try {
    const apl = language.translate(target, dataset, shape);
    return apl === '' ? { original, reason: 'the query is empty' } : { apl };
  } catch (error) {
    if (!(error instanceof TranslationError)) throw error;
    return { original, reason: `${title} is not translated at "${error.message}"` };
  }
}
