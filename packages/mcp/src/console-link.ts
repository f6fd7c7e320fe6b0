import { consoleBase } from '@millrace/http/console-address';
import type { AgentContext } from './context.js';

type LinkContext = Pick<AgentContext, 'consoleUrl'>;

/** A line with a link to a page of the console; empty without a console. */
function lineTo(path: string, parameters: Readonly<Record<string, string>>, { consoleUrl }: LinkContext): string {
  if (consoleUrl === undefined) return '';
  const search = new URLSearchParams(parameters).toString();
  return `open: ${consoleBase(consoleUrl)}/${path}${search === '' ? '' : `?${search}`}`;
}

/** Longer addresses are rejected by servers and cost the agent more than they help. */
const longestLink = 1500;

/** Link to a query. */
export function queryLink(
  apl: string,
  range: { readonly from: string; readonly to: string },
  context: LinkContext,
): string {
  const line = lineTo('query', { q: apl, ...range }, context);
  return line.length > longestLink ? '' : line;
}

export const traceLink = (dataset: string, traceId: string, context: LinkContext): string =>
  lineTo(`trace/${encodeURIComponent(dataset)}/${encodeURIComponent(traceId)}`, {}, context);

export const monitorLink = (id: string, context: LinkContext): string => lineTo(`monitors/${id}`, {}, context);

export const dashboardLink = (uid: string, context: LinkContext): string => lineTo(`dashboards/${uid}`, {}, context);
