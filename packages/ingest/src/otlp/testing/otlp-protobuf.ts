/**
 * Converts requests in OTLP's JSON to protobuf, so that one example tests both formats. Written
 * from the .proto files and not from the tables under test, so that it detects wrong numbers there.
 */

type Kind =
  | 'string'
  | 'hex'
  | 'varint'
  | 'sint32'
  | 'fixed64'
  | 'sfixed64'
  | 'fixed32'
  | 'double'
  | 'bool'
  | 'base64'
  | 'packed double'
  | 'packed fixed64'
  | 'packed varint'
  | MessageName;
type MessageName = keyof typeof messages;

const messages = {
  ExportTraceServiceRequest: { resourceSpans: [1, 'ResourceSpans'] },
  ResourceSpans: { resource: [1, 'Resource'], scopeSpans: [2, 'ScopeSpans'], schemaUrl: [3, 'string'] },
  ScopeSpans: { scope: [1, 'InstrumentationScope'], spans: [2, 'Span'], schemaUrl: [3, 'string'] },
  ExportLogsServiceRequest: { resourceLogs: [1, 'ResourceLogs'] },
  ResourceLogs: { resource: [1, 'Resource'], scopeLogs: [2, 'ScopeLogs'], schemaUrl: [3, 'string'] },
  ScopeLogs: { scope: [1, 'InstrumentationScope'], logRecords: [2, 'LogRecord'], schemaUrl: [3, 'string'] },
  Resource: { attributes: [1, 'KeyValue'], droppedAttributesCount: [2, 'varint'] },
  InstrumentationScope: {
    name: [1, 'string'],
    version: [2, 'string'],
    attributes: [3, 'KeyValue'],
    droppedAttributesCount: [4, 'varint'],
  },
  Span: {
    traceId: [1, 'hex'],
    spanId: [2, 'hex'],
    traceState: [3, 'string'],
    parentSpanId: [4, 'hex'],
    name: [5, 'string'],
    kind: [6, 'varint'],
    startTimeUnixNano: [7, 'fixed64'],
    endTimeUnixNano: [8, 'fixed64'],
    attributes: [9, 'KeyValue'],
    droppedAttributesCount: [10, 'varint'],
    events: [11, 'Event'],
    droppedEventsCount: [12, 'varint'],
    links: [13, 'Link'],
    droppedLinksCount: [14, 'varint'],
    status: [15, 'Status'],
    flags: [16, 'fixed32'],
  },
  Event: {
    timeUnixNano: [1, 'fixed64'],
    name: [2, 'string'],
    attributes: [3, 'KeyValue'],
    droppedAttributesCount: [4, 'varint'],
  },
  Link: {
    traceId: [1, 'hex'],
    spanId: [2, 'hex'],
    traceState: [3, 'string'],
    attributes: [4, 'KeyValue'],
    droppedAttributesCount: [5, 'varint'],
    flags: [6, 'fixed32'],
  },
  ExportMetricsServiceRequest: { resourceMetrics: [1, 'ResourceMetrics'] },
  ResourceMetrics: { resource: [1, 'Resource'], scopeMetrics: [2, 'ScopeMetrics'], schemaUrl: [3, 'string'] },
  ScopeMetrics: { scope: [1, 'InstrumentationScope'], metrics: [2, 'Metric'], schemaUrl: [3, 'string'] },
  Metric: {
    name: [1, 'string'],
    description: [2, 'string'],
    unit: [3, 'string'],
    gauge: [5, 'Gauge'],
    sum: [7, 'Sum'],
    histogram: [9, 'Histogram'],
    exponentialHistogram: [10, 'ExponentialHistogram'],
    summary: [11, 'Summary'],
  },
  Gauge: { dataPoints: [1, 'NumberDataPoint'] },
  Sum: { dataPoints: [1, 'NumberDataPoint'], aggregationTemporality: [2, 'varint'], isMonotonic: [3, 'bool'] },
  Histogram: { dataPoints: [1, 'HistogramDataPoint'], aggregationTemporality: [2, 'varint'] },
  ExponentialHistogram: { dataPoints: [1, 'ExponentialHistogramDataPoint'], aggregationTemporality: [2, 'varint'] },
  Summary: { dataPoints: [1, 'SummaryDataPoint'] },
  NumberDataPoint: {
    startTimeUnixNano: [2, 'fixed64'],
    timeUnixNano: [3, 'fixed64'],
    asDouble: [4, 'double'],
    asInt: [6, 'sfixed64'],
    attributes: [7, 'KeyValue'],
    flags: [8, 'varint'],
  },
  HistogramDataPoint: {
    startTimeUnixNano: [2, 'fixed64'],
    timeUnixNano: [3, 'fixed64'],
    count: [4, 'fixed64'],
    sum: [5, 'double'],
    bucketCounts: [6, 'packed fixed64'],
    explicitBounds: [7, 'packed double'],
    attributes: [9, 'KeyValue'],
    flags: [10, 'varint'],
    min: [11, 'double'],
    max: [12, 'double'],
  },
  ExponentialHistogramDataPoint: {
    attributes: [1, 'KeyValue'],
    timeUnixNano: [3, 'fixed64'],
    count: [4, 'fixed64'],
    sum: [5, 'double'],
    scale: [6, 'sint32'],
    zeroCount: [7, 'fixed64'],
    positive: [8, 'Buckets'],
    negative: [9, 'Buckets'],
    flags: [10, 'varint'],
    min: [12, 'double'],
    max: [13, 'double'],
    zeroThreshold: [14, 'double'],
  },
  Buckets: { offset: [1, 'sint32'], bucketCounts: [2, 'packed varint'] },
  SummaryDataPoint: {
    timeUnixNano: [3, 'fixed64'],
    count: [4, 'fixed64'],
    sum: [5, 'double'],
    quantileValues: [6, 'ValueAtQuantile'],
    attributes: [7, 'KeyValue'],
    flags: [8, 'varint'],
  },
  ValueAtQuantile: { quantile: [1, 'double'], value: [2, 'double'] },
  Status: { message: [2, 'string'], code: [3, 'varint'] },
  LogRecord: {
    timeUnixNano: [1, 'fixed64'],
    severityNumber: [2, 'varint'],
    severityText: [3, 'string'],
    body: [5, 'AnyValue'],
    attributes: [6, 'KeyValue'],
    droppedAttributesCount: [7, 'varint'],
    flags: [8, 'fixed32'],
    traceId: [9, 'hex'],
    spanId: [10, 'hex'],
    observedTimeUnixNano: [11, 'fixed64'],
    eventName: [12, 'string'],
  },
  KeyValue: { key: [1, 'string'], value: [2, 'AnyValue'] },
  AnyValue: {
    stringValue: [1, 'string'],
    boolValue: [2, 'bool'],
    intValue: [3, 'varint'],
    doubleValue: [4, 'double'],
    arrayValue: [5, 'ArrayValue'],
    kvlistValue: [6, 'KeyValueList'],
    bytesValue: [7, 'base64'],
  },
  ArrayValue: { values: [1, 'AnyValue'] },
  KeyValueList: { values: [1, 'KeyValue'] },
} as const;

