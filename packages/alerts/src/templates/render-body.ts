import type { LinkUrls } from '../channels/message-links.js';
import type { Notification } from '../outbox/notification.js';
import type { Pipeline } from './nodes.js';
import { parseTemplate } from './parse.js';
import { render } from './render.js';
import { valuesFor } from './variables.js';

export interface TemplateContext extends LinkUrls {
  /** Compute budget of one template. */
  readonly templateSteps: number;
}

/**
 * Renders the body of a webhook. Values are inserted verbatim, as existing templates expect. If the
 * result should be JSON and is not, because a value contains a quote or a line break, renders again
 * with escaped values.
 * @throws TemplateError
 */
export function renderBody(
  template: string,
  notification: Notification,
  { isJson, templateSteps, ...urls }: TemplateContext & { readonly isJson: boolean },
): string {
  const nodes = parseTemplate(template);
  const values = valuesFor(notification, urls);
  const plain = render(nodes, values, { templateSteps, written: (text) => text });
  if (!isJson || parses(plain)) return plain;
  const writeValue = (text: string, pipeline: Pipeline): string =>
    writesJson(pipeline) ? text : JSON.stringify(text).slice(1, -1);
  const escaped = render(nodes, values, { templateSteps, written: writeValue });
  return parses(escaped) ? escaped : plain;
}

/** Whether the output of a pipeline is valid JSON without quoting. */
function writesJson({ commands }: Pipeline): boolean {
  const last = commands.at(-1);
  if (last?.head.kind !== 'function') return false;
  const [format] = last.args;
  const quotes = format?.kind === 'constant' && String(format.value).includes('%q');
  return ['jsonObject', 'jsonArray', 'js'].includes(last.head.name) || (last.head.name === 'printf' && quotes);
}

function parses(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
