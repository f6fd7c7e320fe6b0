/**
 * Logs with a line per event that are neither JSON nor CSV. A reader converts the lines of one
 * object, in order; undefined means that a line has no event.
 */
export interface LineFormat {
  /** Whether an object begins like this format. */
  detects(firstLine: string): boolean;
  open(): (line: string) => Readonly<Record<string, unknown>> | undefined;
}

/** Fields of the access log of Application Load Balancers; later versions append others. */
const albFields = [
  'type',
  'time',
  'elb',
  'client',
  'target',
  'request_processing_time',
  'target_processing_time',
  'response_processing_time',
  'elb_status_code',
  'target_status_code',
  'received_bytes',
  'sent_bytes',
  'request',
  'user_agent',
  'ssl_cipher',
  'ssl_protocol',
  'target_group_arn',
  'trace_id',
  'domain_name',
  'chosen_cert_arn',
  'matched_rule_priority',
  'request_creation_time',
  'actions_executed',
  'redirect_url',
  'error_reason',
  'target_port_list',
  'target_status_code_list',
  'classification',
  'classification_reason',
  'conn_trace_id',
] as const;

export const lineFormats = {
  alb: {
    detects: (line) => /^(https?|h2|grpcs|wss?) \d{4}-\d\d-\d\dT[\d:.]+Z /.test(line),
    open: () => (line) => {
      const cells = [...line.matchAll(/"((?:[^"\\]|\\.)*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');
      return cells.length < 12 ? textOf(line) : eventOf(albFields, cells, 'time');
    },
  },
  vpcflow: {
    detects: (line) => /^version account-id |(^| )srcaddr( |$)/.test(line),
    open() {
      let names: readonly string[] | undefined;
      return (line) => {
        if (names === undefined) {
          names = line
            .trim()
            .split(/ +/)
            .map((name) => name.replaceAll('-', '_'));
          return undefined;
        }
        const event = eventOf(names, line.trim().split(/ +/), undefined);
        const { start } = event;
        return typeof start === 'number' ? { _time: new Date(start * 1000).toISOString(), ...event } : event;
      };
    },
  },
  cloudfront: {
    detects: (line) => line.startsWith('#Version:') || line.startsWith('#Fields:'),
    open() {
      let names: readonly string[] = [];
      return (line) => {
        if (line.startsWith('#Fields:'))
          names = line
            .slice('#Fields:'.length)
            .trim()
            .split(/\s+/)
            .map((name) => name.replaceAll(/[-()]+/g, '_').replace(/_$/, ''));
        if (line.startsWith('#')) return undefined;
        if (names.length === 0) return textOf(line);
        const event = eventOf(names, line.split('\t'), undefined);
        const { date, time } = event;
        return typeof date === 'string' && typeof time === 'string' ? { _time: `${date}T${time}Z`, ...event } : event;
      };
    },
  },
  text: { detects: () => false, open: () => textOf },
} as const satisfies Readonly<Record<string, LineFormat>>;
export type LineFormatName = keyof typeof lineFormats;

const textOf = (line: string): Readonly<Record<string, unknown>> => ({ message: line });

/**
 * Pairs names and cells. A dash is no value; numbers are numbers as long as they keep their digits.
 */
function eventOf(
  names: readonly string[],
  cells: readonly string[],
  timeName: string | undefined,
): Readonly<Record<string, unknown>> {
  const event: Record<string, unknown> = {};
  for (const [i, cell] of cells.entries()) {
    const name = names[i] ?? `column_${i + 1}`;
    if (cell === '-' || cell === '') continue;
    event[name === timeName ? '_time' : name] = valueOf(cell);
  }
  return event;
}

const valueOf = (cell: string): string | number =>
  /^-?(0|[1-9]\d{0,14})(\.\d{1,9})?$/.test(cell) && String(Number(cell)) === cell ? Number(cell) : cell;