/** An OTLP message as protobuf, given its properties in JSON. */
export function protobufOf(name: MessageName, members: object): Buffer {
  const fields = messages[name] as Readonly<Record<string, readonly [number, Kind]>>;
  return Buffer.concat(
    Object.entries(members).flatMap(([member, value]) => {
      const [number, kind] = fields[member]!;
      if (kind.startsWith('packed ')) return [packValues(number, kind, value as readonly (number | string)[])];
      return (Array.isArray(value) ? value : [value]).map((each) => fieldOf(number, kind as Single, each));
    }),
  );
}

function packValues(number: number, kind: string, values: readonly (number | string)[]): Buffer {
  const each = (value: number | string): Buffer => {
    if (kind === 'packed varint') return varint(BigInt(value));
    const bytes = Buffer.alloc(8);
    if (kind === 'packed double') bytes.writeDoubleLE(Number(value));
    else bytes.writeBigUInt64LE(BigInt(value));
    return bytes;
  };
  return lengthDelimitedField(number, Buffer.concat(values.map(each)));
}

type Single = Exclude<Kind, `packed ${string}`>;

function fieldOf(number: number, kind: Single, value: unknown): Buffer {
  switch (kind) {
    case 'varint':
      return Buffer.concat([tag(number, 0), varint(BigInt(value as number | string))]);
    case 'bool':
      return Buffer.concat([tag(number, 0), varint(value === true ? 1n : 0n)]);
    case 'sint32': {
      const given = Number(value);
      return Buffer.concat([tag(number, 0), varint(BigInt(given < 0 ? -2 * given - 1 : 2 * given))]);
    }
    case 'fixed64':
    case 'sfixed64': {
      const bytes = Buffer.alloc(8);
      bytes.writeBigUInt64LE(BigInt.asUintN(64, BigInt(value as number | string)));
      return Buffer.concat([tag(number, 1), bytes]);
    }
    case 'double': {
      const bytes = Buffer.alloc(8);
      bytes.writeDoubleLE(Number(value));
      return Buffer.concat([tag(number, 1), bytes]);
    }
    case 'fixed32': {
      const bytes = Buffer.alloc(4);
      bytes.writeUInt32LE(Number(value));
      return Buffer.concat([tag(number, 5), bytes]);
    }
    case 'string':
      return lengthDelimitedField(number, Buffer.from(String(value)));
    case 'hex':
      return lengthDelimitedField(number, Buffer.from(String(value), 'hex'));
    case 'base64':
      return lengthDelimitedField(number, Buffer.from(String(value), 'base64'));
    default:
      return lengthDelimitedField(number, protobufOf(kind, value as object));
  }
}

export const tag = (number: number, wire: number): Buffer => varint(BigInt(number * 8 + wire));

/** A field that has its length before it. */
export const lengthDelimitedField = (number: number, bytes: Uint8Array): Buffer =>
  Buffer.concat([tag(number, 2), varint(BigInt(bytes.length)), bytes]);

/** A negative number takes all ten bytes. */
export function varint(value: bigint): Buffer {
  const bytes: number[] = [];
  let rest = BigInt.asUintN(64, value);
  for (; rest >= 0x80n; rest >>= 7n) bytes.push(Number(rest & 0x7fn) + 0x80);
  return Buffer.from([...bytes, Number(rest)]);
}
