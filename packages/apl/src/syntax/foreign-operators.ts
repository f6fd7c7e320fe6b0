/** What other languages call an operator, and its name here. */
export const foreignOperatorNames: ReadonlyMap<string, string> = new Map([
  ['filter', 'where'],
  ['select', 'project'],
  ['fields', 'project'],
  ['table', 'project'],
  ['having', 'where'],
  ['drop', 'project-away'],
  ['rename', 'project-rename'],
  ['stats', 'summarize'],
  ['group', 'summarize'],
  ['aggregate', 'summarize'],
  ['eval', 'extend'],
  ['head', 'take'],
  ['uniq', 'distinct'],
  ['dedup', 'distinct'],
  ['rex', 'parse'],
  ['timechart', 'summarize'],
  ['find', 'search'],
  ['expand', 'mv-expand'],
  ['explode', 'mv-expand'],
]);

/** Operators of other languages that no single one replaces, and what to write instead. */
export const foreignOperatorAdvice: ReadonlyMap<string, string> = new Map([
  ['partition', 'summarize … by a groups rows, and top-nested takes the greatest within groups'],
  ['scan', 'sort the rows, then compare each with prev() and next() in extend'],
  ['streamstats', 'sort the rows, then use row_number(), row_cumsum(), prev() or next() in extend'],
  ['eventstats', 'summarize by the group, then join the result with the rows'],
  ['transaction', 'write summarize min(_time), max(_time), make_list(…) by the id'],
  ['top-hitters', 'write summarize n = count() by a | top 5 by n'],
  ['rare', 'write summarize n = count() by a | top 5 by n asc'],
  ['sample-distinct', 'write distinct a | take 5'],
  ['tail', 'write top 10 by _time asc, or sort the other way and take'],
  ['chart', 'write summarize … by a, and render'],
  ['bucket', 'write summarize … by bin(_time, 5m)'],
  ['regex', 'write where a matches regex "…"'],
  ['spath', 'members of objects are columns; parse_json() reads a text'],
  ['fillnull', 'write extend a = coalesce(a, 0)'],
  ['makemv', 'write extend a = split(a, ",")'],
  ['append', 'write union (…)'],
  ['consume', 'write count'],
  ['fork', 'send a query for each branch'],
  ['facet', 'send a query for each column'],
  ['invoke', 'a function with a table is called first: f(dataset) | …'],
  ['group-by', 'write summarize … by a'],
  ['pivot', 'write evaluate pivot(a)'],
  ['externaldata', 'send the data to a dataset, or write it as datatable(…)[…]'],
]);

/** Operators of several words that are written with a dash elsewhere, and how they are written here. */
export const respelledOperators: ReadonlyMap<string, string> = new Map([
  ['sort-by', 'sort by'],
  ['order-by', 'order by'],
]);
