/**
 * Namespaces of OpenTelemetry's semantic conventions: the part of attribute names before the first
 * dot, in any version. A test compares the list with the package that publishes them. Attributes in
 * other namespaces are custom.
 */
const namespaces: ReadonlySet<string> = new Set(
  (
    'android app artifact aspnetcore aws az azure browser cassandra cicd client cloud cloudevents cloudfoundry code container cpu cpython db ' +
    'deployment destination device disk dns dotnet elasticsearch enduser error event exception faas feature_flag file gcp gen_ai geo go graphql ' +
    'heroku host http hw ios jsonrpc jvm k8s kafka linux log mainframe mcp message messaging net network nfs nodejs oci onc_rpc openai openshift ' +
    'opentracing oracle oracle_cloud os otel peer pool pprof process profile rabbitmq rocketmq rpc security_rule server service session signalr ' +
    'source state system telemetry test thread tls url user user_agent v8js vcs webengine zos'
  ).split(' '),
);

/** The namespaces, for a test to compare. */
export const knownNamespaces = (): readonly string[] => [...namespaces];

/**
 * Whether the conventions define an attribute, or may define it some day: its namespace decides.
 */
export function isConvention(key: string): boolean {
  const dot = key.indexOf('.');
  return namespaces.has(dot < 0 ? key : key.slice(0, dot));
}
