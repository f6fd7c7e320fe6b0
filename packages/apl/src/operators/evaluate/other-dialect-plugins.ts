/** Kusto's plugins that do not exist here, and what to write instead. */
export const pluginAdvice: ReadonlyMap<string, string> = new Map(
  Object.entries({
    'how the values of two kinds of rows differ is found by diffpatterns': ['diffpatterns_text'],
    'write summarize dcount(user) by bin(_time, 1d)': ['active_users_count', 'session_count'],
    'write make-series n = dcount(user) on _time step 1d, then compare each with those before it': [
      'activity_engagement',
      'activity_metrics',
      'new_activity_metrics',
    ],
    'write summarize count() by bin(_time, 5m), then row_cumsum() or prev()': ['rolling_percentile'],
    'write scan, with a step for each event of the sequence': [
      'funnel_sequence',
      'funnel_sequence_completion',
      'sequence_detect',
    ],
    'addresses are compared with networks by ipv6_is_in_any_range(ip, networks)': ['ipv6_lookup'],
    'union does that': ['schema_merge'],
    'queries run no programs in other languages': ['python', 'r'],
    'queries call no other services; externaldata reads files': [
      'ai_chat_completion',
      'ai_embeddings',
      'azure_digital_twins_query_request',
      'cosmosdb_sql_request',
      'http_request',
      'http_request_post',
      'mysql_request',
      'postgresql_request',
      'sql_request',
    ],
  }).flatMap(([advice, names]) => names.map((name): readonly [string, string] => [name, advice])),
);
