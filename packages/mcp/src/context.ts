import type { RequestContext } from '@millrace/http/route';
import type { QueryService } from '@millrace/query/service';

/** What a tool, resource or prompt works with: one request of an agent. */
export interface AgentContext {
  /** Its rights, its signal and its log. */
  readonly call: RequestContext;
  readonly service: QueryService;
  /** Name of the program that sent the request. */
  readonly agent: string;
  /** Address of the console, for links; undefined without a console. */
  readonly consoleUrl: string | undefined;
}
