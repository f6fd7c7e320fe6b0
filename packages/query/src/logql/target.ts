import type { Dataset } from '@millrace/apl';
import { httpError } from '@millrace/api/errors';
import type { RequestContext } from '@millrace/http/route';
import { resolveDatasetName } from '@millrace/metadata/dataset-names';
import { type LogQuery, type Matcher, Schema } from '@millrace/logql';
import { catalogFor } from '../compile/catalog.js';
import type { QueryService } from '../service.js';
import { lokiError } from './loki-error.js';

/** Which dataset a request is about. */

/** The label that names the dataset where the path does not. */
export const datasetLabel = 'dataset';

type Caller = Pick<RequestContext, 'may'>;

/** Datasets that the caller may query. */
export const readableDatasets = async (call: Caller, service: QueryService): Promise<readonly string[]> =>
  (await catalogFor(call, service)).names;

export class Target {
  readonly #call: Caller;
  readonly #service: QueryService;
  /** Of the path or the tenant. */
  readonly #datasetName: string | undefined;

  constructor(call: Caller, service: QueryService, named: string | undefined) {
    this.#call = call;
    this.#service = service;
    this.#datasetName = named;
  }

  /**
   * The name of the dataset of some selectors; undefined if nothing says which.
   * @throws HttpError for selectors of several datasets
   */
  async name(selectors: readonly (readonly Matcher[])[]): Promise<string | undefined> {
    if (this.#datasetName !== undefined) return this.#datasetName;
    const named = selectors.map((matchers) => matchers.find(isDatasetName)?.value);
    const [first] = named;
    if (named.some((each) => each !== first)) throw lokiError('a query reads one dataset; its selectors name several');
    if (first !== undefined) return first;
    const [only, ...others] = await readableDatasets(this.#call, this.#service);
    return others.length === 0 ? only : undefined;
  }

  /** @throws HttpError `dataset-not-found`, `forbidden`, `wrong-dataset-kind` */
  async schema(selectors: readonly (readonly Matcher[])[]): Promise<Schema> {
    const name = await this.name(selectors);
    if (name === undefined)
      throw lokiError(
        `the token may query several datasets; name one with {${datasetLabel}="…"}, the tenant (X-Scope-OrgID), or the address /loki/DATASET`,
      );
    return new Schema(await this.#dataset(name));
  }

  async #dataset(name: string): Promise<Dataset> {
    const dataset = (await catalogFor(this.#call, this.#service)).dataset(name);
    if (dataset === undefined) throw httpError('dataset-not-found', { name: resolveDatasetName(name) });
    return dataset;
  }
}

const isDatasetName = ({ label, op }: Matcher): boolean => label === datasetLabel && op === '=';

/** A query without conditions that name its dataset. */
export function withoutDatasetName(log: LogQuery, schema: Schema): LogQuery {
  if (schema.has(datasetLabel)) return log;
  return {
    ...log,
    selector: log.selector.filter((matcher) => !(isDatasetName(matcher) && matcher.value === schema.dataset)),
  };
}
