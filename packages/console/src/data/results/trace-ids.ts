/** Fields with the trace ID of an event. */
export const traceFields = ['trace_id', 'traceId', 'trace.id', 'TraceId', 'traceid', 'otel.trace_id', 'dd.trace_id'];

/** Whether a text is 16 or 32 hexadecimal digits: a span or trace ID. */
export const isTraceId = (text: string): boolean => /^([\da-f]{16}|[\da-f]{32})$/i.test(text);
